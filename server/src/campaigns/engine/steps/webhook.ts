import { originOf } from "@tidings/contract/campaigns/origin";
import type { StepOf } from "@tidings/contract/campaigns/steps";
import { renderParts } from "../../../content/index.ts";
import { personView } from "../../../people/index.ts";
import { encodeId } from "../../../platform/ids.ts";
import { atMost } from "../../../platform/limits/at-most.ts";
import { type CallRow, insertCalls, pendingCalls, takeOver } from "../../calls/call-store.ts";
import { partsOf, shownValue, withTexts } from "../../rules/calls.ts";
import { CALLS_DUE } from "../../run/run.ts";
import { causeOf, failureOf, type Participant, type StepContext, type StepResult, type StepWork } from "./batch.ts";

type WebhookStep = StepOf<"webhook">;

/** How many calls are rendered at once. */
const RENDERS = 8;
const MOST_URL = 8_000;
/** The most characters of a body. */
const MOST_BODY = 256 * 1024;

/** A call for one run, as it is sent. */
export interface ComposedCall {
  url: string;
  body: string;
}

/** Renders the call of a run. A call that can't be made for this person is its outcome. @throws faults of the service */
export async function composedFor(
  context: StepContext,
  step: WebhookStep,
  participant: Participant,
): Promise<{ call: ComposedCall } | { failure: StepResult }> {
  try {
    return { call: await composeCall(context, step, participant) };
  } catch (error) {
    if (error instanceof CallProblem) return { failure: { failed: error.reason, detail: { message: error.message } } };
    return { failure: failureOf(error) };
  }
}

/** @throws CallProblem, Problem template_error */
async function composeCall(
  { workspace, published }: StepContext,
  step: WebhookStep,
  participant: Participant,
): Promise<ComposedCall> {
  const { run } = participant;
  const person = personView(participant.person);
  const turn = { workspaceId: workspace.id, kind: "bulk" } as const;
  const [url = "", ...texts] = await renderParts(partsOf(step), { ...causeOf(participant), person, turn });
  const { campaignId } = published;
  const ids = { id: encodeId("run", run.id), campaign_id: encodeId("cmp", campaignId), step_id: step.id };
  const body = step.body
    ? withTexts(step.body, texts)
    : { run: { ...ids, entered_at: run.entered_at.toISOString() }, person, trigger: run.data };
  return { url: checkedUrl(url, step), body: checkedBody(JSON.stringify(body)) };
}

/** @throws Problem if the rendered address is none, or has another host than the author wrote */
function checkedUrl(text: string, { url: authored = "" }: WebhookStep): string {
  const url = text.length <= MOST_URL && URL.canParse(text) ? new URL(text) : undefined;
  if (url && url.origin === originOf(authored)) return url.href;
  throw new CallProblem("url_invalid", "The rendered address is no address of the host that the step names.");
}

function checkedBody(text: string): string {
  if (text.length <= MOST_BODY) return text;
  throw new CallProblem("body_too_large", `The body has ${text.length} characters: ${MOST_BODY} are possible.`);
}

/** A call that can't be made for a person. */
class CallProblem extends Error {
  readonly reason: string;
  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Queues the calls of runs that arrive, and collects the answers of calls that are over. */
export const webhook: StepWork<WebhookStep> = {
  async loadFacts({ tx }, step, participants) {
    const runs = participants.map(({ run }) => run);
    const pending = new Set((await pendingCalls(tx, step.id, runs)).map(({ run_id }) => run_id));
    return runs.map(({ id }) => ({ calling: pending.has(id) }));
  },
  async act(batch, step, participants) {
    const { tx, published, time } = batch;
    const runs = participants.map(({ run }) => run);
    const over = new Map((await takeOver(tx, step.id, runs)).map((call) => [call.run_id, call]));
    const queued: Parameters<typeof insertCalls>[1] = [];
    const results = await atMost(RENDERS, participants, async (participant): Promise<StepResult> => {
      const call = over.get(participant.run.id);
      if (call) return collect(participant, step.id, call);
      const composed = await composedFor(batch, step, participant);
      if ("failure" in composed) return composed.failure;
      const { person_key, id: run_id } = participant.run;
      const { workspaceId: workspace_id, campaignId: campaign_id } = published;
      queued.push({ person_key, run_id, step_id: step.id, workspace_id, campaign_id, ...composed.call });
      return { waits: true, detail: sent(composed.call) };
    });
    if (queued.length > 0) {
      await insertCalls(tx, queued, time.now);
      tx.signal(CALLS_DUE, [published.campaignId]);
    }
    return results;
  },
};

/** Returns what the history shows of a call. */
const sent = ({ url, body }: ComposedCall) => ({ url, request: shownValue(JSON.parse(body)) });

/** Makes the answer of a call an output of the run, and returns what the history shows of it. */
export function collect(
  participant: Participant,
  stepId: string,
  call: ComposedCall & Pick<CallRow, "state" | "attempts" | "answer">,
): StepResult {
  const { status = null, response, error, text } = call.answer ?? {};
  const detail = { ...sent(call), attempts: call.attempts, status };
  if (call.state !== "answered" || response === undefined)
    return {
      failed: "webhook_failed",
      detail: { ...detail, ...(error && { error }), ...(text && { response: text }) },
    };
  const { outputs } = participant;
  participant.outputs = { ...outputs, [stepId]: { ...outputs[stepId], response } };
  return { detail: { ...detail, response: shownValue(response.body) } };
}
