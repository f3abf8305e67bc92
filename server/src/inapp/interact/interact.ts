import { type Entry, RECORDED, record } from "../../activity/index.ts";
import { isRefusal } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import { derivedId } from "../../platform/ids.ts";
import { gather } from "../../platform/work/gather.ts";
import { closesOnClick, knownVersion, loadVersions } from "../definition/version.ts";
import { Caps } from "../delivery/caps.ts";
import { capsOf, moveCaps } from "../delivery/caps-store.ts";
import { Counts } from "../delivery/counts.ts";
import { moveCounts } from "../delivery/counts-store.ts";
import { after, same } from "../delivery/delivery.ts";
import { type Move, moveAndLog, moveStates, type StateRow, statesOf } from "../delivery/store.ts";
import { type Ask, entryOf, type Outcome, type Report, trusted } from "./report.ts";

/** Outcomes in order; undefined where this person has no such delivery. */
export type Interact = (ask: Ask) => Promise<(Outcome | undefined)[]>;

/** Each round one of those who contend for a delivery wins, so this many nodes would have to report on one delivery at once. */
const MOST_ROUNDS = 50;
const DEADLOCK = "40P01";

/**
 * Gives the function behind the interaction routes. What many requests report at once is decided and written together: the
 * states are read, `after` folds every report over them in order, and one guarded statement moves each delivery from the
 * state that was read to the new one, with the log in the same statement or transaction. Whoever was overtaken by another node decides
 * again on the new state, so max_impressions holds whatever the number of devices, and a repeat counts once. How often the
 * person was shown the message in all, and the record of the workspace's cap, are written in the same transaction under guards
 * of their own; only messages with limits, and workspaces with a cap, have them.
 */
export function interactor(ground: Ground): Interact {
  return gather<Ask, (Outcome | undefined)[]>(
    async (asks) => {
      const round = new Round(asks);
      for (let i = 0; i < MOST_ROUNDS; i++) if (await decide(ground, round)) return round.outcomes;
      throw new Problem("unavailable", "Too many reports on one delivery at once. Repeat the request after a second.", {
        headers: { "retry-after": "1" },
      });
    },
    { most: 64, retryAlone: isRefusal },
  );
}

/** One report of a batch, and where its outcome goes. */
interface Asked {
  ask: Ask;
  report: Report;
  place: [number, number];
}

/** What a batch has settled so far. A report is settled once; the others are decided again in the next round. */
class Round {
  readonly outcomes: (Outcome | undefined)[][];
  /** In the order in which they came. */
  readonly open = new Set<Asked>();
  /** Events that the log knows already. */
  readonly repeats = new Set<string>();
  constructor(asks: Ask[]) {
    this.outcomes = asks.map((ask) => ask.reports.map(() => undefined));
    asks.forEach((ask, i) => {
      ask.reports.forEach((report, j) => {
        this.open.add({ ask, report, place: [i, j] });
      });
    });
  }
}

/** One delivery: as it was read, as the reports leave it, and what they are told once that is written. */
interface Plan extends Move {
  entries: Entry[];
  settled: { asked: Asked; outcome: Outcome }[];
}

const changes = ({ from, to }: Plan): boolean => !same(from, to);

/** One round: reads, decides, writes. Gives whether every report is settled. */
async function decide(ground: Ground, round: Round): Promise<boolean> {
  const now = ground.clock.now();
  const { plans, shared } = await planned(ground, round, now);
  let moved: Set<Move>;
  try {
    moved = await (isPlain(plans, shared)
      ? writeAtOnce(ground, plans, now)
      : writeTogether(ground, plans, shared, now));
  } catch (error) {
    if (error instanceof Repeated) for (const id of error.ids) round.repeats.add(id);
    else if (!(error instanceof Overtaken) && (error as { code?: unknown }).code !== DEADLOCK) throw error;
    return false;
  }
  for (const plan of plans) {
    if (changes(plan) && !moved.has(plan)) continue;
    for (const { asked, outcome } of plan.settled) {
      const [i, j] = asked.place;
      (round.outcomes[i] as (Outcome | undefined)[])[j] = outcome;
      round.open.delete(asked);
    }
  }
  return round.open.size === 0;
}

/** These were counted by the fold, and the log knows them from before. */
class Repeated extends Error {
  readonly ids: string[];
  constructor(ids: string[]) {
    super("repeated");
    this.ids = ids;
  }
}
class Overtaken extends Error {}

/** What changes, in one order for everybody, so that two nodes seldom wait for each other's rows; the deadlock that is left is a new round. */
const movesOf = (plans: Plan[]): Plan[] => plans.filter(changes).sort((a, b) => (a.id < b.id ? -1 : 1));

/** What deliveries share, as the reports leave it. */
interface Shared {
  caps: Caps;
  counts: Counts;
}

/** Whether each delivery stands for itself: nothing shared changes with it, and no event has a name that the log may know. */
const isPlain = (plans: Plan[], { caps, counts }: Shared): boolean =>
  caps.changed().length === 0 &&
  counts.changed().length === 0 &&
  plans.every((plan) => plan.entries.length === 0 || (changes(plan) && plan.entries.every((entry) => !entry.id)));

