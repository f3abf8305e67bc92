import type { Person } from "../../../people/index.ts";
import type { Queries } from "../../../platform/db/index.ts";
import { exemptTopics } from "../../../subscriptions/index.ts";
import { type AskHeld, askHeldWith, receivedSince } from "../../../sendings/index.ts";
import type { Workspace } from "../../../workspaces/index.ts";
import { personIn, runIn, type World } from "./world.ts";

/** The longest span of the workspace's limits. */
const WEEK_MS = 7 * 86_400_000;
/** Statuses of deliveries that do not count, as in `receivedSince`. */
const UNCOUNTED: ReadonlySet<string> = new Set(["failed", "suppressed", "canceled"]);

interface Ground {
  q: Queries;
  workspace: Workspace;
  people: Person[];
  /** Whether the people are made up, and so got no messages. */
  madeUp: boolean;
  start: Date;
}

/**
 * Returns the question whom the workspace's limits hold back in a world. The messages of the simulation count, and those that the people
 * really got in the 7 days before it. These are read once, when the limits first ask for them.
 */
export function heldBackIn(
  world: () => Pick<World, "people" | "runs">,
  { q, workspace, people, madeUp, start }: Ground,
): AskHeld {
  const since = new Date(start.getTime() - WEEK_MS);
  const keys = madeUp ? [] : people.map((person) => person.person_key);
  const readReal = async (exempt: string[]) => {
    const rows = await receivedSince(q, keys, { since, channel: null, exempt });
    return Map.groupBy(
      rows.filter(({ at }) => at < start),
      (row) => row.person_key,
    );
  };
  let topics: Promise<string[]> | undefined;
  let real: ReturnType<typeof readReal> | undefined;
  return askHeldWith(workspace, {
    exempt: () => {
      topics ??= exemptTopics(q, workspace.id);
      return topics;
    },
    received: async (asked, { since: after, channel, exempt }) => {
      real ??= readReal(exempt);
      const before = await real;
      return asked
        .flatMap((key) => [...(before.get(key) ?? []), ...simulatedFor(world(), key, exempt)])
        .filter((one) => one.at > after && (channel === null || one.channel === channel));
    },
  });
}

/** Returns the messages of the simulation that a person got. */
const simulatedFor = (world: Pick<World, "people" | "runs">, key: string, exempt: string[]) =>
  personIn(world, key).runIds.flatMap((id) =>
    [...runIn(world, id).deliveries.values()]
      .filter(({ status, topicId }) => !UNCOUNTED.has(status) && !exempt.includes(topicId ?? ""))
      .map(({ channel, queued_at: at }) => ({ person_key: key, channel, at })),
  );
