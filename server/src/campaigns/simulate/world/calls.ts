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
      const call: SimulatedCall = {
        runId,
        stepId: step.id,
        url,
        body,
        state: "pending",
        attempts: 0,
        at: null,
        answer: null,
      };
      world.calls.set(runId, call);
      attempt(world, call);
      if (call.state !== "pending") return collected(world, participant, call);
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

/** Returns the call whose next attempt is due first; undefined where none waits for one. */
export function nextAttempt({ calls }: World): { at: number; call: SimulatedCall } | undefined {
  let next: { at: number; call: SimulatedCall } | undefined;
  for (const call of calls.values()) {
    const at = call.state === "pending" ? call.at?.getTime() : undefined;
    if (at !== undefined && (!next || at < next.at)) next = { at, call };
  }
  return next;
}

/** Repeats a call. If it is over, its run is due. Returns the person; undefined where the run no longer waits for the call. */
export function repeatCall(world: World, call: SimulatedCall): string | undefined {
  const { row } = runIn(world, call.runId);
  if (row.step_id !== call.stepId) {
    world.calls.delete(call.runId);
    return undefined;
  }
  attempt(world, call);
  if (call.state !== "pending") Object.assign(row, { due_at: world.time.now, due_fixed: false });
  return row.person_key;
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
