import { endOfFeed, type Position, readFeed } from "../../activity/index.ts";
import { meaningOf, roomToCount } from "../../audiences/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { addMembers, dropMembers, newMembers, updateMembers } from "../audience/members-store.ts";
import { moveSweep, peopleMovedByTime, type Sweep, type SweepState, takeSweep } from "../audience/sweeps-store.ts";
import { audienceOf } from "../rules/touches.ts";
import { type Published, publishedOf } from "../definition/published.ts";
import { type Drift, driftOf } from "../rules/touches.ts";
import { conditionOf, enterWith, PAGE } from "./audience-check.ts";
import { doNext, type WorkGround } from "./next-work.ts";

// Who enters and leaves an audience without a change of theirs that was heard. A sweep each minute evaluates only the people whom time or
// the outcome of a message may have moved since the sweep before. A full sweep evaluates everybody: after an activation or a pause, where
// the filter means something else than before, where too many people moved, and each hour, for what nobody announces, such as events that
// retention removes.

/** The time between two sweeps: people who enter an audience because time passes are found within it. */
const SWEEP_MS = 60_000;
/** The time between two full sweeps: at 1,000,000 people each takes some seconds. */
const FULL_MS = 3_600_000;
/** The most people whom a sweep evaluates one by one. With more, the statement over everybody is cheaper. */
const MOST_MOVED = 10_000;
/** After a full sweep the loop rests 4 times as long as the sweep took, so that sweeps use at most a fifth of a connection. */
const REST = 4;

/** Carries out the sweep that is due, or the next page of a full one. Returns whether there was one. */
export const sweepNext = (ground: WorkGround): Promise<boolean> =>
  doNext(ground, {
    failed: "an audience of a campaign could not be searched",
    take: takeSweep,
    work: sweep,
    putOff: (tx, one, until) => moveSweep(tx, one, { ...one, after_key: null, started_at: null, full_at: null }, until),
  });

async function sweep(tx: Tx, taken: Sweep, now: Date): Promise<void> {
  const { workspace_id, campaign_id, graph, fingerprint, started_at, full_at, seen_at, feed } = taken;
  const published = await publishedOf(tx, workspace_id, campaign_id, graph);
  const filter = published && audienceOf(published.definition);
  if (!filter) throw new Error("the campaign has no audience");
  const meaning = await meaningOf(tx, workspace_id, { filter, now });
  const drift = driftOf(meaning.conditions);
  if (fingerprint === meaning.fingerprint) {
    if (started_at) return sweepPage(tx, { published, taken, drift, now });
    const isFull = drift.everybody || seen_at === null || full_at === null || full_at <= now;
    const moved = isFull ? undefined : await movedPeople(tx, workspace_id, drift, { seen_at, now, feed });
    if (moved) return updateMoved(tx, { published, taken, moved, now });
  }
  const begin = { after_key: null, started_at: now, seen_at: now, fingerprint: meaning.fingerprint };
  // Read before the first page: what comes after this position may be missing from the page.
  await sweepPage(tx, { published, taken: { ...taken, ...begin, feed: await endOfFeed(tx) }, drift, now });
}

/** The people whom time or the outcome of a message may have moved, and the position up to which outcomes were read. */
interface Moved {
  personKeys: string[];
  feed: Position;
}

/** Returns the people who may have entered or left an audience since the sweep before; undefined where they are too many. */
async function movedPeople(
  tx: Tx,
  workspaceId: string,
  drift: Drift,
  { seen_at, now, feed }: { seen_at: Date; now: Date; feed: Position },
): Promise<Moved | undefined> {
  // A clock that was set back moves people the other way.
  const [from, until] = seen_at < now ? [seen_at, now] : [now, seen_at];
  const limit = MOST_MOVED + 1;
  const found = new Set(await peopleMovedByTime(tx, workspaceId, drift, { from, until, limit }));
  let after = feed;
  let more = drift.messages;
  let read = 0;
  while (more && read <= MOST_MOVED && found.size <= MOST_MOVED) {
    const page = await readFeed(tx, workspaceId, { after, types: [], limit: PAGE });
    for (const event of page.events) if (event.delivery_id !== null) found.add(event.person_key);
    read += page.events.length;
    [after, more] = [page.next, page.more];
  }
  return found.size > MOST_MOVED || more ? undefined : { personKeys: [...found].sort(), feed: after };
}

/** What a sweep works with. */
interface Work {
  published: Published;
  taken: Sweep;
  now: Date;
}

async function updateMoved(tx: Tx, { published, taken, moved, now }: Work & { moved: Moved }): Promise<void> {
  const { personKeys, feed } = moved;
  if (personKeys.length > 0) {
    const condition = await conditionOf(tx, published, now, "one by one");
    if (condition instanceof Problem) throw condition;
    for (let from = 0; from < personKeys.length; from += PAGE) {
      const some = personKeys.slice(from, from + PAGE);
      await enterWith(tx, published, await updateMembers(tx, published, { condition, personKeys: some }, now), now);
    }
  }
  await moveSweep(tx, taken, { ...taken, seen_at: now, feed }, new Date(now.getTime() + SWEEP_MS));
}

/**
 * Carries out one page of a full sweep. It finds people who are in the audience and are not recorded as members, in the order of their
 * keys. After the last page it removes members who left, so that they can enter again.
 */
async function sweepPage(tx: Tx, { published, taken, drift, now }: Work & { drift: Drift }): Promise<void> {
  const begun = performance.now();
  await roomToCount(tx);
  const condition = await conditionOf(tx, published, now, "everyone");
  if (condition instanceof Problem) throw condition;
  const found = await newMembers(tx, published, { condition, after: taken.after_key, limit: PAGE });
  await enterWith(tx, published, await addMembers(tx, published, found, now), now);
  if (found.length === PAGE)
    return void (await moveSweep(tx, taken, { ...taken, after_key: found.at(-1) ?? null }, now));
  await dropMembers(tx, published, condition);
  const startedAt = taken.started_at ?? now;
  const nextMs = startedAt.getTime() + SWEEP_MS - now.getTime();
  const restMs = drift.everybody ? Math.max(nextMs, REST * (performance.now() - begun)) : nextMs;
  const state: SweepState = {
    ...taken,
    after_key: null,
    started_at: null,
    full_at: new Date(startedAt.getTime() + (taken.settled ? FULL_MS : SWEEP_MS)),
    settled: true,
  };
  await moveSweep(tx, taken, state, new Date(now.getTime() + restMs));
}
