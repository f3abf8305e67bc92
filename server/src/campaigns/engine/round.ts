import type { CampaignsGround } from "../definition/entrances.ts";
import {
  findPeopleByKeys,
  lateSince,
  lockPeopleByKeys,
  mergesSince,
  type Person,
  preventMerges,
} from "../../people/index.ts";
import { isPassing, type Tx } from "../../platform/db/index.ts";
import { progressed } from "../../platform/resources/progress.ts";
import { encodeId } from "../../platform/ids.ts";
import { atMost } from "../../platform/limits/at-most.ts";
import { Turns } from "../../platform/limits/fair-share.ts";
import { lockLimits } from "../../sendings/index.ts";
import { workspaceById } from "../../workspaces/index.ts";
import { type Published, publishedOf } from "../definition/published.ts";
import { isSupported, type Time } from "../rules/turn.ts";
import { endOne } from "../run/end-store.ts";
import type { CampaignRef, RunRow } from "../run/run.ts";
import { settle } from "../run/settle.ts";
import {
  claimDue,
  claimOne,
  type HeldCampaign,
  holdActive,
  putOff,
  type WorkingCampaign,
  workingCampaigns,
} from "../run/store.ts";
import { advance } from "./advance.ts";
import { askBatchOf, endBatchOf, settleBatchOf } from "./inside.ts";

// The work of campaigns. A batch is a number of due runs of one campaign. One transaction advances them as far as they go: the runs move
// and their messages are queued, or nothing has happened. The lock of a run's row is its lease, and PostgreSQL frees it with the connection
// of a process that dies. A batch that fails is repeated run by run, so that one run that always fails does not delay the others.

/** How much a round does at once. */
interface Pace {
  /** Runs in a batch. Their people, contents and deliveries are in memory at once. */
  batch: number;
  /** Parallel batches: PostgreSQL writes one while this process prepares the next. */
  lanes: number;
}

// Measured with 15,000 runs that come out of a wait and queue an email, on two cores, beside other work at a lower priority (2026-11-25): runs
// a second, and how long the thread was not free for anything else, in ms of its CPU (p99 and the longest).
//   2 lanes of 250: 2,930/s, 10.1 and 13.5 ms     1 lane of 250: 2,500/s, 8.0 and 30.2 ms
//   2 lanes of 100: 2,720/s,  5.9 and  9.2 ms     1 lane of 100: 1,860/s, 4.7 and  8.4 ms     1 lane of 50: 1,600/s, 3.1 and 8.2 ms
// Beside 100 syncs and 20 triggers a second (`waiting`, another machine, 2026-11-27): 1 lane of 100: 2,303/s, p99 of syncs 3.4 x that without runs;
// 1 lane of 25: 1,990/s and 1.9 x. With fewer round trips 1 lane of 20: 1,876/s and 1.9 x. In a thread of their own (2026-11-29) 1 lane of 20: 1,581/s
// and a p99 of syncs of 5.4 ms; 1 lane of 40: 2,232 to 2,773/s and 4.4 to 6.0 ms, at a lower priority 2,457/s and 4.0 ms.
const ALONE: Pace = { batch: 250, lanes: 2 };
/** While somebody asks: a core stays free for them. 100,000 runs that are due in a minute still begin within the next. */
const BESIDE_CALLERS: Pace = { batch: 40, lanes: 1 };

const paceOf = ({ callers }: CampaignsGround): Pace => (callers.areHere() ? BESIDE_CALLERS : ALONE);
/** How long a round takes batches. Then it reads the campaigns again, because others may be due by now. */
const ROUND_MS = 500;
/** A run ends after this number of failed attempts. */
const MOST_ATTEMPTS = 5;
/** How long a run that failed waits, by its attempts. */
const BACKOFF_MS = [1_000, 5_000, 30_000, 120_000];

/** A batch to take: of which campaign, and what for. */
interface Task {
  campaign: WorkingCampaign;
  work: (ground: CampaignsGround, campaign: WorkingCampaign, batch: number) => Promise<number>;
}

/** Makes one claim after another. */
type Claims = <T>(claim: () => Promise<T>) => Promise<T>;

/**
 * Returns the turns of the claims of one campaign. Two lanes that claim at once share out the runs of one person, and the later run may then
 * be the first at a batch step. A second claim that waits for the first one finds only the runs behind it.
 */
function claimsInTurn(): Claims {
  let last: Promise<unknown> = Promise.resolve();
  return (claim) => {
    const mine = last.then(claim);
    last = mine.catch(() => {});
    return mine;
  };
}

