import type { StepHappening } from "@tidings/contract/campaigns/simulate";
import { durationMs } from "../../../platform/time/duration.ts";
import { derivedId } from "../../../platform/ids.ts";
import { cancellationKeyOf, cancels, endsWait, type HappenedEvent, isGoal, noEntryBy } from "../../rules/events.ts";
import { gateOf, mayEnter } from "../../rules/reentry.ts";
import { waitsNoLonger } from "../../rules/turn.ts";
import { endedFields, runAtStep } from "../../run/run.ts";
import { personIn, runIn, type SimulatedRun, type World } from "./world.ts";

// What `entry` and the statements of run/end-store.ts, run/goals-store.ts and run/wake-store.ts do, over the world in memory.

/** Lets a person in, if `reentry` allows it. Returns the run that begins. */
export function enterWorld(
  world: World,
  personKey: string,
  { data, cancellationKey = null }: { data: Record<string, unknown>; cancellationKey?: string | null },
): SimulatedRun | undefined {
  const { published, time, runs } = world;
  const { now } = time;
  const person = personIn(world, personKey);
  const stepId = published.journey.first;
  if (stepId === null) return undefined;
  if (!mayEnter(gateOf(published.definition.reentry, now), person.enteredAt)) {
    world.observer.refused(personKey, "already_entered");
    return undefined;
  }
  person.enteredAt = now;
  const id = derivedId("simulated run", published.campaignId, personKey, String(runs.size));
  const run: SimulatedRun = {
    row: {
      person_key: personKey,
      id,
      workspace_id: published.workspaceId,
      campaign_id: published.campaignId,
      graph: published.graph,
      status: "active",
      reason: null,
      step_id: stepId,
      data,
      outputs: {},
      cancellation_key: cancellationKey,
      entered_at: now,
      stepped_at: now,
      waits_for: null,
      due_at: now,
      due_fixed: false,
      escalation: null,
      escalated_at: null,
      attempts: 0,
      goal_at: null,
      ended_at: null,
    },
    passages: new Map(),
    deliveries: new Map(),
  };
  runs.set(id, run);
  person.runIds.push(id);
  world.observer.entered(run.row);
  return run;
}

/** Records an event of a person: it ends runs, reaches goals, wakes runs, and lets the person in, in this order, as in entry/by-event.ts. */
export function recordEvent(world: World, personKey: string, event: HappenedEvent): void {
  const { definition } = world.published;
  const { now } = world.time;
  const person = personIn(world, personKey);
  person.happened.push(event);
  person.facts.events.push(event);
  const runs = person.runIds.map((id) => runIn(world, id));
  world.observer.happened(personKey, event);
  if (definition.cancel_on?.event === event.name && cancels(definition, event, now)) {
    const key = cancellationKeyOf(event);
    for (const run of runs)
      if (key === undefined || run.row.cancellation_key === key)
        endRun(world, run, { status: "canceled", reason: "cancel_on" });
  }
  reachGoal(world, runs, event);
  for (const { row } of runs) wake(world, row, event);
  if (definition.trigger.type !== "event" || definition.trigger.name !== event.name) return;
  const refused = noEntryBy(definition, event, now);
  if (refused !== undefined) {
    world.observer.refused(personKey, refused);
    return;
  }
  enterWorld(world, personKey, { data: event.properties, cancellationKey: cancellationKeyOf(event) ?? null });
}

function reachGoal(world: World, runs: SimulatedRun[], event: HappenedEvent): void {
  const { goal } = world.published.definition;
  const { now } = world.time;
  if (!goal || goal.event !== event.name || !isGoal(goal, event, now)) return;
  const since = event.ts.getTime() - durationMs(goal.within);
  for (const run of runs) {
    const { row } = run;
    const isOutside = row.entered_at.getTime() < since || row.entered_at > event.ts;
    // A late event that happened earlier moves the goal back.
    if (isOutside || (row.goal_at !== null && row.goal_at <= event.ts)) continue;
    row.goal_at = event.ts;
    world.observer.reachedGoal(row);
    if (goal.exit) endRun(world, run, { status: "exited", reason: "goal" });
  }
}

function wake({ published, time: { now } }: World, row: SimulatedRun["row"], event: HappenedEvent): void {
  if (row.waits_for !== event.name) return;
  const step = published.journey.nodes.get(row.step_id ?? "")?.step;
  if (step?.type !== "wait_until" || !endsWait(step, event, row, now)) return;
  row.outputs = { ...row.outputs, [step.id]: { ...row.outputs[step.id], event: event.properties } };
  row.waits_for = null;
  row.due_fixed = false;
  row.due_at = now;
}

/** Lets the runs of a person decide again that would wait for another time now, as entry/follow.ts does. */
export function followPerson(world: World, personKey: string): void {
  const { facts, runIds } = personIn(world, personKey);
  const { published } = world;
  const { now } = world.time;
  for (const { row } of runIds.map((id) => runIn(world, id))) {
    const node = published.journey.nodes.get(row.step_id ?? "");
    if (!node || !row.due_fixed || row.due_at === null) continue;
    const run = runAtStep(world, { run: row, person: facts.person, steppedAt: row.stepped_at });
    if (waitsNoLonger(node, run, row.due_at, now)) Object.assign(row, { due_at: now, due_fixed: false });
  }
}

/** Ends an active run before its last step. */
export function endRun(
  world: World,
  { row, passages }: SimulatedRun,
  how: { status: "canceled" | "exited"; reason: string },
): void {
  const { now } = world.time;
  if (row.ended_at !== null || row.step_id === null) return;
  const { step_id } = row;
  const before = passages.get(step_id);
  passages.set(step_id, {
    person_key: row.person_key,
    run_id: row.id,
    step_id,
    workspace_id: row.workspace_id,
    campaign_id: row.campaign_id,
    entered_at: row.stepped_at,
    way: null,
    delivery_id: null,
    deliveries: null,
    detail: null,
    ...before,
    left_at: now,
    state: "exited",
    reason: how.reason,
  });
  Object.assign(row, how, endedFields(now));
  world.observer.ended(row, step_id);
}

/** Statuses of deliveries that the person gets. */
const ARRIVES: ReadonlySet<string> = new Set(["queued", "sent"]);

/** Records the outcome of a step's message: of the newest run of the person that sent it. */
export function noteOutcome(
  world: World,
  personKey: string,
  { stepId, happened }: { stepId: string; happened: StepHappening },
): void {
  const { now } = world.time;
  const all = personIn(world, personKey).runIds.flatMap((id) => {
    const run = runIn(world, id);
    return [...run.deliveries].map(([deliveryId, delivery]) => ({ run, deliveryId, delivery }));
  });
  const newest = all.findLast(({ delivery }) => delivery.stepId === stepId && ARRIVES.has(delivery.status));
  if (newest) {
    const { run, deliveryId, delivery } = newest;
    if (happened === "failed") Object.assign(delivery, { status: "failed", sent_at: null });
    else if (happened === "clicked") delivery.clicked_at = now;
    else if (delivery.channel === "in_app") delivery.shown_at = now;
    else delivery.opened_at = now;
    if (run.row.escalation?.includes(deliveryId)) run.row.due_at = now;
  }
  world.observer.outcome(stepId, newest?.run.row, happened);
}
