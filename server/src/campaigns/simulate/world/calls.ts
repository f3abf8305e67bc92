import type { StepOf } from "@tidings/contract/campaigns/steps";
import { atMost } from "../../../platform/limits/at-most.ts";
import type { CallAnswer } from "../../calls/call-store.ts";
import type { Participant, StepResult, StepWork } from "../../engine/steps/batch.ts";
import { collect, composedFor } from "../../engine/steps/webhook.ts";
import { MOST_TEXT, outcomeOf, responseOf } from "../../rules/calls.ts";
import { runIn, type SimulatedAnswer, type SimulatedCall, type SimulatedResponse, type World } from "./world.ts";

type WebhookStep = StepOf<"webhook">;

/** How many calls are rendered at once. */
const RENDERS = 4;
const NO_BODY: SimulatedAnswer = { status: 200, body: null, error: null, retryAfter: null };
/** Waits between attempts are spread by 20 % in both directions. A simulation takes the middle. */
const NO_SPREAD = 0.5;

/**
 * Renders the calls of webhook steps and calls nobody. The answers of the input arrive at once, and attempts are repeated after the times of the
 * engine.
 */
export const webhook: StepWork<WebhookStep, World> = {
  async loadFacts({ calls }, step, participants) {
    return participants.map(({ run }) => {
      const call = calls.get(run.id);
      return { calling: call?.stepId === step.id && call.state === "pending" };
    });
  },
  act: (world, step, participants) =>
    atMost(RENDERS, participants, async (participant): Promise<StepResult> => {
      const { id: runId } = participant.run;
      const over = world.calls.get(runId);
      if (over?.stepId === step.id) return collected(world, participant, over);
      const composed = await composedIn(world, step, participant);
      if ("failure" in composed) return composed.failure;
      const { url, body } = composed.call;
      const made = { state: "pending", attempts: 0, at: world.time.now, answer: null } as const;
      world.calls.set(runId, { runId, stepId: step.id, url, body, ...made });
      return { waits: true, detail: { url, request: JSON.parse(body) } };
    }),
};

function collected(world: World, participant: Participant, call: SimulatedCall): StepResult {
  world.calls.delete(call.runId);
  return collect(participant, call.stepId, call);
}

/** A replay renders no calls, as it renders no messages. */
const composedIn = async (world: World, step: WebhookStep, participant: Participant) =>
  world.renders ? composedFor(world, step, participant) : { call: { url: step.url ?? "", body: "null" } };

/** Returns when the next attempt of a call is due, in milliseconds since 1970; infinity where none is. */
export function nextAttempt({ calls }: World): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { state, at } of calls.values()) if (state === "pending") next = Math.min(next, at.getTime());
  return next;
}

/** Makes the attempts that are due now. The runs of calls that are over are due then. Returns the people. */
export function makeCalls(world: World): string[] {
  const { now } = world.time;
  const due = [...world.calls.values()].filter(({ state, at }) => state === "pending" && at <= now);
  return due.flatMap((call) => {
    const { row } = runIn(world, call.runId);
    if (row.step_id !== call.stepId) {
      // The run has ended or gone on without it.
      world.calls.delete(call.runId);
      return [];
    }
    attempt(world, call);
    if (call.state !== "pending") Object.assign(row, { due_at: now, due_fixed: false });
    return [row.person_key];
  });
}

function attempt(world: World, call: SimulatedCall): void {
  const { now } = world.time;
  const response = world.responses.get(call.stepId);
  const { status, body, error, retryAfter } = answerTo(response, call.attempts++);
  const json = body === null ? "" : JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    ...(retryAfter !== null && { "retry-after": String(retryAfter) }),
  };
  const received = error === null ? { status, headers } : { status: null, headers: {} };
  const outcome = outcomeOf({ ...received, failure: error }, call.attempts, NO_SPREAD, now);
  if (outcome.kind === "answered") {
    const read = responseOf({ status, headers, body: Buffer.from(json), scrub: (text) => text });
    Object.assign(call, { state: "answered", answer: { status, response: read } });
    return;
  }
  call.answer = refusalOf({ ...received, error, text: json });
  if (outcome.kind === "failed") call.state = "failed";
  else {
    call.at = new Date(now.getTime() + outcome.waitMs);
    world.observer.attempted(runIn(world, call.runId).row, call);
  }
}

/** Returns the answer of an attempt, which is counted from 0. */
const answerTo = (response: SimulatedResponse | undefined, before: number): SimulatedAnswer =>
  response?.first[before] ?? response?.rest ?? NO_BODY;

const refusalOf = ({
  status,
  error,
  text,
}: {
  status: number | null;
  error: string | null;
  text: string;
}): CallAnswer => ({
  status,
  ...(error !== null ? { error } : text !== "" && { text: text.slice(0, MOST_TEXT).toWellFormed() }),
});
