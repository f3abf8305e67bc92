import { startLoad } from "../../load/load.ts";
import { median, reached, table, type TargetResult } from "../../report/report.ts";
import { callApi } from "../../stage/api.ts";
import { CONNECTIONS, EVENTS, type Measured, sendEvents } from "../../stage/events.ts";
import { seedPeople } from "../../stage/seed.ts";
import { onStage, type Stage, type StageOptions } from "../../stage/stage.ts";

/** The names of the events that the load sends. */
const NAMES = ["product_viewed", "cart_changed", "order_placed", "search_made", "page_opened"];
const CAMPAIGNS = 10;
/** Short turns, and many: a machine is faster in one second than in another by a tenth, and each ratio is of neighbours. */
const ROUNDS = 15;
const WARM_UP = 3;

/** Which of the ten campaigns are active while events are recorded. */
const VARIANTS = ["no campaign", "ten, no filter matches", "ten, the filter of one matches"] as const;
type Variant = (typeof VARIANTS)[number];

/**
 * Measures events a second through POST /data-gateway/v1/batch with 100 events each, while ten campaigns with event triggers are active:
 * two for each name that is sent, so that each event is compared with two filters. The floor is the same load of the same service
 * while all campaigns are paused. The three take turns.
 */
export async function entry(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 1_000 : 50_000;
  return onStage({ ...options, roles: "api" }, async (stage) => {
    await seedPeople(stage, people);
    const campaigns = await createCampaigns(stage);
    const load = await startLoad();
    try {
      const found: Record<Variant, Measured>[] = [];
      for (let round = smoke ? -1 : -WARM_UP; round < (smoke ? 1 : ROUNDS); round++) {
        const seconds = smoke ? 0.5 : 1;
        const measured = {} as Record<Variant, Measured>;
        for (const variant of VARIANTS) {
          await campaigns.only(variant);
          // Until the service has read which campaigns are active now.
          await sendEvents(stage, load, { people, seconds: 0.2, seed: 1_000 + round });
          ({ measured: measured[variant] } = await sendEvents(stage, load, { people, seconds, seed: 100 + round }));
        }
        if (round >= 0) found.push(measured);
      }
      console.log(`${people} known people, ${EVENTS} events a request, ${CONNECTIONS} connections\n`);
      const middle = (variant: Variant, key: keyof Measured) => median(found.map((one) => one[variant][key]));
      table(
        ["", "events/s", "p99 ms of a request", "server us", "database us"],
        VARIANTS.map((variant) => [
          variant,
          middle(variant, "perSecond").toFixed(0),
          ...(["p99", "cpu", "databaseCpu"] as const).map((key) => middle(variant, key).toFixed(1)),
        ]),
      );
      return VARIANTS.slice(1).map((variant) => {
        const ratios = found.map((one) => one[variant].perSecond / one["no campaign"].perSecond);
        return reached(`events/s, ${variant} / no campaign`, median(ratios), [">=", 0.8], "x");
      });
    } finally {
      await load.stop();
    }
  });
}

/** Creates eleven paused campaigns: ten whose filter matches nothing, and one that takes the place of the last and matches. */
async function createCampaigns(stage: Stage) {
  const ids: string[] = [];
  for (let i = 0; i <= CAMPAIGNS; i++) {
    const where = [{ property: "price", op: i < CAMPAIGNS ? "lt" : "gte", value: 0 }];
    const { id } = await callApi<{ id: string }>(stage, "/api/v1/campaigns", {
      name: `Campaign ${i}`,
      trigger: { type: "event", name: NAMES[Math.min(i, CAMPAIGNS - 1) % NAMES.length], where },
      steps: [{ id: "pause", type: "wait", for: { amount: 30, unit: "days" } }],
    });
    await callApi(stage, `/api/v1/campaigns/${id}/activate`, {});
    await callApi(stage, `/api/v1/campaigns/${id}/pause`, {});
    ids.push(id);
  }
  const active = new Set<string>();
  const wanted: Record<Variant, string[]> = {
    "no campaign": [],
    "ten, no filter matches": ids.slice(0, CAMPAIGNS),
    "ten, the filter of one matches": ids.toSpliced(CAMPAIGNS - 1, 1),
  };
  return {
    async only(variant: Variant): Promise<void> {
      for (const id of ids) {
        const move = wanted[variant].includes(id) ? "resume" : "pause";
        if ((move === "resume") === active.has(id)) continue;
        await callApi(stage, `/api/v1/campaigns/${id}/${move}`, {});
        if (move === "resume") active.add(id);
        else active.delete(id);
      }
    },
  };
}
