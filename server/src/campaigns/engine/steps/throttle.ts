import type { StepOf } from "@tidings/contract/campaigns/steps";
import { personView } from "../../../people/index.ts";
import { derivedId } from "../../../platform/ids.ts";
import { fieldOf } from "../../rules/fields.ts";
import { spanMs } from "../../rules/span.ts";
import type { Facts } from "../../rules/turn.ts";
import { forgetPassed, holdThrottle, notePassed, passedBy } from "./throttle-store.ts";
import type { StepWork, Walk } from "./batch.ts";

type ThrottleStep = StepOf<"throttle">;

/** What a run is counted by: the value of the step's key, over all people; the person where it has none. */
function keyOf(step: ThrottleStep, { run, person }: Walk): string {
  const value =
    step.key === undefined ? undefined : fieldOf(step.key, { trigger: run.data, person: personView(person) });
  return value === undefined
    ? derivedId("throttle person", run.person_key)
    : derivedId("throttle", JSON.stringify(value));
}

/** Lets so many runs of a key on within any time as long as the window; the others learn when there is room again. */
export const throttle: StepWork<ThrottleStep> = {
  async ask({ tx, published, time: { clock } }, step, walks) {
    const of = { workspaceId: published.workspaceId, campaignId: published.campaignId, stepId: step.id };
    const limit = step.limit ?? 1;
    const windowMs = step.window ? spanMs(step.window) : 0;
    await holdThrottle(tx, of);
    await forgetPassed(tx, of, new Date(clock.getTime() - windowMs));
    const keys = walks.map((walk) => keyOf(step, walk));
    const rows = await passedBy(tx, of, [...new Set(keys)]);
    const known = new Map(rows.map((row) => [row.key, { ...row }]));
    const passing: { key: string; runId: string }[] = [];
    const facts = walks.map(({ run }, i): Facts => {
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
