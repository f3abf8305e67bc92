import type { InteractionType } from "@tidings/contract/inapp";
import type { InAppCap } from "@tidings/contract/workspaces";
import { type Entry, RECORDED, record } from "../activity/index.ts";
import { isRefusal } from "../platform/db/index.ts";
import { gather } from "../platform/gather.ts";
import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { derivedId } from "../platform/ids.ts";
import { Caps } from "./caps.ts";
import { capsOf, moveCaps } from "./caps-store.ts";
import { after, type State, same } from "./delivery.ts";
import { type Move, moveAndLog, moveStates, type StateRow, statesOf } from "./store.ts";
import { closesOnClick, knownVersion, loadVersions } from "./version.ts";

/** One report of a client. */
export interface Report {
  deliveryId: string;
  type: InteractionType;
  /** Identifies the report where the client repeats it: an event_id, or an Idempotency-Key. */
  eventId?: string;
  /** When it happened, as the client says. */
  ts?: Date;
  screen?: string | null | undefined;
  platform?: string | null | undefined;
  app_version?: string | null | undefined;
  action_id?: string | null | undefined;
  reason?: string | null | undefined;
}

export interface Outcome {
  status: string;
  recorded: boolean;
}

/** The reports of one request, in the order in which they happened. */
export interface Ask {
  workspaceId: string;
  personKey: string;
  reports: Report[];
  /** The workspace's cap, where it has one. */
  cap?: InAppCap | null;
}

/** Outcomes in order; undefined where this person has no such delivery. */
export type Interact = (ask: Ask) => Promise<(Outcome | undefined)[]>;

/** Each round one of those who contend for a delivery wins, so this many nodes would have to report on one delivery at once. */
const MOST_ROUNDS = 50;
const DEADLOCK = "40P01";
const AHEAD_MS = 5 * 60_000;
const BEHIND_MS = 7 * 86_400_000;

/**
 * Gives the function behind the interaction routes. What many requests report at once is decided and written together: the
 * states are read, `after` folds every report over them in order, and one guarded statement moves each delivery from the
 * state that was read to the new one, with the log in the same statement or transaction. Whoever was overtaken by another node decides
 * again on the new state, so max_impressions holds whatever the number of devices, and a repeat counts once. The record of
 * the workspace's cap is written in the same transaction under a guard of its own; only workspaces with a cap have one.
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

/** What a batch has settled so far. A report is settled once; the others are decided again in the next round. */
class Round {
  readonly asks: Ask[];
  readonly outcomes: (Outcome | undefined)[][];
  readonly open = new Set<Report>();
  /** Reports whose event the log knows already. */
  readonly repeats = new Set<Report>();
  constructor(asks: Ask[]) {
    this.asks = asks;
    this.outcomes = asks.map((ask) => ask.reports.map(() => undefined));
    for (const ask of asks) for (const report of ask.reports) this.open.add(report);
  }
}

interface Plan {
  row: StateRow;
  to: State;
  entries: { entry: Entry; report: Report }[];
  settled: { report: Report; place: [number, number]; outcome: Outcome }[];
}

const keyOf = (key: { personKey: string; id: string }) => `${key.personKey} ${key.id}`;

/** One round: reads, decides, writes. Gives whether every report is settled. */
async function decide(ground: Ground, round: Round): Promise<boolean> {
  const now = ground.clock.now();
  const { plans, caps } = await planned(ground, round, now);
  let moved: Set<string>;
  try {
    moved = await (isPlain(plans, caps) ? writeAtOnce(ground, plans, now) : writeTogether(ground, plans, caps, now));
  } catch (error) {
    if (error instanceof Repeated) for (const report of error.reports) round.repeats.add(report);
    else if (!(error instanceof Overtaken) && (error as { code?: unknown }).code !== DEADLOCK) throw error;
    return false;
  }
  for (const { row, to, settled } of plans.values()) {
    if (!same(row, to) && !moved.has(row.id)) continue;
    for (const { report, place, outcome } of settled) {
      (round.outcomes[place[0]] as (Outcome | undefined)[])[place[1]] = outcome;
      round.open.delete(report);
    }
  }
  return round.open.size === 0;
}

type Plans = Map<string, Plan>;

/** These were counted by the fold, and the log knows them from before. */
class Repeated extends Error {
  readonly reports: Report[];
  constructor(reports: Report[]) {
    super("repeated");
    this.reports = reports;
  }
}
class Overtaken extends Error {}

