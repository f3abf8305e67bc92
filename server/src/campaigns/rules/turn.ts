import type { Journey, JourneyNode } from "@tidings/contract/campaigns/journey";
import { type Step, type StepOf, type StepType, stepShapes } from "@tidings/contract/campaigns/steps";
import { fieldOf, type FieldSources } from "./fields.ts";
import { durationMs } from "../../platform/time/duration.ts";
import { escalationOf, type SentMessages } from "./escalation.ts";
import { dateOf } from "./waits.ts";
import { windowAt } from "../../platform/time/window.ts";
import { type Held, isHeldReason } from "../../sendings/index.ts";

// Decides what a run does at a step. The engine loads the facts that the step needs, calls `turn`, and carries out the result. The functions
// are pure and take the time as an argument, so that a simulation can use them.

/** Two clocks. A campaign's own clock stands still while it is paused. */
export interface Time {
  /** For dates, windows and events. */
  now: Date;
  /** The campaign's own clock, for lengths of time. */
  clock: Date;
}

/** A run at a step. */
export interface RunAtStep extends FieldSources {
  /** When the run reached the step, by the campaign's own clock. */
  steppedAt: Date;
  /** The person's zone, see zoneOf. */
  zone: string;
}

/** The facts about one run that the engine loaded for the type of the step. */
export interface StepFacts {
  /** `exit_when` holds. */
  exits?: boolean;
  /** branch: the filter holds. */
  holds?: boolean;
  /** wait_until: the properties of the event, once it arrived. */
  event?: Record<string, unknown> | undefined;
  /** split: the name of the person's arm. */
  arm?: string;
  /** throttle: when the key may pass again; null where it may pass now. */
  roomAt?: Date | null;
  /** batch: the id of the run that gathers for this run, null where the run itself does, and the number of gathered runs. */
  batch?: { leader: string | null; count: number };
  /** message: the messages of the step that the person was sent so far. */
  messages?: SentMessages;
  /** webhook: the step's call is under way, or waits for its next attempt. */
  calling?: boolean;
  /** The outcome of the step's effect, once the engine has carried it out. */
  outcome?: Outcome;
}

/** The outcome of an effect for one person. */
export interface Outcome {
  /** The reason of a failure; undefined where the effect succeeded. */
  failed?: string | undefined;
  /** message: the person is in the holdout and gets no message of the step. */
  heldOut?: boolean;
  /** message: the messages that the person was sent so far. */
  messages?: SentMessages;
  /** message: the workspace's limits hold it back, and it waits. */
  held?: Held | undefined;
  /** The effect began something, and the run waits until it is over. */
  waits?: boolean;
}

/** The decision for a run at a step. */
export type Turn =
  /** Continue with a step; null: the run is completed. */
  | { kind: "go"; to: string | null; way: string | null; failed: string | null }
  /** Wait until a time or the event; null: until the step's call is over. `fixed`: the time is a date, which a pause of the campaign does not move. */
  | { kind: "wait"; until: Date | null; fixed: boolean; event: string | null }
  /**
   * The engine carries out the step's effect, and calls `turn` again with the outcome, until the turn is another one. `takeBack`: the
   * effect of a message step is not the next message, it takes back the messages at these positions.
   */
  | { kind: "effect"; takeBack?: number[] }
  /** `detail` is shown in the run's history. */
  | {
      kind: "end";
      status: "exited" | "completed";
      reason: string;
      failed: string | null;
      detail?: Record<string, unknown>;
    };

/**
 * An event may be recorded while the transaction that makes the run wait is still open. The run looks for the event again after this time:
 * by then each transaction that did not see the run waiting has ended.
 */
export const SECOND_LOOK_MS = 3_000;

/** Decides the next turn of a run. */
export function turn(node: JourneyNode, run: RunAtStep, facts: StepFacts, time: Time): Turn {
  if (facts.exits) return { kind: "end", status: "exited", reason: "exit_when", failed: null };
  const { step } = node;
  const decide = TURNS[step.type] as TurnOf<StepType>;
  return decide(node, step, { run, facts, time });
}

/** Whether a run that waits at this step waits for a date of its person, or for a time where the person is: both may change meanwhile. */
export const waitsByPerson = (step: Step): boolean =>
  step.type === "wait_window" || (step.type === "wait" && step.until !== undefined);

/** Whether a run that waits for such a time until `dueAt` would decide otherwise now. Such waits have no length of time, so the campaign's own clock does not matter. */
export function waitsNoLonger(node: JourneyNode, run: RunAtStep, dueAt: Date, now: Date): boolean {
  if (!waitsByPerson(node.step) || dueAt <= now) return false;
  const next = turn(node, run, {}, { now, clock: now });
  return next.kind !== "wait" || next.until?.getTime() !== dueAt.getTime();
}

const goOn = (node: JourneyNode): Turn => ({ kind: "go", to: node.next, way: null, failed: null });
const goOnFailed = (node: JourneyNode, reason: string): Turn => ({
  kind: "go",
  to: node.next,
  way: null,
  failed: reason,
});

/** Takes the way with this name. A removed arm leads to the step after the split. */
function takeWay(node: JourneyNode, name: string): Turn {
  const way = node.ways.find((one) => one.name === name);
  return { kind: "go", to: way ? way.to : node.next, way: name, failed: null };
}

const stayUntil = (at: Date | null, fixed: boolean, event: string | null = null): Turn => ({
  kind: "wait",
  until: at,
  fixed,
  event,
});

