import { setTimeout as sleep } from "node:timers/promises";
import { RECORDED } from "../activity/index.ts";
import type { Ground } from "../platform/ground.ts";
import { encodeId, newId } from "../platform/ids.ts";
import { collect } from "./collect.ts";
import { WEBHOOKS_CHANGED } from "./define.ts";
import { claimDue } from "./delivery-store.ts";
import { createDesk } from "./desk.ts";
import { type Endpoint, enabledEndpoints } from "./store.ts";

/** Retries, what other processes left, lost signals, and events that waited for an older transaction. */
const POLL_MS = 1_000;
/** Where no endpoint is enabled: only for a lost signal that one is. */
const IDLE_POLL_MS = 30_000;
/** Between two rounds, so that a busy workspace costs ten small queries a second and not one a commit. */
const GAP_MS = 100;
/** Pages collected for one endpoint before the others have their turn. */
const PAGES = 5;

/** The webhook work of one process. */
export interface WebhookWork {
  stop(): Promise<void>;
}

// The life of an event on its way to an endpoint:
//   collect  it is read from the activity, behind the endpoint's place, and becomes a row; the place moves with it
//   claim    the row is leased, for each endpoint at most as many as it has room for
//   deliver  one call, signed for now; what came of it decides: delivered, again later, failed, or the endpoint disabled
// A process that dies anywhere here leaves a row leased or a place unmoved; another goes on there, with the same webhook-id.

/** Starts collecting and sending in this process: woken by commits here and elsewhere, and polling as the fallback. */
export function startWebhooks(ground: Ground): WebhookWork {
  const desk = createDesk(ground, () => wake());
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  let again = false;
  let none = true;
  let timer: NodeJS.Timeout | undefined;

  async function round(): Promise<void> {
    const endpoints = await enabledEndpoints(ground.workDb);
    none = endpoints.length === 0;
    for (const endpoint of endpoints) {
      if (!endpoint.unread) continue;
      // What is wrong with one endpoint must not keep the others waiting.
      await collectPages(endpoint).catch((error) =>
        ground.log.warn({ webhook_id: encodeId("whk", endpoint.id), err: String(error) }, "events were not collected"),
      );
    }
    await claim(endpoints);
  }

  async function collectPages(endpoint: Endpoint): Promise<void> {
    for (let page = 0; page < PAGES && !ending.signal.aborted; page++) if (!(await collect(ground, endpoint))) return;
    again = true;
  }

  async function claim(endpoints: Endpoint[]): Promise<void> {
    const byId = new Map(endpoints.filter(({ resting }) => !resting).map((endpoint) => [endpoint.id, endpoint]));
    const lanes = [...byId.keys()].map((id) => ({ webhookId: id, room: desk.room(id) })).filter(({ room }) => room > 0);
    if (lanes.length === 0 || ending.signal.aborted) return;
    const since = performance.now();
    const claimed = await claimDue(ground.workDb, newId(), lanes);
    for (const [id, mine] of Map.groupBy(claimed, (one) => one.webhookId))
      desk.take(byId.get(id) as Endpoint, mine, since);
  }

  function wake(): void {
    again = true;
    if (running || ending.signal.aborted) return;
    clearTimeout(timer);
    running = (async () => {
      while (again && !ending.signal.aborted) {
        again = false;
        await round().catch((error) => ground.log.debug({ err: String(error) }, "webhooks could not be worked on"));
        await sleep(GAP_MS, undefined, { signal: ending.signal }).catch(() => {});
      }
    })().finally(() => {
      running = undefined;
      if (ending.signal.aborted) return;
      if (again) wake();
      else timer = setTimeout(wake, none ? IDLE_POLL_MS : POLL_MS);
    });
  }

  const unsubscribe = [
    // A busy installation without endpoints must not ask at each commit.
    ground.signals.subscribe(RECORDED, () => none || wake()),
    ground.signals.subscribe(WEBHOOKS_CHANGED, () => wake()),
  ];
  wake();
  return {
    async stop() {
      ending.abort();
      for (const end of unsubscribe) end();
      clearTimeout(timer);
      // A database that hangs must not hold the stop: what is half done is rolled back.
      await Promise.race([running, sleep(2_000, undefined, { ref: false })]);
      await desk.stop();
    },
  };
}
