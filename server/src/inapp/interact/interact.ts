import { type Entry, RECORDED, record } from "../../activity/index.ts";
import { hadNoEffect, isDeadlock } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { derivedId } from "../../platform/ids.ts";
import { gather } from "../../platform/work/gather.ts";
import { loadVersions } from "../definition/compiled.ts";
import { closesOnClick, type Version } from "../definition/version.ts";
import { Caps } from "../delivery/caps.ts";
import { capsOf, moveCaps } from "../delivery/caps-store.ts";
import { Counts } from "../delivery/counts.ts";
import { moveCounts } from "../delivery/counts-store.ts";
import { nextState, sameState } from "../delivery/delivery.ts";
import { type Move, moveAndLog, moveStates, type StateRow, statesOf } from "../delivery/store.ts";
import { entryOf, type InteractionOutcome, type InteractionRequest, type Report, trusted } from "./report.ts";

/** Returns the outcomes in the order of the reports; undefined where this person has no such delivery. */
export type Interact = (ask: InteractionRequest) => Promise<(InteractionOutcome | undefined)[]>;

/** In each round one of the competing nodes wins a delivery, so only more nodes than this, all at once, would run out of rounds. */
const MOST_ROUNDS = 50;

/**
 * Returns the function behind the interaction routes. The reports of many requests at once are decided and written together: it
 * reads the states, applies every report in order by `nextState`, and one guarded statement moves each delivery from the state
 * that was read to the new one, with the log in the same statement or transaction. If another node changed a delivery in
 * between, its reports are decided again on the new state, so max_impressions holds for any number of devices, and a repeat
 * counts once. The impressions per message and the record of the workspace's cap are written in the same transaction, each with
 * its own guard; only messages with limits, and workspaces with a cap, have them.
 */
export function interactor(ground: Ground): Interact {
  return gather<InteractionRequest, (InteractionOutcome | undefined)[]>(
    async (requests) => {
      const batch = new Batch(requests);
      for (let i = 0; i < MOST_ROUNDS; i++) if (await settle(ground, batch)) return batch.outcomes;
      throw new Problem("unavailable", "Too many reports on one delivery at once. Repeat the request after a second.", {
        headers: { "retry-after": "1" },
      });
    },
    { most: 64, retryAlone: hadNoEffect },
  );
}

/** One report of a batch, and the position of its outcome. */
interface PendingReport {
  request: InteractionRequest;
  report: Report;
  position: [request: number, report: number];
}

/**
 * The requests of one batch and the outcomes so far. A report is settled once; the pending ones are decided again in the next
 * round.
 */
class Batch {
  readonly outcomes: (InteractionOutcome | undefined)[][];
  /** The reports without an outcome, in the order in which they arrived. */
  readonly pending = new Set<PendingReport>();
  /** Ids of events that are in the log already. */
  readonly repeats = new Set<string>();
  constructor(requests: InteractionRequest[]) {
    this.outcomes = requests.map((request) => request.reports.map(() => undefined));
    requests.forEach((request, i) => {
      request.reports.forEach((report, j) => {
        this.pending.add({ request, report, position: [i, j] });
      });
    });
  }
}

/**
 * One delivery: the state that was read, the state after the reports, the log entries, and the outcomes to return once all is
 * written.
 */
interface DeliveryPlan extends Move {
  /** It has the delivery's cap and says which button closes it. */
  version: Version | undefined;
  entries: Entry[];
  settled: { pending: PendingReport; outcome: InteractionOutcome }[];
}

const changes = ({ from, to }: DeliveryPlan): boolean => !sameState(from, to);

/** Does one round: reads, decides, writes. Returns whether every report is settled. */
async function settle(ground: Ground, batch: Batch): Promise<boolean> {
  const now = ground.clock.now();
  const { plans, shared } = await planBatch(ground, batch, now);
  let moved: Set<Move>;
  try {
    // In shards Citus sends the rows that one statement has moved to each node, for the entries in the log that it also writes.
    moved = await (isPlain(plans, shared) && !ground.db.distributed
      ? writeAtOnce(ground, plans, now)
      : writeTogether(ground, plans, shared, now));
  } catch (error) {
    if (error instanceof Repeated) for (const id of error.ids) batch.repeats.add(id);
    else if (!(error instanceof Overtaken) && !isDeadlock(error)) throw error;
    return false;
  }
  for (const plan of plans) {
    if (changes(plan) && !moved.has(plan)) continue;
    for (const { pending, outcome } of plan.settled) {
      const [i, j] = pending.position;
      (batch.outcomes[i] as (InteractionOutcome | undefined)[])[j] = outcome;
      batch.pending.delete(pending);
    }
  }
  return batch.pending.size === 0;
}