/** What changes, in one order for everybody, so that two nodes seldom wait for each other's rows; the deadlock that is left is a new round. */
function movesOf(plans: Plans): Move[] {
  const moves: Move[] = [];
  for (const { row, to } of plans.values()) {
    if (!same(row, to)) moves.push({ personKey: row.person_key, id: row.id, from: row, to });
  }
  return moves.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether each delivery stands for itself: no record of a cap changes with it, and no event has a name that the log may know. */
const isPlain = (plans: Plans, caps: Caps): boolean =>
  caps.changed().length === 0 &&
  [...plans.values()].every(
    ({ row, to, entries }) => entries.length === 0 || (!same(row, to) && entries.every(({ entry }) => !entry.id)),
  );

/** One statement. Gives the ids that moved. */
async function writeAtOnce(ground: Ground, plans: Plans, now: Date): Promise<Set<string>> {
  const moves = movesOf(plans);
  if (moves.length === 0) return new Set();
  const entries = [...plans.values()].flatMap((plan) => plan.entries.map(({ entry }) => entry));
  const moved = await moveAndLog(ground.db, moves, entries, now);
  if (moved.size > 0) ground.signals.publish(RECORDED, [...new Set(entries.map((entry) => entry.workspaceId))]);
  return moved;
}

/** All of it or nothing. Gives the ids that moved. @throws Overtaken, Repeated */
function writeTogether(ground: Ground, plans: Plans, caps: Caps, now: Date): Promise<Set<string>> {
  return ground.db.transaction(async (tx) => {
    const moves = movesOf(plans);
    const records = caps.changed();
    if (records.length > 0 && (await moveCaps(tx, records)).size < records.length) throw new Overtaken();
    const moved = moves.length > 0 ? await moveStates(tx, moves, now) : new Set<string>();
    // What did not move was not shown: the records must not say that it was.
    if (records.length > 0 && moved.size < moves.length) throw new Overtaken();
    const won = [...plans.values()].filter((plan) => same(plan.row, plan.to) || moved.has(plan.row.id));
    const entries = won.flatMap((plan) => plan.entries);
    const fresh = await record(
      tx,
      entries.map(({ entry }) => entry),
    );
    const known = entries.flatMap(({ entry, report }) => (entry.id && !fresh.has(entry.id) ? [report] : []));
    // A repeat was counted by the fold: nothing of this round may stay.
    if (known.length > 0) throw new Repeated(known);
    return moved;
  });
}

/** Reads the deliveries of the open reports and folds the reports over them. Reports on what nobody has are settled: not found. */
async function planned(ground: Ground, round: Round, now: Date): Promise<{ plans: Plans; caps: Caps }> {
  const wanted = new Map<string, { personKey: string; id: string }>();
  for (const { personKey, reports } of round.asks) {
    for (const report of reports) {
      const key = { personKey, id: report.deliveryId };
      if (round.open.has(report)) wanted.set(keyOf(key), key);
    }
  }
  const capped = [...new Set(round.asks.flatMap((ask) => (ask.cap ? ask.personKey : [])))];
  const [rows, records] = await Promise.all([
    statesOf(ground.db, [...wanted.values()]),
    capped.length > 0 ? capsOf(ground.db, capped) : new Map(),
  ]);
  const caps = new Caps(records, now);
  await loadAll(ground, round, rows);
  const plans = new Map<string, Plan>();
  for (const row of rows) {
    plans.set(keyOf({ personKey: row.person_key, id: row.id }), { row, to: row, entries: [], settled: [] });
  }
  const seen = new Set<string>();
  round.asks.forEach((ask, i) => {
    ask.reports.forEach((report, j) => {
      if (!round.open.has(report)) return;
      const plan = plans.get(keyOf({ personKey: ask.personKey, id: report.deliveryId }));
      if (plan) fold(plan, ask, report, [i, j], { now, seen, caps, repeats: round.repeats });
      else round.open.delete(report);
    });
  });
  return { plans, caps };
}

/** The versions say what a delivery's cap is and which button closes it. */
async function loadAll(ground: Ground, round: Round, rows: StateRow[]): Promise<void> {
  const missing = rows.filter((row) => !knownVersion(row.message_id, row.message_version));
  if (missing.length === 0) return;
  for (const workspaceId of new Set(round.asks.map((ask) => ask.workspaceId))) {
    await loadVersions(ground.db, workspaceId, missing);
  }
}

function fold(
  plan: Plan,
  ask: Ask,
  report: Report,
  place: [number, number],
  { now, seen, caps, repeats }: { now: Date; seen: Set<string>; caps: Caps; repeats: Set<Report> },
): void {
  const version = knownVersion(plan.row.message_id, plan.row.message_version);
  const id = report.eventId === undefined ? undefined : derivedId("interaction", plan.row.id, report.eventId);
  const repeated = repeats.has(report) || (id !== undefined && seen.has(id));
  const closes =
    report.type === "click" && version !== undefined && closesOnClick(version.definition, report.action_id);
  const limits = {
    cap: version?.cap ?? 1,
    oneTime: version?.definition.persistence.mode !== "persistent_until_dismissed",
  };
  let next = repeated ? undefined : after(plan.to, { type: report.type, closes }, limits);
  if (next && ask.cap && version?.capped && next.impressions > plan.to.impressions) {
    // A click or a dismissal proves that it was seen, whatever the cap says: only what merely claims so is refused.
    if (report.type === "impression" && !caps.allows(ask.personKey, ask.cap)) next = undefined;
    else caps.count(ask.personKey);
  }
  if (next) {
    plan.to = next;
    plan.entries.push({ entry: entryOf(plan.row, ask, report, now, id), report });
    if (id !== undefined) seen.add(id);
  }
  plan.settled.push({ report, place, outcome: { status: plan.to.status, recorded: next !== undefined } });
}

function entryOf(row: StateRow, ask: Ask, report: Report, now: Date, id: string | undefined): Entry {
  const data: Record<string, unknown> = {};
  for (const name of ["screen", "platform", "app_version", "action_id", "reason"] as const) {
    if (report[name] !== undefined && report[name] !== null) data[name] = report[name];
  }
  return {
    workspaceId: ask.workspaceId,
    personKey: row.person_key,
    deliveryId: row.id,
    type: `in_app.${report.type}`,
    at: plausible(report.ts, now),
    data,
    ...(id !== undefined && { id }),
  };
}

/** The client's time where it can be true, else the server's. It is for the log alone: the server's clock decides all rules. */
export function plausible(ts: Date | undefined, now: Date): Date {
  if (ts === undefined) return now;
  const ahead = ts.getTime() - now.getTime();
  return ahead > AHEAD_MS || ahead < -BEHIND_MS ? now : ts;
}
