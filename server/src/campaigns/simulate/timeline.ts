import type { SimulatedMessage, TimelineEntry } from "@tidings/contract/campaigns/simulate";
import type { Channel } from "@tidings/contract/facts/activity";
import { summaryOf } from "@tidings/contract/campaigns/summary";
import type { Rehearsed } from "../../sendings/index.ts";
import { durationMs } from "../../platform/time/duration.ts";
import type { CallAnswer } from "../calls/call-store.ts";
import type { Published } from "../definition/published.ts";
import { shownValue } from "../rules/calls.ts";
import type { PassageRow, RunRow } from "../run/run.ts";
import type { Observer, Verdicts, World } from "./world/world.ts";

type Entry = Omit<TimelineEntry, "at">;

const EMPTY = {
  run: null,
  step_id: null,
  step_type: null,
  asked: null,
  way: null,
  reason: null,
  because: [],
  next_at: null,
} satisfies Partial<Entry>;

/** Records what happens in a world as the entries of a time line. */
export class Timeline implements Observer {
  readonly entries: TimelineEntry[] = [];
  readonly #published: Published;
  readonly #asked: Map<string | null, string>;
  readonly #runs = new Map<string, number>();
  readonly #verdicts = new Map<string, Verdicts>();
  /** The messages of a step under way, by run and step: they follow what the run did before. */
  readonly #messages = new Map<string, SimulatedMessage[]>();
  /** The world's clock. */
  now: () => Date = () => new Date(0);

  constructor(published: Published) {
    this.#published = published;
    const sentences = summaryOf(published.definition).filter(({ step_id }) => step_id !== null);
    this.#asked = new Map(sentences.reverse().map(({ step_id, text }) => [step_id, text]));
  }

  /** Follows the clock of this world. */
  follow(world: World): void {
    this.now = () => world.time.now;
  }

  #add(entry: Partial<Entry> & Pick<Entry, "kind" | "text">): void {
    this.entries.push({ at: this.now().toISOString(), ...EMPTY, ...entry });
  }

  #ofRun({ id }: RunRow): { run: number } {
    const run = this.#runs.get(id) ?? this.#runs.size + 1;
    this.#runs.set(id, run);
    return { run };
  }

  #atStep(stepId: string | null): Pick<Entry, "step_id" | "step_type" | "asked"> {
    const step = this.#published.journey.nodes.get(stepId ?? "")?.step;
    return { step_id: stepId, step_type: step?.type ?? null, asked: this.#asked.get(stepId) ?? null };
  }

  happened: Observer["happened"] = (_, { name: eventName, properties }) =>
    this.#add({ kind: "event", text: `The person does ${eventName}.`, event: { eventName, properties } });

  entered: Observer["entered"] = (run) =>
    this.#add({ kind: "entered", text: "The person enters the campaign.", ...this.#ofRun(run) });

  refused: Observer["refused"] = (_, reason) =>
    this.#add({ kind: "not_entered", text: REFUSALS[reason] ?? "The person does not enter.", reason });

  evaluated: Observer["evaluated"] = (runId, stepId, verdicts) =>
    void this.#verdicts.set(`${runId} ${stepId}`, verdicts());

  rehearsed: Observer["rehearsed"] = (run, stepId, channel, sent) => {
    const key = `${run.id} ${stepId}`;
    this.#messages.set(key, [...(this.#messages.get(key) ?? []), messageOf(channel, sent)]);
  };

  passed: Observer["passed"] = (passage, run) => {
    const base = { ...this.#ofRun(run), ...this.#atStep(passage.step_id), way: passage.way, reason: passage.reason };
    const key = `${passage.run_id} ${passage.step_id}`;
    const because = this.#verdicts.get(key) ?? [];
    if (passage.state !== "exited") this.#verdicts.delete(key);
    const messages = this.#messages.get(key) ?? [];
    this.#messages.delete(key);
    for (const message of messages)
      this.#add({ kind: "message", text: textOfMessage(message), ...base, reason: message.reason, message });
    // A call that is repeated was told as its attempts.
    if (passage.state === "waiting" && base.step_type === "webhook") return;
    if (passage.state === "waiting") this.#addWait(base, run, heldByOf(passage));
    else if (messages.length === 0 || this.#escalates(passage.step_id)) {
      const kind = passage.way !== null || because.length > 0 ? "verdict" : "step";
      const call = base.step_type === "webhook" && callOf(passage);
      this.#add({ kind, text: textOf(passage), ...base, because, ...(call && { call }) });
    }
  };

  /** Whether a step may send several messages: then the time line says when the run leaves it. */
  #escalates(stepId: string): boolean {
    const step = this.#published.journey.nodes.get(stepId)?.step;
    return step?.type === "message" && (step.escalate ?? []).length > 0;
  }

  /** Adds that a run waits. A run that looks again and waits on is one entry. */
  #addWait(base: Pick<Entry, "run" | "step_id" | "step_type" | "asked">, run: RunRow, heldBy: HeldBy | null): void {
    const next_at = this.#waitsUntil(run)?.toISOString() ?? null;
    const before = this.entries.findLast((one) => one.run === base.run);
    if (before?.kind === "wait" && before.step_id === base.step_id && before.next_at === next_at) return;
    const event = run.waits_for === null ? "" : ` for ${run.waits_for},`;
    const text = heldBy
      ? `The ${heldBy} of the workspace holds the message back until ${next_at}.`
      : `The run waits${event} until ${next_at}.`;
    this.#add({ kind: "wait", text, ...base, next_at, ...(heldBy && { held_by: heldBy }) });
  }

  /** Returns when a wait ends. A run that waits for an event is due once before, to look for it again. */
  #waitsUntil({ step_id, waits_for, stepped_at, due_at }: RunRow): Date | null {
    const step = this.#published.journey.nodes.get(step_id ?? "")?.step;
    if (waits_for === null || step?.type !== "wait_until" || !step.timeout) return due_at;
    return new Date(stepped_at.getTime() + durationMs(step.timeout));
  }

  attempted: Observer["attempted"] = (run, { stepId, url, body, attempts, at, answer }) => {
    const next_at = at.toISOString();
    const call = { url, body: shownValue(JSON.parse(body)), attempt: attempts, ...answered(answer) };
    const what = call.status === null ? `gets no answer (${call.error})` : `is answered with ${call.status}`;
    const text = `Attempt ${attempts} ${what} and is repeated at ${next_at}.`;
    this.#add({ kind: "wait", text, ...this.#ofRun(run), ...this.#atStep(stepId), next_at, call });
  };

  outcome: Observer["outcome"] = (stepId, run, happened) =>
    this.#add({
      kind: "outcome",
      text: run ? `The message is ${happened}.` : `No message of this step was sent that could be ${happened}.`,
      ...(run && this.#ofRun(run)),
      ...this.#atStep(stepId),
      reason: run ? happened : "no_message",
    });

  reachedGoal: Observer["reachedGoal"] = (run) =>
    this.#add({ kind: "goal", text: "The run reaches the goal.", ...this.#ofRun(run) });

  ended: Observer["ended"] = (run, stepId) => {
    const because = this.#verdicts.get(`${run.id} ${stepId}`) ?? [];
    const text = run.status === "completed" ? "The run is completed." : `The run ends: ${run.reason ?? run.status}.`;
    this.#add({ kind: "ended", text, ...this.#ofRun(run), ...this.#atStep(stepId), reason: run.reason, because });
  };
}