/** Advances the runs that are due now, workspaces and campaigns in turns. Returns the milliseconds until the next run is due, at most `restMs`; 0 where more are due. */
export async function round(ground: CampaignsGround, restMs: number): Promise<number> {
  const now = ground.clock.now();
  const working = await workingCampaigns(ground.workDb, now);
  const due = working.filter(
    (one) => one.ending || one.settling || one.asking !== null || (one.due !== null && one.due <= now),
  );
  if (due.length === 0) {
    const next = working.flatMap((one) => (one.due === null ? [] : [one.due.getTime() - now.getTime()]));
    return Math.max(1, Math.min(restMs, ...next));
  }
  const queue = new Turns<Task>();
  const tasks = due.flatMap((one) => tasksOf(one, now));
  for (const one of tasks) queue.push(one.campaign.workspaceId, one);
  // Both lanes work for a campaign if it is the only one that is due.
  for (const one of tasks) if (queue.size < ALONE.lanes) queue.push(one.campaign.workspaceId, one);
  const until = performance.now() + ROUND_MS;
  let advanced = 0;
  async function lane(number: number): Promise<void> {
    for (;;) {
      const { batch, lanes } = paceOf(ground);
      const one = number < lanes ? queue.shift() : undefined;
      if (!one) return;
      const count = await take(ground, one, batch);
      advanced += count;
      if (count >= batch && performance.now() < until) queue.push(one.campaign.workspaceId, one);
    }
  }
  await atMost(ALONE.lanes, [...Array(ALONE.lanes).keys()], lane);
  // No run could be claimed: other processes hold them, or the workspace is suspended.
  return advanced > 0 ? 0 : restMs;
}

function tasksOf(campaign: WorkingCampaign, now: Date): Task[] {
  const due = campaign.due !== null && campaign.due <= now;
  return [
    ...(campaign.settling ? [{ campaign, work: settleBatchOf }] : []),
    ...(campaign.asking !== null ? [{ campaign, work: askBatchOf }] : []),
    ...(campaign.ending ? [{ campaign, work: endBatchOf }] : []),
    ...(due ? [{ campaign, work: advanceBatch(claimsInTurn()) }] : []),
  ];
}

/** Takes a batch of a campaign. A fault of one campaign must not delay the others. */
async function take(ground: CampaignsGround, { campaign, work }: Task, batch: number): Promise<number> {
  try {
    return await work(ground, campaign, batch);
  } catch (error) {
    const fields = { campaign_id: encodeId("cmp", campaign.campaignId), err: String(error) };
    ground.log.warn(fields, "the runs of a campaign could not advance");
    return 0;
  }
}

/** Returns the function that advances a batch of a campaign's due runs, and returns their number. */
const advanceBatch =
  (inTurn: Claims) =>
  async (ground: CampaignsGround, campaign: CampaignRef, batch: number): Promise<number> => {
    let claimed: RunRow[] = [];
    try {
      return await inTransaction(ground, campaign, async (tx, time, without) => {
        claimed = await inTurn(() => claimDue(tx, campaign, time, { limit: batch, without }));
        return claimed;
      });
    } catch (error) {
      if (claimed.length === 0 || isPassing(error)) throw error;
      ground.log.warn(
        { campaign_id: encodeId("cmp", campaign.campaignId), err: String(error) },
        "a batch of runs is repeated run by run",
      );
      for (const run of claimed) await advanceOne(ground, campaign, run);
      return claimed.length;
    }
  };

/** Advances one run of a batch that failed. A fault delays the run, and ends it after the last attempt. */
async function advanceOne(ground: CampaignsGround, campaign: CampaignRef, run: RunRow): Promise<void> {
  try {
    await inTransaction(ground, campaign, async (tx, time, without) => {
      const held = without.length > 0 ? undefined : await claimOne(tx, run, time);
      return held ? [held] : [];
    });
  } catch (error) {
    const now = ground.clock.now();
    ground.log.warn({ run_id: encodeId("run", run.id), err: String(error) }, "a run could not advance");
    // The fault is not the run's: the next round repeats it, and no attempt is counted.
    if (isPassing(error)) return;
    await ground.workDb.transaction(async (tx) => {
      const held = await holdActive(tx, campaign);
      if (!held) return;
      const time = timeOf(held, now);
      if (!(await claimOne(tx, run, time))) return;
      const wait = BACKOFF_MS[run.attempts] ?? 0;
      if (run.attempts + 1 < MOST_ATTEMPTS) await putOff(tx, run, new Date(time.clock.getTime() + wait));
      else await endOne(tx, run, { status: "failed", reason: reasonOf(error) }, now);
    });
  }
}

/** Runs advance together, and each is a span of its own trace. */
async function tracedAs({ traces }: CampaignsGround, runs: RunRow[], work: () => Promise<void>): Promise<void> {
  if (!traces.on) return work();
  const spans = runs.map(({ id }) =>
    traces.start("advance run", { kind: "consumer", of: id, attributes: { "tidings.run_id": encodeId("run", id) } }),
  );
  let failed: string | undefined;
  try {
    await work();
  } catch (error) {
    failed = (error as Error).name;
    throw error;
  } finally {
    for (const span of spans) span.end({}, failed);
  }
}