/** One statement. Gives what moved. */
async function writeAtOnce(ground: Ground, plans: Plan[], now: Date): Promise<Set<Move>> {
  const moves = movesOf(plans);
  if (moves.length === 0) return new Set();
  const moved = await moveAndLog(ground.db, moves, now);
  if (moved.size > 0)
    ground.signals.publish(RECORDED, [...new Set(moves.flatMap((plan) => plan.entries.map((e) => e.workspaceId)))]);
  return moved;
}

/** All of it or nothing. Gives what moved. @throws Overtaken, Repeated */
function writeTogether(ground: Ground, plans: Plan[], shared: Shared, now: Date): Promise<Set<Move>> {
  return ground.db.transaction(async (tx) => {
    const moves = movesOf(plans);
    const [records, counts] = [shared.caps.changed(), shared.counts.changed()];
    if (records.length > 0 && (await moveCaps(tx, records)).size < records.length) throw new Overtaken();
    if (counts.length > 0 && (await moveCounts(tx, counts, now)) < counts.length) throw new Overtaken();
    const moved = moves.length > 0 ? await moveStates(tx, moves, now) : new Set<Move>();
    // What did not move was not shown: the records must not say that it was.
    if (records.length + counts.length > 0 && moved.size < moves.length) throw new Overtaken();
    const entries = plans.flatMap((plan) => (changes(plan) && !moved.has(plan) ? [] : plan.entries));
    const fresh = await record(tx, entries);
    const known = entries.flatMap(({ id }) => (id && !fresh.has(id) ? [id] : []));
    // A repeat was counted by the fold: nothing of this round may stay.
    if (known.length > 0) throw new Repeated(known);
    return moved;
  });
}

interface Target {
  personKey: string;
  id: string;
  plan?: Plan;
}

/** Reads the deliveries of the open reports and folds the reports over them. Reports on what nobody has are settled: not found. */
async function planned(ground: Ground, round: Round, now: Date): Promise<{ plans: Plan[]; shared: Shared }> {
  const open = [...round.open];
  const targets = new Map<string, Target>();
  const targetOf = open.map(({ ask: { personKey }, report: { deliveryId: id } }) => {
    const key = `${personKey} ${id}`;
    const target = targets.get(key) ?? { personKey, id };
    targets.set(key, target);
    return target;
  });
  const wanted = [...targets.values()];
  const capped = [...new Set(open.flatMap(({ ask }) => (ask.cap ? ask.personKey : [])))];
  const [rows, records] = await Promise.all([
    statesOf(ground.db, wanted),
    capped.length > 0 ? capsOf(ground.db, capped) : new Map(),
  ]);
  await loadAll(ground, open, rows);
  const plans: Plan[] = [];
  wanted.forEach((target, i) => {
    const from = rows[i];
    if (!from) return;
    target.plan = { id: target.id, from, to: from, entries: [], settled: [] };
    plans.push(target.plan);
  });
  const shared = { caps: new Caps(records, now), counts: new Counts() };
  const seen = new Set(round.repeats);
  open.forEach((asked, i) => {
    const { plan } = targetOf[i] as Target;
    if (plan) fold(plan, asked, { now, seen, shared });
    else round.open.delete(asked);
  });
  return { plans, shared };
}

/** The versions say what a delivery's cap is and which button closes it. */
async function loadAll(ground: Ground, open: Asked[], rows: (StateRow | undefined)[]): Promise<void> {
  const missing = rows.filter((row) => row !== undefined && !knownVersion(row.message_id, row.message_version));
  if (missing.length === 0) return;
  for (const workspaceId of new Set(open.map(({ ask }) => ask.workspaceId))) {
    await loadVersions(ground.db, workspaceId, missing as StateRow[]);
  }
}

interface Folding {
  now: Date;
  /** Events that are counted already. */
  seen: Set<string>;
  shared: Shared;
}

function fold(plan: Plan, asked: Asked, { now, seen, shared }: Folding): void {
  const { ask, report } = asked;
  const id = report.eventId === undefined ? undefined : derivedId("interaction", plan.id, report.eventId);
  const told = id !== undefined && seen.has(id) ? undefined : decided(plan, asked, now, shared);
  if (told) {
    plan.to = told.state;
    // An impression that its click implied counts nothing, but it is what happened, and its repeat must be known.
    if (told.recorded || report.type === "impression") {
      plan.entries.push(entryOf(plan.id, ask, report, now, id));
      if (id !== undefined) seen.add(id);
    }
  }
  plan.settled.push({ asked, outcome: { status: plan.to.status, recorded: told?.recorded ?? false } });
}

/** What the delivery makes of a report, within what is shared; undefined where it changes nothing. */
function decided({ from, to }: Plan, { ask, report }: Asked, now: Date, { caps, counts }: Shared) {
  const { personKey, cap } = ask;
  const { type } = report;
  const version = knownVersion(from.message_id, from.message_version);
  const left = from.shared_limits ? (version?.most ?? 1) - counts.of(personKey, from) : Number.POSITIVE_INFINITY;
  const told = after(
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
  if (!told || told.state.impressions === to.impressions) return told;
  if (cap && version?.capped) {
    // A click or a dismissal proves that it was seen, whatever the cap says: only what merely claims so is refused.
    if (type === "impression" && !caps.allows(personKey, cap)) return undefined;
    caps.count(personKey);
  }
  if (from.shared_limits) counts.add(personKey, from);
  return told;
}
