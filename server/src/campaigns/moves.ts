import type { CampaignProblem, Inside } from "@tidings/contract/campaigns/campaigns";
import { stepsIn } from "@tidings/contract/campaigns/journey";
import type { Queries, Tx } from "../platform/db/index.ts";
import { notFound, Problem } from "../platform/http/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { locked } from "./definition/campaign.ts";
import { CAMPAIGNS_CHANGED } from "./definition/entrances.ts";
import { problemsOf } from "./definition/problems.ts";
import { laidOut, publishedVersions } from "./definition/published.ts";
import { byId, type CampaignRow, remove, writeLife } from "./definition/store.ts";
import { insertVersion } from "./definition/version-store.ts";
import { changedSteps, sameGraph } from "./rules/graph.ts";
import { moved } from "./rules/status.ts";
import { endElsewhere } from "./run/end-store.ts";
import { lockInside, moveInside, shiftFixed, standing } from "./run/inside-store.ts";
import { forgetMembers } from "./run/members-store.ts";
import { RUNS_DUE } from "./run/run.ts";
import { watchAudience } from "./run/watch.ts";

/** Everything that stands against activating it now, each with its step. @throws Problem not_found */
export async function validate(q: Queries, workspace: Workspace, id: string, now: Date): Promise<CampaignProblem[]> {
  const row = await byId(q, workspace.id, id);
  if (!row) throw notFound("campaign");
  return problemsOf({ q, workspace, now }, row);
}

/**
 * Publishes what is written, and lets people in. A paused campaign goes on. Where nothing was changed there is no new version.
 * @param inside what becomes of those inside where the journey changed: they stay in the one they are in, move, or end
 * @throws Problem not_found, wrong_status, campaign_invalid with all problems, runs_inside
 */
export async function activate(
  tx: Tx,
  workspace: Workspace,
  { id, inside, now }: { id: string; inside: Inside | undefined; now: Date },
): Promise<CampaignRow> {
  const row = await locked(tx, workspace.id, id);
  const status = moved(row.status, "activate");
  const problems = await problemsOf({ q: tx, workspace, now }, row);
  if (problems.length > 0) throw invalid(problems);
  const going = row.status === "paused" ? await resumed(tx, row, now) : { ...row, status };
  tellOthers(tx, row);
  if (row.version !== null && !row.changed) return writeLife(tx, going, now);
  const graph = await graphAfter(tx, going, inside, now);
  const version = (row.version ?? 0) + 1;
  const made = { ...name(row), version, graph, definition: row.definition };
  await insertVersion(tx, made, now);
  const written = await writeLife(tx, { ...going, version, graph, activated_at: now }, now);
  await watchAudience(tx, laidOut(made), now);
  return written;
}

const name = ({ workspace_id, id: campaign_id }: CampaignRow) => ({ workspace_id, campaign_id });

function invalid(problems: CampaignProblem[]): Problem {
  const [first] = problems;
  const more = problems.length > 1 ? ` It has ${problems.length} problems in all, see errors.` : "";
  const detail = `The campaign can't be activated: ${first?.pointer} ${first?.message}.${more}`;
  return new Problem("campaign_invalid", detail, { errors: problems });
}

/** Processes forget what they know of the workspace's campaigns, and the engine looks what is due. */
function tellOthers(tx: Tx, { workspace_id, id }: CampaignRow): void {
  tx.signal(CAMPAIGNS_CHANGED, [workspace_id]);
  tx.signal(RUNS_DUE, [id]);
}

/** The number of the graph that is published, once those inside are where they are to be. @throws Problem runs_inside */
async function graphAfter(tx: Tx, row: CampaignRow, inside: Inside | undefined, now: Date): Promise<number> {
  const { version, graph } = row;
  if (version === null || graph === null) return 1;
  const [before] = await publishedVersions(tx, [{ ...name(row), version }]);
  if (before && sameGraph(before.definition, row.definition)) return graph;
  const next = graph + 1;
  const at = await standing(tx, row);
  if (at.length > 0 && inside === undefined) throw runsInside(at);
  if (at.length === 0 || inside === "stay") return next;
  await lockInside(tx, row);
  const steps = inside === "move" ? stepsIn(row.definition.steps).map((step) => step.id) : [];
  await endElsewhere(
    tx,
    { workspaceId: row.workspace_id, campaignId: row.id, steps },
    { status: "exited", reason: inside === "move" ? "step_gone" : "campaign_changed" },
    now,
  );
  const clock = new Date(now.getTime() - row.behind_ms);
  const changed = before ? changedSteps(before.definition, row.definition) : [];
  if (inside === "move") await moveInside(tx, row, { graph: next, steps, changed, clock });
  return next;
}

function runsInside(at: { step_id: string; runs: number }[]): Problem {
  const total = at.reduce((sum, { runs }) => sum + runs, 0);
  return new Problem(
    "runs_inside",
    `The journey changed, and ${total} ${total === 1 ? "person is" : "people are"} inside. Repeat the call with inside: "stay" leaves them in the journey that they are in, "move" moves them where their step still exists and ends the others, "end" ends all.`,
    { extra: { inside: { total, steps: Object.fromEntries(at.map(({ step_id, runs }) => [step_id, runs])) } } },
  );
}

/** Holds everybody where they are, and lets nobody in. @throws Problem not_found, wrong_status */
export async function pause(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<CampaignRow> {
  const row = await locked(tx, workspace.id, id);
  const status = moved(row.status, "pause");
  tellOthers(tx, row);
  return writeLife(tx, { ...row, status, paused_at: now }, now);
}

/** Goes on: a wait that had an hour left has an hour left. @throws Problem not_found, wrong_status */
export async function resume(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<CampaignRow> {
  const row = await locked(tx, workspace.id, id);
  moved(row.status, "resume");
  tellOthers(tx, row);
  return writeLife(tx, await resumed(tx, row, now), now);
}

/** A paused campaign that is active from now on. */
async function resumed(tx: Tx, row: CampaignRow, now: Date): Promise<CampaignRow> {
  const length = Math.max(0, now.getTime() - (row.paused_at ?? now).getTime());
  if (length > 0) await shiftFixed(tx, row, length);
  return { ...row, status: "active", paused_at: null, behind_ms: row.behind_ms + length };
}

/** Ends it: nobody enters, and the engine ends the runs of those inside. @throws Problem not_found, wrong_status */
export async function archive(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<CampaignRow> {
  const row = await locked(tx, workspace.id, id);
  const status = moved(row.status, "archive");
  tellOthers(tx, row);
  return writeLife(tx, { ...row, status, paused_at: null, ending: true }, now);
}

/**
 * Removes a draft or an archived campaign; what it sent and who was in it stays.
 * @throws Problem not_found, wrong_status, conflict while runs of an archived one are being ended
 */
export async function discard(tx: Tx, workspaceId: string, id: string): Promise<void> {
  const row = await locked(tx, workspaceId, id);
  moved(row.status, "remove");
  if (row.ending)
    throw new Problem(
      "conflict",
      "The people inside of this campaign are being taken out. Repeat the call in a minute.",
    );
  await forgetMembers(tx, { workspaceId, campaignId: id });
  await remove(tx, workspaceId, id);
}