const MOST_REASON = 300;
const reasonOf = (error: unknown): string => `step_failed: ${String(error)}`.slice(0, MOST_REASON);

const timeOf = ({ behind }: HeldCampaign, now: Date): Time => ({ now, clock: new Date(now.getTime() - behind) });

/**
 * Advances the runs that `claim` locks. Until the transaction ends no people are merged and the campaign stays active. Returns their number.
 * @param claim it leaves out the runs of the given graphs, which this version does not support
 */
const inTransaction = (
  ground: CampaignsGround,
  campaign: CampaignRef,
  claim: (tx: Tx, time: Time, without: number[]) => Promise<RunRow[]>,
): Promise<number> =>
  ground.workDb.transaction(async (tx) => {
    const now = ground.clock.now();
    const [workspace, , held] = await Promise.all([
      workspaceById(tx, campaign.workspaceId),
      preventMerges(tx, campaign.workspaceId),
      holdActive(tx, campaign),
    ]);
    if (workspace?.status !== "active" || !held) return 0;
    const time = timeOf(held, now);
    const unsupported: number[] = [];
    for (;;) {
      const claimed = await claim(tx, time, unsupported);
      if (claimed.length === 0) return 0;
      const all = await byJourney(tx, campaign, await upToDate(tx, campaign, { claimed, graph: held.graph, time }));
      const groups = all.filter(({ published }) => isSupported(published.journey));
      const keys = groups.flatMap(({ runs }) => runs.map((run) => run.person_key));
      const heldBack = await lockLimits(tx, workspace, keys);
      const { people, busy } = await peopleOf(tx, campaign.workspaceId, { groups, now });
      let left = 0;
      for (const { published, runs } of groups) {
        const free = runs.filter((run) => !busy.has(run.person_key));
        left += runs.length - free.length;
        const batch = { tx, ground, workspace, published, time, heldBack };
        if (free.length > 0) await tracedAs(ground, free, () => advance(batch, free, people));
      }
      progressed(tx, campaign.workspaceId, encodeId("cmp", campaign.campaignId));
      if (groups.length > 0 || all.length === 0) return claimed.length - left;
      unsupported.push(...all.map(({ published }) => published.graph));
    }
  });

/** Returns the claimed runs that are still active, after those of earlier graphs were settled. */
async function upToDate(
  tx: Tx,
  campaign: CampaignRef,
  { claimed, graph, time }: { claimed: RunRow[]; graph: number; time: Time },
): Promise<RunRow[]> {
  const earlier = claimed.filter((run) => run.graph !== graph);
  if (earlier.length === 0) return claimed;
  return [...claimed.filter((run) => run.graph === graph), ...(await settle(tx, campaign, earlier, time))];
}

/** Runs of one graph, with the newest version of it. */
interface JourneyRuns {
  published: Published;
  runs: RunRow[];
}

async function byJourney(tx: Tx, campaign: CampaignRef, runs: RunRow[]): Promise<JourneyRuns[]> {
  const groups: JourneyRuns[] = [];
  for (const [graph, theirs] of Map.groupBy(runs, (run) => run.graph)) {
    const published = await publishedOf(tx, campaign.workspaceId, campaign.campaignId, graph);
    if (!published) throw new Error(`graph ${graph} of the campaign is not published`);
    groups.push({ published, runs: theirs });
  }
  return groups;
}

/**
 * Returns the people of these runs, and the keys of those whose runs are left to the next round: people whom another transaction changes now,
 * and those who were merged while their run began, until the run is that of the person who stayed. Where a step changes people, the batch locks
 * them before its first step and waits for nobody. A transaction with an identify and an event of one person locks the person and then the run;
 * a batch that holds the run and waits for the person would wait for ever.
 */
async function peopleOf(
  tx: Tx,
  workspaceId: string,
  { groups, now }: { groups: JourneyRuns[]; now: Date },
): Promise<{ people: Map<string, Person>; busy: Set<string> }> {
  const keys = [...new Set(groups.flatMap(({ runs }) => runs.map((run) => run.person_key)))];
  const changes = groups.some(({ published }) =>
    [...published.journey.nodes.values()].some(({ step }) => step.type === "update"),
  );
  const people = await (changes ? lockPeopleByKeys : findPeopleByKeys)(tx, keys);
  const others = keys.filter((key) => !people.has(key));
  if (others.length === 0) return { people, busy: new Set() };
  // The runs of erased people end.
  const locked = changes ? [...(await findPeopleByKeys(tx, others)).keys()] : [];
  const merges = await mergesSince(tx, workspaceId, others, lateSince(now));
  const merged = merges.map(({ from }) => from).filter((key) => !people.has(key));
  return { people, busy: new Set([...locked, ...merged]) };
}
