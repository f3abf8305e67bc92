import type { StepOf } from "@tidings/contract/campaigns/steps";
import { personView } from "../../../people/index.ts";
import { derivedId } from "../../../platform/ids.ts";
import { fieldOf } from "../../rules/fields.ts";
import { durationMs } from "../../../platform/time/duration.ts";
import type { StepFacts } from "../../rules/turn.ts";
import { forgetPassed, holdThrottle, notePassed, passedBy } from "./throttle-store.ts";
import type { StepWork, Participant } from "./batch.ts";

type ThrottleStep = StepOf<"throttle">;

/** Returns the key by which a run is counted: the value of the step's `key`, over all people, or the person if there is none. */
function keyOf(step: ThrottleStep, { run, person }: Participant): string {
  const value =
    step.key === undefined ? undefined : fieldOf(step.key, { trigger: run.data, person: personView(person) });
  return value === undefined
    ? derivedId("throttle person", run.person_key)
    : derivedId("throttle", JSON.stringify(value));
}

/** Lets at most `limit` runs of a key pass within any window; the others learn when the key may pass again. */
export const throttle: StepWork<ThrottleStep> = {
  async loadFacts({ tx, published, time: { clock } }, step, participants) {
    const of = { workspaceId: published.workspaceId, campaignId: published.campaignId, stepId: step.id };
    const limit = step.limit ?? 1;
    const windowMs = step.window ? durationMs(step.window) : 0;
    await holdThrottle(tx, of);
    await forgetPassed(tx, of, new Date(clock.getTime() - windowMs));
    const keys = participants.map((participant) => keyOf(step, participant));
    const rows = await passedBy(tx, of, [...new Set(keys)]);
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
    if (passing.length > 0) await notePassed(tx, of, passing, clock);
    return facts;
  },
};
