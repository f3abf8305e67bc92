import type { JourneyNode } from "@tidings/contract/campaigns/journey";
import type { StepOf, StepType } from "@tidings/contract/campaigns/steps";
import { fieldOf, type Named } from "./fields.ts";
import { spanMs } from "./span.ts";
import { dateOf, windowAt } from "./waits.ts";

// What a run does at a step. The engine asks what the step needs to know, calls `turn`, and carries out what it says. Nothing here reads
// or writes, and time is an argument: a simulation walks the same way.

/** Two clocks. A campaign's own clock stands still while it is paused. */
export interface Time {
  /** For dates, windows and events. */
  now: Date;
  /** The campaign's own clock, for lengths of time. */
  clock: Date;
}

/** A run at a step. */
export interface Standing extends Named {
  /** When it came to the step, by the campaign's own clock. */
  steppedAt: Date;
  /** The person's zone, see zoneOf. */
  zone: string;
}

/** What the engine found out for one run, as far as the type of the step asks for it. */
export interface Facts {
  /** `exit_when` holds. */
  exits?: boolean;
  /** branch: the filter holds. */
  holds?: boolean;
  /** wait_until: the properties of the event, once it came. */
  event?: Record<string, unknown> | undefined;
  /** split: the name of the person's arm. */
  arm?: string;
  /** throttle: when the key has room again; null where it has room now. */
  roomAt?: Date | null;
  /** What became of the step's effect, once it was carried out. */
  outcome?: Outcome;
}

/** What became of an effect for one person. */
export interface Outcome {
  /** The reason where it failed. */
  failed?: string | undefined;
}

export type Turn =
  /** On to a step; null: the run is completed. */
  | { kind: "go"; to: string | null; way: string | null; failed: string | null }
  /** Stay until a time, or until the event. `fixed`: a date, which a pause of the campaign does not move. */
  | { kind: "wait"; until: Date; fixed: boolean; event: string | null }
  /** The engine carries out what the step does, and asks again with the outcome. */
  | { kind: "effect" }
  | { kind: "end"; status: "exited"; reason: string; failed: string | null };

/**
 * An event may be recorded while the step that waits for it is being written. The run looks again after this time: by then each
 * transaction that did not see it waiting has ended.
 */
export const SECOND_LOOK_MS = 3_000;

/** The next turn of a run. */
export function turn(node: JourneyNode, run: Standing, facts: Facts, time: Time): Turn {
  if (facts.exits) return { kind: "end", status: "exited", reason: "exit_when", failed: null };
  const { step } = node;
  const decide = TURNS[step.type] as TurnOf<StepType> | undefined;
  if (!decide) throw new Error(`steps of type ${step.type} are not run`);
  return decide(node, step, { run, facts, time });
}

const on = (node: JourneyNode): Turn => ({ kind: "go", to: node.next, way: null, failed: null });
const failed = (node: JourneyNode, reason: string): Turn => ({ kind: "go", to: node.next, way: null, failed: reason });

/** The way of this name. An arm that is gone leads on behind the step. */
function by(node: JourneyNode, name: string): Turn {
  const way = node.ways.find((one) => one.name === name);
  return { kind: "go", to: way ? way.to : node.next, way: name, failed: null };
}

const until = (at: Date, fixed: boolean, event: string | null = null): Turn => ({
  kind: "wait",
  until: at,
  fixed,
  event,
});

/** A run at a step, with what is known of it and the time. */
interface At {
  run: Standing;
  facts: Facts;
  time: Time;
}
type TurnOf<T extends StepType> = (node: JourneyNode, step: StepOf<T>, at: At) => Turn;

/** A step that does something. A failure is noted and the run goes on, unless the step says that it exits. */
const effect: TurnOf<"message" | "update" | "list" | "start"> = (node, step, { facts: { outcome } }) => {
  if (!outcome) return { kind: "effect" };
  if (outcome.failed === undefined) return on(node);
  if (step.on_failure !== "exit") return failed(node, outcome.failed);
  return { kind: "end", status: "exited", reason: "step_failed", failed: outcome.failed };
};

const wait: TurnOf<"wait"> = (node, step, { run, time: { now, clock } }) => {
  if (step.for) {
    const over = new Date(run.steppedAt.getTime() + spanMs(step.for));
    return clock < over ? until(over, false) : on(node);
  }
  const at = dateOf(fieldOf(step.until ?? "", run), step.offset, run.zone);
  if (!at) return failed(node, "no_date");
  return now < at ? until(at, true) : on(node);
};

const waitUntil: TurnOf<"wait_until"> = (node, step, { run, facts: { event }, time: { clock } }) => {
  if (event) return by(node, "then");
  const came = run.steppedAt.getTime();
  const over = came + (step.timeout ? spanMs(step.timeout) : 0);
  if (clock.getTime() >= over) return by(node, "else");
  const look = came + SECOND_LOOK_MS;
  return until(new Date(clock.getTime() < look ? Math.min(look, over) : over), false, step.event ?? null);
};

const waitWindow: TurnOf<"wait_window"> = (node, step, { run, time: { now } }) => {
  const opens = windowAt(step, now, run.zone);
  return now < opens ? until(opens, true) : on(node);
};

const throttle: TurnOf<"throttle"> = (node, step, { facts: { roomAt } }) => {
  if (!roomAt) return on(node);
  if (step.otherwise === "wait") return until(roomAt, false);
  return { kind: "end", status: "exited", reason: "throttled", failed: null };
};

/** The types that the engine runs. A step of another type is refused when a campaign is saved. */
const TURNS: { [T in StepType]?: TurnOf<T> } = {
  message: effect,
  update: effect,
  list: effect,
  start: effect,
  wait,
  wait_until: waitUntil,
  wait_window: waitWindow,
  branch: (node, _step, { facts: { holds } }) => by(node, holds ? "then" : "else"),
  split: (node, _step, { facts: { arm } }) => by(node, arm ?? ""),
  throttle,
  exit: () => ({ kind: "end", status: "exited", reason: "exit", failed: null }),
};

/** The types of steps that the engine runs. */
export const SUPPORTED: ReadonlySet<StepType> = new Set(Object.keys(TURNS) as StepType[]);