/** A run at a step, with its facts and the time. */
interface TurnInput {
  run: RunAtStep;
  facts: StepFacts;
  time: Time;
}
type TurnOf<T extends StepType> = (node: JourneyNode, step: StepOf<T>, input: TurnInput) => Turn;

/** A step with an effect. After a failure the run continues, unless the step says that it exits. */
const effect: TurnOf<"update" | "list" | "start" | "webhook"> = (node, step, { facts: { outcome } }) =>
  outcome ? afterEffect(node, step, outcome.failed) : { kind: "effect" };

function afterEffect(node: JourneyNode, { on_failure }: { on_failure?: string }, failed: string | undefined): Turn {
  if (failed === undefined) return goOn(node);
  if (on_failure !== "exit") return goOnFailed(node, failed);
  return { kind: "end", status: "exited", reason: "step_failed", failed };
}

const NOTHING_SENT: SentMessages = { tried: [], since: new Date(0) };

const message: TurnOf<"message"> = (node, step, { facts: { messages = NOTHING_SENT, outcome }, time: { clock } }) => {
  if (outcome?.heldOut) return goOn(node);
  if (outcome?.held) return stayUntil(outcome.held.until, true);
  const next = escalationOf(step, outcome?.messages ?? messages, clock);
  switch (next.kind) {
    case "send":
      return { kind: "effect" };
    case "take back":
      return { kind: "effect", takeBack: next.positions };
    case "wait":
      return stayUntil(next.until, false);
    case "over":
      // `on_failure` is for messages that fail. Of a message that is held back the author said that it is dropped.
      return isHeldReason(next.failed) ? goOnFailed(node, next.failed) : afterEffect(node, step, next.failed);
  }
};

const wait: TurnOf<"wait"> = (node, step, { run, time: { now, clock } }) => {
  if (step.for) {
    const over = new Date(run.steppedAt.getTime() + durationMs(step.for));
    return clock < over ? stayUntil(over, false) : goOn(node);
  }
  const at = dateOf(fieldOf(step.until ?? "", run), step.offset, run.zone);
  if (!at) return goOnFailed(node, "no_date");
  return now < at ? stayUntil(at, true) : goOn(node);
};

const waitUntil: TurnOf<"wait_until"> = (node, step, { run, facts: { event }, time: { clock } }) => {
  if (event) return takeWay(node, "then");
  const since = run.steppedAt.getTime();
  const over = since + (step.timeout ? durationMs(step.timeout) : 0);
  if (clock.getTime() >= over) return takeWay(node, "else");
  const secondLook = since + SECOND_LOOK_MS;
  return stayUntil(
    new Date(clock.getTime() < secondLook ? Math.min(secondLook, over) : over),
    false,
    step.event ?? null,
  );
};

const waitWindow: TurnOf<"wait_window"> = (node, step, { run, time: { now } }) => {
  const opens = windowAt(step, now, run.zone);
  return now < opens ? stayUntil(opens, true) : goOn(node);
};

const throttle: TurnOf<"throttle"> = (node, step, { facts: { roomAt } }) => {
  if (!roomAt) return goOn(node);
  if (step.otherwise === "wait") return stayUntil(roomAt, false);
  return { kind: "end", status: "exited", reason: "throttled", failed: null };
};

/** The first effect begins the call. When it is over the run is due again, and the second effect collects the answer. */
const webhook: TurnOf<"webhook"> = (node, step, input) =>
  input.facts.calling || input.facts.outcome?.waits ? stayUntil(null, false) : effect(node, step, input);

/**
 * The first run of a batch waits until the window is over or the batch is full; the effect collects what it gathered. A run that arrives
 * meanwhile ends here.
 */
const batch: TurnOf<"batch"> = (node, step, { run, facts: { batch, outcome }, time: { clock } }) => {
  const { leader, count } = batch ?? { leader: null, count: 1 };
  if (leader !== null)
    return { kind: "end", status: "completed", reason: "batched", failed: null, detail: { run_id: leader } };
  if (outcome) return goOn(node);
  const over = new Date(run.steppedAt.getTime() + (step.window ? durationMs(step.window) : 0));
  return clock < over && count < (step.max ?? Number.POSITIVE_INFINITY) ? stayUntil(over, false) : { kind: "effect" };
};

/** The decision for each type of step. */
const TURNS: { [T in StepType]: TurnOf<T> } = {
  message,
  update: effect,
  list: effect,
  start: effect,
  wait,
  wait_until: waitUntil,
  wait_window: waitWindow,
  branch: (node, _step, { facts: { holds } }) => takeWay(node, holds ? "then" : "else"),
  split: (node, _step, { facts: { arm } }) => takeWay(node, arm ?? ""),
  batch,
  webhook,
  throttle,
  exit: () => ({ kind: "end", status: "exited", reason: "exit", failed: null }),
};

/**
 * Whether this version of the service runs every step of a journey, with all fields. While two versions run at once, the newer one may
 * publish steps that the older one does not know. The workers of the older one leave these runs to those of the newer one.
 */
export const isSupported = ({ nodes }: Journey): boolean => [...nodes.values()].every(({ step }) => isKnown(step));

function isKnown(step: Step): boolean {
  if (!Object.hasOwn(TURNS, step.type)) return false;
  const fields = stepShapes[step.type].properties;
  return Object.keys(step).every((name) => Object.hasOwn(fields, name));
}
