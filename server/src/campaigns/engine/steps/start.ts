import type { StepOf } from "@tidings/contract/campaigns/steps";
import { decodeId, encodeId } from "../../../platform/ids.ts";
import type { Queries } from "../../../platform/db/index.ts";
import { type Published, publishedOf } from "../../definition/published.ts";
import { byId } from "../../definition/store.ts";
import { type Candidate, enter, runIdOf } from "../../entry/enter.ts";
import { tooOften } from "../../entry/pace.ts";
import { keysOf, type StepResult, type StepWork, valuesFor } from "./batch.ts";

/** Returns the campaign that a step starts; undefined where nobody can enter it now. */
export async function campaignToStart(
  q: Queries,
  workspaceId: string,
  step: StepOf<"start">,
): Promise<Published | undefined> {
  const id = decodeId("cmp", step.campaign_id ?? "");
  const row = id === undefined ? undefined : await byId(q, workspaceId, id);
  if (row?.status !== "active" || row.graph === null) return undefined;
  return publishedOf(q, workspaceId, row.id, row.graph);
}

/** Lets the people into another campaign, if its own `reentry` allows it. */
export const start: StepWork<StepOf<"start">> = {
  async act(batch, step, participants) {
    const { tx, workspace } = batch;
    const { now } = batch.time;
    const all = (done: StepResult) => participants.map(() => done);
    const published = await campaignToStart(tx, workspace.id, step);
    if (!published) return all({ failed: "campaign_not_active" });
    const tooMany = await tooOften(tx, keysOf(participants), now);
    const values = await valuesFor(batch, step.data ?? {}, participants);
    const candidates = participants.map(({ run }, i): Candidate => {
      const one = values[i];
      const data = one && "value" in one ? one.value : {};
      return { published, personKey: run.person_key, cause: `start ${run.id} ${step.id}`, data };
    });
    const began = await enter(
      tx,
      candidates.filter(({ personKey }, i) => !tooMany.has(personKey) && "value" in (values[i] ?? {})),
      now,
    );
    return candidates.map((candidate, i): StepResult => {
      const one = values[i];
      if (one && "failure" in one) return one.failure;
      if (tooMany.has(candidate.personKey)) return { failed: "too_many_steps" };
      const runId = runIdOf(candidate);
      // A refused entry is no failure: the other campaign's rule decided, and the run continues.
      return { detail: began.has(runId) ? { run_id: encodeId("run", runId) } : { entered: false } };
    });
  },
};