/** These events were counted as new, but the log has them already. */
class Repeated extends Error {
  readonly ids: string[];
  constructor(ids: string[]) {
    super("repeated");
    this.ids = ids;
  }
}
/** Another node changed a row since it was read. */
class Overtaken extends Error {}

/**
 * The deliveries that change, sorted by id so that two nodes seldom wait for each other's rows; a remaining deadlock leads to a
 * new round.
 */
const movesOf = (plans: DeliveryPlan[]): DeliveryPlan[] => plans.filter(changes).sort((a, b) => (a.id < b.id ? -1 : 1));

/** The limits that deliveries share, with the reports that were applied so far. */
interface SharedLimits {
  caps: Caps;
  counts: Counts;
}

/** Whether one statement can write the deliveries: no shared limit changes, and no event has an id that the log may have already. */
const isPlain = (plans: DeliveryPlan[], { caps, counts }: SharedLimits): boolean =>
  caps.changed().length === 0 &&
  counts.changed().length === 0 &&
  plans.every((plan) => plan.entries.length === 0 || (changes(plan) && plan.entries.every((entry) => !entry.id)));

const entriesOf = (plans: DeliveryPlan[]): Entry[] => plans.flatMap((plan) => plan.entries);
const workspacesOf = (plans: DeliveryPlan[]): string[] => [
  ...new Set(entriesOf(plans).map(({ workspaceId }) => workspaceId)),
];

/** Writes by one statement, in a transaction only where a listener takes part. Returns the deliveries that moved. */
async function writeAtOnce({ db }: Ground, plans: DeliveryPlan[], now: Date): Promise<Set<Move>> {
  const moves = movesOf(plans);
  if (moves.length === 0) return new Set();
  if (db.isTaken(RECORDED, () => entriesOf(moves)))
    return db.transaction(async (tx) => {
      const moved = await moveAndLog(tx, moves, now);
      await tx.announce(RECORDED, workspacesOf(moves), () => entriesOf(moves.filter((plan) => moved.has(plan))));
      return moved;
    });
  const moved = await moveAndLog(db, moves, now);
  if (moved.size > 0) db.wake(RECORDED, workspacesOf(moves));
  return moved;
}

/** Writes all or nothing, in a transaction. Returns the deliveries that moved. @throws Overtaken, Repeated */
function writeTogether(ground: Ground, plans: DeliveryPlan[], shared: SharedLimits, now: Date): Promise<Set<Move>> {
  return ground.db.transaction(async (tx) => {
    const moves = movesOf(plans);
    const [records, counts] = [shared.caps.changed(), shared.counts.changed()];
    if (records.length > 0 && (await moveCaps(tx, records)).size < records.length) throw new Overtaken();
    if (counts.length > 0 && (await moveCounts(tx, counts, now)) < counts.length) throw new Overtaken();
    const moved = moves.length > 0 ? await moveStates(tx, moves, now) : new Set<Move>();
    // A delivery that did not move was not shown, so the records must not count it.
    if (records.length + counts.length > 0 && moved.size < moves.length) throw new Overtaken();
    const entries = plans.flatMap((plan) => (changes(plan) && !moved.has(plan) ? [] : plan.entries));
    const fresh = await record(tx, entries);
    const known = entries.flatMap(({ id }) => (id && !fresh.has(id) ? [id] : []));
    // The plans counted a repeat, so nothing of this round may be written.
    if (known.length > 0) throw new Repeated(known);
    return moved;
  });
}

interface Target {
  personKey: string;
  id: string;
  plan?: DeliveryPlan;
}

/**
 * Reads the deliveries of the pending reports and applies the reports to them. Reports on unknown deliveries are settled: not
 * found.
 */
