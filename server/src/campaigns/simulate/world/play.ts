import { setImmediate as turn } from "node:timers/promises";
import type { SimulationStop, StepHappening } from "@tidings/contract/campaigns/simulate";
import { walk } from "../../engine/advance.ts";
import type { PassageRow } from "../../run/run.ts";
import { checkAudience } from "./audience.ts";
import { makeCalls, nextAttempt } from "./calls.ts";
import { Days } from "./days.ts";
import { DueRuns } from "./due.ts";
import { enterWorld, followPerson, noteOutcome, recordEvent } from "./react.ts";
import { WORLD_WORK } from "./steps.ts";
import { personIn, runIn, type SimulatedPerson, type World } from "./world.ts";

/** What happens to a person of the world, from outside. */
export type Happening = { at: Date; personKey: string } & (
  | { kind: "event"; name: string; properties: Record<string, unknown>; ts: Date }
  | { kind: "outcome"; stepId: string; happened: StepHappening }
  | { kind: "entry"; data: Record<string, unknown> }
  /** The person is created, and comes into the world. */
  | { kind: "joining"; person: SimulatedPerson }
);

/** What a world goes on for when nothing else happens. */
export interface Follow {
  /**
   * Until when each day lets people in. Without it such days end with the first entry, where nothing else is to come: a campaign of every
   * Monday would go on for years.
   */
  daysUntil?: Date;
  /** Each full hour all people are looked for in the audience of the trigger, as a sweep of the service looks for them. */
  everyHour: boolean;
}

/** Where a simulation stops. */
export interface Bounds {
  /** It goes on until this virtual time. */
  until: Date;
  /** Says why the simulation stops now; undefined where it goes on. */
  stops(): SimulationStop | undefined;
  follows?: Follow;
}

const HOUR_MS = 3_600_000;
const NEVER = Number.POSITIVE_INFINITY;

/** Runs that advance at once, as many as in a batch of the engine. */
const BATCH = 250;
/** The time after which other work of the process has its turn, in milliseconds. */
const TURN_MS = 20;

/**
 * Lets the world go on: its clock jumps to the next due run or happening, whichever is earlier. Returns why it stopped before all runs and
 * happenings were over; null where they are. @param happenings the earliest first
 */
export async function play(
  world: World,
  happenings: Happening[],
  { until, stops, follows = { everyHour: false } }: Bounds,
): Promise<SimulationStop | null> {
  const coming = [...happenings].reverse();
  const due = new DueRuns(world);
  const days = new Days(world, follows.daysUntil ?? until);
  let since = performance.now();
  for (const key of world.people.keys()) checkAudience(world, key);
  for (;;) {
    const stop = stops();
    if (stop !== undefined) return stop;
    const next = coming.at(-1);
    const dueAt = due.next() ?? NEVER;
    const callAt = nextAttempt(world);
    const soon = Math.min(next?.at.getTime() ?? NEVER, dueAt, callAt);
    const day = follows.daysUntil || soon < NEVER || someoneIsOutside(world) ? days.next() : undefined;
    const hour = follows.everyHour ? (Math.floor(world.time.now.getTime() / HOUR_MS) + 1) * HOUR_MS : NEVER;
    const at = Math.min(soon, day?.at ?? NEVER, hour);
    if (at === NEVER) return null;
    if (at > until.getTime()) return "until";
    const now = new Date(at);
    world.time = { now, clock: now };
    // What a run decides at this time comes before what happens at this time.
    const ids = dueAt === at ? due.take(at, BATCH) : [];
    const touched = new Set(ids.map((id) => runIn(world, id).row.person_key));
    if (ids.length > 0) await advanceRuns(world, ids);
    else if (callAt === at) for (const key of makeCalls(world)) touched.add(key);
    else if (next?.at.getTime() === at) {
      coming.pop();
      touched.add(next.personKey);
      happen(world, next);
    } else if (day?.at === at) for (const key of days.take(day)) touched.add(key);
    else for (const key of world.people.keys()) touched.add(key);
    for (const key of touched) {
      days.follow(key);
      checkAudience(world, key);
      followPerson(world, key);
      for (const id of personIn(world, key).runIds) due.add(id);
    }
    if (performance.now() - since < TURN_MS) continue;
    await turn();
    since = performance.now();
  }
}

/** Whether a person has not entered yet. */
const someoneIsOutside = ({ people }: World): boolean =>
  [...people.values()].some(({ enteredAt }) => enteredAt === undefined);

function happen(world: World, happening: Happening): void {
  const { personKey } = happening;
  if (happening.kind === "event") recordEvent(world, personKey, happening);
  else if (happening.kind === "joining") world.people.set(personKey, happening.person);
  else if (happening.kind === "entry") enterWorld(world, personKey, { data: happening.data });
  else noteOutcome(world, personKey, happening);
}

/** Advances due runs by the engine's `walk`, and keeps their new state. */
async function advanceRuns(world: World, ids: string[]): Promise<void> {
  const rows = ids.map((id) => runIn(world, id).row);
  const people = new Map(rows.map((row) => [row.person_key, personIn(world, row.person_key).facts.person]));
  const { updates, passages } = await walk(world, WORLD_WORK, rows, people);
  for (const delivery of world.queued.splice(0)) Object.assign(delivery, { status: "sent", sent_at: world.time.now });
  for (const { outputs, ...update } of updates)
    Object.assign(runIn(world, update.id).row, update, { attempts: 0, ...(outputs && { outputs }) });
  for (const passage of passages) {
    keepPassage(world, passage);
    world.observer.passed(passage, runIn(world, passage.run_id).row);
  }
  for (const { id } of updates) {
    const { row } = runIn(world, id);
    if (row.ended_at !== null)
      world.observer.ended(row, passages.findLast(({ run_id }) => run_id === id)?.step_id ?? null);
  }
}

/** Keeps a passage as `writePassages` writes it. */
function keepPassage(world: World, passage: PassageRow): void {
  const { passages } = runIn(world, passage.run_id);
  const before = passages.get(passage.step_id);
  passages.set(passage.step_id, {
    ...passage,
    entered_at: before?.entered_at ?? passage.entered_at,
    delivery_id: passage.delivery_id ?? before?.delivery_id ?? null,
    detail: passage.detail || before?.detail ? { ...before?.detail, ...passage.detail } : null,
  });
}
