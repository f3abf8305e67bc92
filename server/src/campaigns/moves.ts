import type { Actor } from "@tidings/contract/audit";
import type { CampaignProblem, Inside } from "@tidings/contract/campaigns/campaigns";
import type { Queries, Tx } from "../platform/db/index.ts";
import { notFound, Problem } from "../platform/http/index.ts";
import type { Workspace } from "../workspaces/index.ts";
import { lockCampaign } from "./definition/campaign.ts";
import { CAMPAIGNS_CHANGED } from "./definition/entrances.ts";
import { problemsOf } from "./definition/problems.ts";
import { publishedGraphs, publishedVersions, withJourney } from "./definition/published.ts";
import { byId, type CampaignRow, remove, writeLifecycle } from "./definition/store.ts";
import { insertVersion } from "./definition/version-store.ts";
import { forgetMembers } from "./audience/members-store.ts";
import { sweepAgain } from "./audience/sweeps-store.ts";
import { watchAudience } from "./audience/watch.ts";
import { type PublishedGraph, sameGraph } from "./rules/graph.ts";
import { nextStatus } from "./rules/status.ts";
import { countByStep } from "./run/inside-store.ts";
import { CALLS_DUE, type CampaignRef, RUNS_DUE } from "./run/run.ts";
import { hasToSettle, settleBatch } from "./run/settle.ts";
import { followSchedule } from "./schedule/follow.ts";
import { skipUntil } from "./schedule/schedules-store.ts";

/** Returns all problems that prevent the campaign's activation now, each with its step. @throws Problem not_found */
export async function validate(q: Queries, workspace: Workspace, id: string, now: Date): Promise<CampaignProblem[]> {
  const row = await byId(q, workspace.id, id);
  if (!row) throw notFound("campaign");
  return problemsOf({ q, workspace, now }, row);
}

/**
 * Publishes the draft and lets people enter. A paused campaign resumes. An unchanged draft makes no new version.
 * @param inside how active runs are treated when the journey changed: they stay in their journey, move to the new one, or end
 * @throws Problem not_found, wrong_status, campaign_invalid with all problems, runs_inside
 */
export async function activate(
  tx: Tx,
  workspace: Workspace,
  { id, inside, by, now }: { id: string; inside: Inside | undefined; by: Actor; now: Date },
): Promise<CampaignRow> {
  const row = await lockCampaign(tx, workspace.id, id);
  const status = nextStatus(row.status, "activate");
  const problems = await problemsOf({ q: tx, workspace, now }, row);
  if (problems.length > 0) throw campaignInvalid(problems);
  const activated = row.status === "paused" ? await resumedCampaign(tx, row, now) : { ...row, status };
  signalChange(tx, row);
  if (row.version !== null && !row.changed) return writeLifecycle(tx, activated, now);
  const { graph, decided, total } = await nextGraph(tx, activated, inside);
  const version = (row.version ?? 0) + 1;
  const published = { ...campaignIds(row), version, graph, definition: row.definition };
  const next = { ...withJourney(published), inside: decided, publishedAt: now };
  const work =
    decided === "move" || decided === "end"
      ? { settling: await settleFirst(tx, activated, next), work_total: total, work_since: now }
      : {};
  await insertVersion(tx, published, { inside: decided, by, now });
  const campaign = await writeLifecycle(tx, { ...activated, version, graph, ...work, activated_at: now }, now);
  await watchAudience(tx, next, now);
  await followSchedule(tx, next, now);
  return campaign;
}

const campaignIds = ({ workspace_id, id: campaign_id }: CampaignRow) => ({ workspace_id, campaign_id });
const refOf = ({ workspace_id: workspaceId, id: campaignId }: CampaignRow): CampaignRef => ({
  workspaceId,
  campaignId,
});

/** The 422 that lists why a campaign can't be activated or simulated. */
export function campaignInvalid(problems: CampaignProblem[]): Problem {
  const [first] = problems;
  const more = problems.length > 1 ? ` It has ${problems.length} problems in all, see errors.` : "";
  const detail = `The campaign is not complete: ${first?.pointer} ${first?.message}.${more}`;
  return new Problem("campaign_invalid", detail, { errors: problems });
}

/** Tells all processes to drop their cached campaigns of the workspace, and to look for due runs and for calls that a pause kept. */
function signalChange(tx: Tx, { workspace_id, id }: CampaignRow): void {
  tx.signal(CAMPAIGNS_CHANGED, [workspace_id]);
  tx.signal(RUNS_DUE, [id]);
  tx.signal(CALLS_DUE, [id]);
}

/**
 * Returns the graph that is published: its number, `decided`, what it decides about active runs, and `total`, how many there are. Where nobody
 * is in the campaign, or the graph is not new, `decided` is null and `total` 0.
 * @throws Problem runs_inside
 */