async function planBatch(
  ground: Ground,
  batch: Batch,
  now: Date,
): Promise<{ plans: DeliveryPlan[]; shared: SharedLimits }> {
  const pending = [...batch.pending];
  const targets = new Map<string, Target>();
  const targetOf = pending.map(({ request: { personKey }, report: { deliveryId: id } }) => {
    const key = `${personKey} ${id}`;
    const target = targets.get(key) ?? { personKey, id };
    targets.set(key, target);
    return target;
  });
  const wanted = [...targets.values()];
  const capped = [...new Set(pending.flatMap(({ request }) => (request.cap ? request.personKey : [])))];
  const [rows, records] = await Promise.all([
    statesOf(ground.db, wanted),
    capped.length > 0 ? capsOf(ground.db, capped) : new Map(),
  ]);
  const there = rows.filter((row) => row !== undefined);
  const versions = await versionsOf(ground, pending, there);
  const plans: DeliveryPlan[] = [];
  wanted.forEach((target, i) => {
    const from = rows[i];
    if (!from) return;
    // The versions are in the order of the plans.
    target.plan = { id: target.id, from, version: versions[plans.length], to: from, entries: [], settled: [] };
    plans.push(target.plan);
  });
  const shared = { caps: new Caps(records, now), counts: new Counts() };
  const counted = new Set(batch.repeats);
  pending.forEach((one, i) => {
    const { plan } = targetOf[i] as Target;
    if (plan) applyReport(plan, one, { now, counted, shared });
    else batch.pending.delete(one);
  });
  return { plans, shared };
}

/** Returns the version of each delivery, which may be of any of the reports' workspaces. */
async function versionsOf(
  { db }: Ground,
  pending: PendingReport[],
  rows: StateRow[],
): Promise<(Version | undefined)[]> {
  const versions: (Version | undefined)[] = rows.map(() => undefined);
  for (const workspaceId of new Set(pending.map(({ request }) => request.workspaceId)))
    for (const [i, version] of (await loadVersions(db, workspaceId, rows)).entries()) versions[i] ??= version;
  return versions;
}

interface ApplyContext {
  now: Date;
  /** Ids of events that are counted already. */
  counted: Set<string>;
  shared: SharedLimits;
}

function applyReport(plan: DeliveryPlan, pending: PendingReport, { now, counted, shared }: ApplyContext): void {
  const { request, report } = pending;
  const id = report.eventId === undefined ? undefined : derivedId("interaction", plan.id, report.eventId);
  const result = id !== undefined && counted.has(id) ? undefined : decide(plan, pending, now, shared);
  if (result) {
    plan.to = result.state;
    // An impression that its click implied counts nothing, but it is logged as it happened, and its repeat must be recognized.
    if (result.recorded || report.type === "impression") {
      plan.entries.push(entryOf(request, report, { id, now }));
      if (id !== undefined) counted.add(id);
    }
  }
  plan.settled.push({ pending, outcome: { status: plan.to.status, recorded: result?.recorded ?? false } });
}

/** The delivery's state after a report, within the shared limits; undefined where the report changes nothing. */
function decide(
  { from, version, to }: DeliveryPlan,
  { request, report }: PendingReport,
  now: Date,
  { caps, counts }: SharedLimits,
) {
  const { personKey, cap } = request;
  const { type } = report;
  const left = from.shared_limits
    ? (version?.maxImpressions ?? 1) - counts.of(personKey, from)
    : Number.POSITIVE_INFINITY;
  const result = nextState(
    to,
    {
      type,
      closes: type === "click" && version !== undefined && closesOnClick(version.definition, report.action_id),
      at: trusted(report.ts, now)?.getTime(),
      now: now.getTime(),
    },
    {
      cap: Math.min(version?.cap ?? 1, to.impressions + left),
      oneTime: version?.definition.persistence.mode !== "persistent_until_dismissed",
    },
  );
  if (!result || result.state.impressions === to.impressions) return result;
  if (cap && version?.capped) {
    // A click or a dismissal proves that the message was seen, whatever the cap says. Only a mere impression is refused.
    if (type === "impression" && !caps.allows(personKey, cap)) return undefined;
    caps.count(personKey);
  }
  if (from.shared_limits) counts.add(personKey, from);
  return result;
}
