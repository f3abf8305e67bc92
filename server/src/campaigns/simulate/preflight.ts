import type { CampaignPreflight } from "@tidings/contract/campaigns/preflight";
import { countOf, page } from "../../audiences/index.ts";
import type { OutboundGround } from "../../outbound/index.ts";
import type { Person } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { interactiveQuery } from "../../platform/resources/interactive.ts";
import { countPreflight } from "../../sendings/index.ts";
import type { Workspace } from "../../workspaces/index.ts";
import type { Published } from "../definition/published.ts";
import { sendingOf } from "../engine/steps/message.ts";
import { messagesOf } from "../rules/escalation.ts";
import { entrantsNow } from "./candidates.ts";
import { completeDraft } from "./simulate.ts";

/** More people than this are a sample: the first by their keys, which are hashes. It gives each rate to about 1 %. */
const MOST_PEOPLE = 10_000;
/** People in memory at once. */
const BATCH = 1_000;
/** After this time no further batch is read: a campaign may have hundreds of messages. */
const MOST_MS = 5_000;

type Message = CampaignPreflight["messages"][number];

/**
 * Counts who would get each message of the latest draft if they came to it now, and who would not and why, by the rules of queueing. It
 * follows no way through the journey: `simulate` and `replay` do. @throws Problem not_found, campaign_invalid, busy
 */
export const preflight = (ground: OutboundGround, workspace: Workspace, id: string): Promise<CampaignPreflight> =>
  interactiveQuery(ground, workspace.id, async (q) => {
    const now = ground.clock.now();
    const published = await completeDraft(ground.interactiveDb, workspace, { id, draft: undefined, now });
    const { who, filter } = entrantsNow(published.definition);
    const { count: people } = await countOf(q, workspace.id, filter, now);
    const messages = await counts(q, published, { workspace, now });
    const end = performance.now() + MOST_MS;
    let counted = 0;
    for (let cursor: string | undefined, isOver = false; !isOver; ) {
      const batch: Person[] = await page(q, workspace.id, { filter, cursor, limit: BATCH, now });
      for (const { count } of messages) await count.take(batch);
      counted += batch.length;
      cursor = batch.at(-1)?.person_key;
      isOver = batch.length < BATCH || counted >= MOST_PEOPLE || performance.now() > end;
    }
    // People may have come since they were counted.
    const total = Math.max(people, counted);
    const times = counted === 0 ? 1 : total / counted;
    return {
      who,
      people: total,
      counted,
      estimate: times !== 1,
      messages: await Promise.all(
        messages.map(async ({ of, count }) => ({ ...of, ...scaled(await count.answer(), times) })),
      ),
    };
  });

/** Begins to count each message of each step, in the order of the journey. */
async function counts(q: Queries, published: Published, { workspace, now }: { workspace: Workspace; now: Date }) {
  const begun = [];
  for (const { step } of published.journey.nodes.values()) {
    if (step.type !== "message") continue;
    const { holdoutPercent } = sendingOf(published, step);
    for (const [position, { channel = "in_app" }] of messagesOf(step).entries()) {
      // A person who is held out gets none of the step's messages.
      const sending = { ...sendingOf(published, step, position), holdoutPercent };
      const count = await countPreflight(q, { workspace, sending, now });
      begun.push({ of: { step_id: step.id, step_position: position, channel }, count });
    }
  }
  return begun;
}

type Counted = Awaited<ReturnType<Awaited<ReturnType<typeof countPreflight>>["answer"]>>;

/** Returns the numbers of a sample for all people. */
function scaled(counted: Counted, times: number): Omit<Message, "step_id" | "step_position" | "channel"> {
  const one = (count: number): number => Math.round(count * times);
  const all = (numbers: Record<string, number>) =>
    Object.fromEntries(Object.entries(numbers).map(([name, count]) => [name, one(count)]));
  const part = ({ will_receive, excluded }: Pick<Counted, "will_receive" | "excluded">) => ({
    will_receive: one(will_receive),
    excluded: all(excluded),
  });
  const { variants, locales, samples } = counted;
  return {
    ...part(counted),
    held_out: one(counted.held_out),
    ...(variants && {
      variants: Object.fromEntries(Object.entries(variants).map(([name, own]) => [name, part(own)])),
    }),
    ...(locales && { locales: all(locales) }),
    waits: all(counted.waits),
    samples,
  };
}