const REFUSALS: Record<string, string> = {
  already_entered: "The person does not enter: `reentry` does not allow it now.",
  event_too_old: "The person does not enter: the event is older than `entry_max_age`.",
  where: "The person does not enter: the event's properties do not match the trigger.",
};

type HeldBy = NonNullable<TimelineEntry["held_by"]>;

/** Returns what holds the message of a waiting step back; null where nothing does. */
const heldByOf = ({ detail }: PassageRow): HeldBy | null => (detail?.held_by as HeldBy | undefined) ?? null;

/** Returns the call of a webhook step; undefined where none could be made. */
function callOf({ detail }: PassageRow): TimelineEntry["call"] {
  if (typeof detail?.url !== "string") return undefined;
  const { url, request: body, attempts, status, response = null, error } = detail;
  return {
    url,
    body,
    attempt: attempts as number,
    status: status as number | null,
    response,
    ...(error !== undefined && { error: error as string }),
  };
}

/** Returns what the time line shows of an answer that is no success. */
const answered = (answer: CallAnswer | null) => ({
  status: answer?.status ?? null,
  response: answer?.text ?? null,
  ...(answer?.error !== undefined && { error: answer.error }),
});

const messageOf = (channel: Channel, sent: Rehearsed): SimulatedMessage => ({
  channel,
  status: sent.heldOut ? "held_out" : sent.failed === undefined ? "sent" : "failed",
  reason: sent.failed ?? null,
  variant: sent.variant,
  locale: sent.locale,
  to: sent.recipient ?? null,
  content: (sent.content as Record<string, unknown> | undefined) ?? null,
});

function textOfMessage({ status, channel, reason }: SimulatedMessage): string {
  if (status === "held_out") return "The person is held out and gets no message.";
  return status === "sent" ? `The person gets a message by ${channel}.` : `The message by ${channel} fails: ${reason}.`;
}

function textOf({ state, way, reason }: PassageRow): string {
  if (state === "failed") return `The step fails: ${reason}.`;
  if (state === "exited") return `The run ends here: ${reason}.`;
  if (reason === "batched") return "Another run gathers this run, which ends here.";
  return way === null ? "The run continues." : `The run takes the way ${way}.`;
}
