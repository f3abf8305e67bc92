import type { StepOf } from "@tidings/contract/campaigns/steps";
import { atMost } from "../../../platform/limits/at-most.ts";
import type { CallRow } from "../../calls/call-store.ts";
import type { Participant, StepResult, StepWork } from "../../engine/steps/batch.ts";
import { collect, composedFor } from "../../engine/steps/webhook.ts";
import { outcomeOf, responseOf } from "../../rules/calls.ts";
import type { SimulatedResponse, World } from "./world.ts";

type WebhookStep = StepOf<"webhook">;
type AnsweredCall = Pick<CallRow, "state" | "attempts" | "answer">;

/** How many calls are rendered at once. */
const RENDERS = 4;
const NO_BODY: SimulatedResponse = { status: 200, body: null };

/** Renders the calls of webhook steps and calls nobody. The answer of the input arrives at once, and no attempt follows. */
export const webhook: StepWork<WebhookStep, World> = {
  act(world, step, participants) {
    const answered = answeredCall(world.responses.get(step.id) ?? NO_BODY, world.time.now);
    return atMost(RENDERS, participants, async (participant): Promise<StepResult> => {
      const composed = await composedIn(world, step, participant);
      return "failure" in composed
        ? composed.failure
        : collect(participant, step.id, { ...composed.call, ...answered });
    });
  },
};

/** A replay renders no calls, as it renders no messages. */
const composedIn = async (world: World, step: WebhookStep, participant: Participant) =>
  world.renders ? composedFor(world, step, participant) : { call: { url: step.url ?? "", body: "null" } };

/** Returns a call with this answer, as the service stores it. */
function answeredCall({ status, body }: SimulatedResponse, now: Date): AnsweredCall {
  const json = body === null ? "" : JSON.stringify(body);
  const received = { status, headers: { "content-type": "application/json" }, body: Buffer.from(json) };
  const { kind } = outcomeOf({ ...received, failure: null }, 1, 0, now);
  if (kind === "answered") {
    const response = responseOf({ ...received, scrub: (text) => text });
    return { state: "answered", attempts: 1, answer: { status, response } };
  }
  return { state: "failed", attempts: 1, answer: { status, ...(json && { text: json }) } };
}
