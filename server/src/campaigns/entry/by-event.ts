import { EVENTS_RECORDED, occurrenceOf } from "../../events/index.ts";
import { type Heard, listen, type Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { type EntranceIndex, type Entrances, graphKey, type EventListeners } from "../definition/entrances.ts";
import { durationMs } from "../../platform/time/duration.ts";
import { cancellationKeyOf, cancels, endsWait, isGoal, noEntryBy } from "../rules/events.ts";
import { endOne, endTheirs } from "../run/end-store.ts";
import { noteGoals } from "../run/goals-store.ts";
import { RUNS_DUE } from "../run/run.ts";
import { type Wake, waitingFor, wakeRuns, type WaitingRun } from "../run/wake-store.ts";
import { type Candidate, enter, runIdOf } from "./enter.ts";

type Event = NonNullable<(typeof EVENTS_RECORDED)["one"]>;

/** An event with the campaigns that listen to it. */
interface Happened {
  event: Event;
  listening: EventListeners;
  entrances: Entrances;
  /** Whom it lets in, as far as its filters say. */
  starts: Candidate[];
}

/**
 * Listens in the transaction that records events. Events end runs, reach goals, wake runs that wait for them, and let people in.
 * An event to which no campaign of the workspace listens costs one look-up in memory.
 */
export function hearsEvents(ground: Pick<Ground, "clock" | "traces">, index: EntranceIndex): Heard {
  return listen(EVENTS_RECORDED, {
    hears: "in the transaction",
    cares({ workspaceId, name }) {
      const known = index.cached(workspaceId);
      return known === undefined || known.byEvent.has(name);
    },
    async take(tx, events) {
      const entrances = await index.load(
        tx,
        events.map(({ workspaceId }) => workspaceId),
      );
      const now = ground.clock.now();
      const happened = events.flatMap((event) => {
        const theirs = entrances.get(event.workspaceId);
        const listening = theirs?.byEvent.get(event.name);
        return theirs && listening
          ? [{ event, listening, entrances: theirs, starts: startsOf(event, listening, now) }]
          : [];
      });
      const parts = inOrder(happened);
      for (const part of parts) await react(tx, part, now, { last: part === parts.at(-1) });
      if (ground.traces.on) for (const one of happened) carry(ground, one);
    },
  });
}

/** Makes the runs that an event may begin a part of the trace of the call that reported it. */
function carry({ traces }: Pick<Ground, "traces">, { event, starts }: Happened): void {
  const reported = traces.carried(occurrenceOf(event.personKey, event.name));
  for (const candidate of starts) traces.carry(runIdOf(candidate), reported);
}

/**
 * Splits a batch so that an event that ends a run is in a later part than the event that began it: one transaction may record an order
 * and its cancellation. Nearly all batches stay one part.
 */
function inOrder(happened: Happened[]): Happened[][] {
  const parts: Happened[][] = [[]];
  let began = new Set<string>();
  for (const one of happened) {
    const { event, listening } = one;
    if (began.has(event.personKey) && (listening.cancels.length > 0 || listening.goals.length > 0)) {
      parts.push([]);
      began = new Set();
    }
    parts.at(-1)?.push(one);
    if (one.starts.length > 0) began.add(event.personKey);
  }
  return parts;
}

async function react(tx: Tx, happened: Happened[], now: Date, { last }: { last: boolean }): Promise<void> {
  await cancel(tx, happened, now);
  await reach(tx, happened, now);
  await wake(tx, happened, now);
  const candidates = happened.flatMap(({ starts }) => starts);
  if (candidates.length > 0) await enter(tx, candidates, now, { last });
}

function startsOf(event: Event, listening: EventListeners, now: Date): Candidate[] {
  return listening.starts.flatMap((published) => {
    if (noEntryBy(published.definition, event, now) !== undefined) return [];
    const { personKey, id, properties } = event;
    return [
      { published, personKey, cause: `event ${id}`, data: properties, cancellationKey: cancellationKeyOf(event) },
    ];
  });
}

async function cancel(tx: Tx, happened: Happened[], now: Date): Promise<void> {
  const theirs = happened.flatMap(({ event, listening }) =>
    listening.cancels
      .filter(({ definition }) => cancels(definition, event, now))
      .map(({ campaignId }) => ({
        personKey: event.personKey,
        campaignId,
        cancellationKey: cancellationKeyOf(event) ?? null,
      })),
  );
  if (theirs.length > 0) await endTheirs(tx, theirs, { status: "canceled", reason: "cancel_on" }, now);
}

async function reach(tx: Tx, happened: Happened[], now: Date): Promise<void> {
  const exits = new Set<string>();
  const reached = happened.flatMap(({ event, listening }) =>
    listening.goals.flatMap(({ campaignId, definition: { goal } }) => {
      if (!goal || !isGoal(goal, event, now)) return [];
      if (goal.exit) exits.add(campaignId);
      return [{ personKey: event.personKey, campaignId, ts: event.ts, withinMs: durationMs(goal.within) }];
    }),
  );
  if (reached.length === 0) return;
  for (const run of await noteGoals(tx, reached))
    if (exits.has(run.campaign_id)) await endOne(tx, run, { status: "exited", reason: "goal" }, now);
}

async function wake(tx: Tx, happened: Happened[], now: Date): Promise<void> {
  const awaited = happened.filter(({ listening }) => listening.waited);
  if (awaited.length === 0) return;
  const waiting = await waitingFor(
    tx,
    awaited.map(({ event }) => ({ personKey: event.personKey, name: event.name })),
  );
  const wakes = waiting.flatMap((run): Wake[] => {
    const by = awaited.find((one) => ends(one, run, now));
    return by ? [{ run, properties: by.event.properties }] : [];
  });
  if (wakes.length === 0) return;
  const campaigns = await wakeRuns(tx, wakes, now);
  if (campaigns.length > 0) tx.signal(RUNS_DUE, campaigns);
}

/** Returns whether an event ends the waiting of a run. */
function ends({ event, entrances }: Happened, run: WaitingRun, now: Date): boolean {
  if (event.personKey !== run.person_key || event.name !== run.waits_for) return false;
  const step = entrances.graphs.get(graphKey(run.campaign_id, run.graph))?.journey.nodes.get(run.step_id ?? "")?.step;
  return step?.type === "wait_until" && endsWait(step, event, run, now);
}
