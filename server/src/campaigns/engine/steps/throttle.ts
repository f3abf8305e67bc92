import type { StepOf } from "@tidings/contract/campaigns/steps";
import { personView } from "../../../people/index.ts";
import { derivedId } from "../../../platform/ids.ts";
import { durationMs } from "../../../platform/time/duration.ts";
import { fieldOf } from "../../rules/fields.ts";
import type { StepFacts } from "../../rules/turn.ts";
import type { Batch, Participant, StepContext, StepWork } from "./batch.ts";
import { holdStep } from "../../run/hold-store.ts";
import { forgetPassed, notePassed, passedBy } from "./throttle-store.ts";

type ThrottleStep = StepOf<"throttle">;

/** Returns the key by which a run is counted: the value of the step's `key`, over all people, or the person if there is none. */
function keyOf(step: ThrottleStep, { run, person }: Participant): string {
  const value =
    step.key === undefined ? undefined : fieldOf(step.key, { trigger: run.data, person: personView(person) });
  return value === undefined
    ? derivedId("throttle person", run.person_key)
    : derivedId("throttle", JSON.stringify(value));
}

/** The record of the runs that passed a throttle. */
export interface PassedRuns<C extends StepContext> {
  /** Returns for each of these keys how many runs passed after an instant, and when the first one did; null if none did. */
  count(
    context: C,
    step: ThrottleStep,
    asked: { keys: string[]; after: Date },
  ): Promise<{ key: string; count: number; first: Date | null }[]>;
  note(context: C, step: ThrottleStep, passing: { key: string; runId: string }[]): Promise<unknown>;
}

/** Lets at most `limit` runs of a key pass within any window; the others learn when the key may pass again. */
export const throttleWith = <C extends StepContext>(passed: PassedRuns<C>): StepWork<ThrottleStep, C> => ({
  async loadFacts(context, step, participants) {
    const { clock } = context.time;
    const limit = step.limit ?? 1;
    const windowMs = step.window ? durationMs(step.window) : 0;
    const keys = participants.map((participant) => keyOf(step, participant));
    const after = new Date(clock.getTime() - windowMs);
    const rows = await passed.count(context, step, { keys: [...new Set(keys)], after });
    const known = new Map(rows.map((row) => [row.key, { ...row }]));
    const passing: { key: string; runId: string }[] = [];
    const facts = participants.map(({ run }, i): StepFacts => {
      const key = keys[i] as string;
      const row = known.get(key) ?? { key, count: 0, first: null };
      if (row.count >= limit) return { roomAt: new Date((row.first ?? clock).getTime() + windowMs) };
      known.set(key, { ...row, count: row.count + 1 });
      passing.push({ key, runId: run.id });
      return { roomAt: null };
    });
    if (passing.length > 0) await passed.note(context, step, passing);
    return facts;
  },
});

const throttleOf = ({ published: { workspaceId, campaignId } }: Batch, { id: stepId }: ThrottleStep) => ({
  workspaceId,
  campaignId,
  stepId,
});

export const throttle = throttleWith<Batch>({
  async count(batch, step, { keys, after }) {
    const { tx } = batch;
    const of = throttleOf(batch, step);
    await holdStep(tx, of);
    await forgetPassed(tx, of, after);
    return passedBy(tx, of, keys);
  },
  note: (batch, step, passing) => notePassed(batch.tx, throttleOf(batch, step), passing, batch.time.clock),
});