async function nextGraph(
  tx: Tx,
  row: CampaignRow,
  inside: Inside | undefined,
): Promise<{ graph: number; decided: Inside | null; total: number }> {
  const { version, graph } = row;
  if (version === null || graph === null) return { graph: 1, decided: null, total: 0 };
  const [before] = await publishedVersions(tx, [{ ...campaignIds(row), version }]);
  if (before && sameGraph(before.definition, row.definition)) return { graph, decided: null, total: 0 };
  const counts = await countByStep(tx, refOf(row));
  if (counts.length > 0 && inside === undefined) throw runsInside(counts);
  return { graph: graph + 1, decided: inside ?? null, total: sumOf(counts) };
}

/** The most runs that an activation moves or ends in its own transaction: the engine continues with the others. */
const SETTLED_AT_ONCE = 1_000;

/**
 * Moves or ends the first active runs, as the new graph decides. Returns whether the engine must continue. The new graph is not stored yet: a version
 * that is read from the database is cached, and this transaction may roll back.
 */
async function settleFirst(tx: Tx, row: CampaignRow, next: PublishedGraph): Promise<boolean> {
  const now = next.publishedAt;
  const campaign = refOf(row);
  const all = { campaign, graphs: [...(await publishedGraphs(tx, campaign)), next] };
  await settleBatch(tx, all, { now, clock: new Date(now.getTime() - row.behind_ms) }, SETTLED_AT_ONCE);
  return hasToSettle(tx, all);
}

const sumOf = (counts: { runs: number }[]): number => counts.reduce((sum, { runs }) => sum + runs, 0);

function runsInside(counts: { step_id: string; runs: number }[]): Problem {
  const total = sumOf(counts);
  return new Problem(
    "runs_inside",
    `The journey changed, and ${total} ${total === 1 ? "person is" : "people are"} inside. Repeat the call with inside: "stay" leaves them in their present journey, "move" moves those whose step still exists and ends the others, "end" ends all.`,
    { extra: { inside: { total, steps: Object.fromEntries(counts.map(({ step_id, runs }) => [step_id, runs])) } } },
  );
}

/** Pauses a campaign: its runs stay where they are and nobody enters. @throws Problem not_found, wrong_status */
export async function pause(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<CampaignRow> {
  const row = await lockCampaign(tx, workspace.id, id);
  const status = nextStatus(row.status, "pause");
  signalChange(tx, row);
  return writeLifecycle(tx, { ...row, status, paused_at: now }, now);
}

/** Resumes a paused campaign: a wait that had an hour left still has an hour left. @throws Problem not_found, wrong_status */
export async function resume(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<CampaignRow> {
  const row = await lockCampaign(tx, workspace.id, id);
  nextStatus(row.status, "resume");
  signalChange(tx, row);
  return writeLifecycle(tx, await resumedCampaign(tx, row, now), now);
}

/** Returns the paused campaign as active from now on. No run is rewritten: lengths of time are due by the campaign's own clock, dates by the service's. */
async function resumedCampaign(tx: Tx, row: CampaignRow, now: Date): Promise<CampaignRow> {
  const pausedMs = Math.max(0, now.getTime() - (row.paused_at ?? now).getTime());
  const campaign = refOf(row);
  await skipUntil(tx, campaign, now);
  await sweepAgain(tx, campaign, now);
  return { ...row, status: "active", paused_at: null, behind_ms: row.behind_ms + pausedMs };
}

/** Archives a campaign: nobody enters, and the engine ends its active runs. @throws Problem not_found, wrong_status */
export async function archive(tx: Tx, workspace: Workspace, id: string, now: Date): Promise<CampaignRow> {
  const row = await lockCampaign(tx, workspace.id, id);
  const status = nextStatus(row.status, "archive");
  signalChange(tx, row);
  const work = { ending: true, work_total: sumOf(await countByStep(tx, refOf(row))), work_since: now };
  return writeLifecycle(tx, { ...row, status, paused_at: null, ...work }, now);
}

/**
 * Removes a draft or an archived campaign. Its deliveries and runs stay.
 * @throws Problem not_found, wrong_status, conflict while runs of an archived campaign are being ended
 */
export async function discard(tx: Tx, workspaceId: string, id: string): Promise<void> {
  const row = await lockCampaign(tx, workspaceId, id);
  nextStatus(row.status, "remove");
  if (row.ending)
    throw new Problem("conflict", "The runs of this campaign are being ended. Repeat the call in a minute.");
  await forgetMembers(tx, { workspaceId, campaignId: id });
  await remove(tx, workspaceId, id);
}
