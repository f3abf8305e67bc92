import { jsonbs, once, type Queries, sql, type Sql, type Tx, unquoted } from "../../platform/db/index.ts";
import type { CampaignRef, Output, PassageRow, RunRow } from "../run/run.ts";
import { lockedInShards, ownClock, RUN_COLUMNS } from "../run/store.ts";
import { type EndedRun, tellEnded } from "../run/told.ts";

/** The key of a run. */
export type RunKey = Pick<RunRow, "person_key" | "id">;

/** Locks and returns a run. It waits for the engine. */
export async function lockRun(
  tx: Queries,
  { workspaceId, campaignId }: CampaignRef,
  id: string,
): Promise<RunRow | undefined> {
  const which = sql`workspace_id = ${workspaceId} and campaign_id = ${campaignId} and id = ${id}`;
  const [row] = await tx.query<RunRow>(
    tx.distributed
      ? lockedInShards(sql`select person_key, id from campaign_runs where ${which}`, which)
      : sql`
    select ${RUN_COLUMNS} from campaign_runs where ${which}
    for no key update`,
  );
  return row;
}

/** The keys of runs as a table `t`. */
const keysOf = (runs: RunKey[]): Sql => sql`
  unnest(${unquoted(runs.map((run) => run.person_key))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[]) as t (person_key, id)`;

/** Ends the passages of runs at their present steps as an operator decided. The caller holds their locks. */
export const leaveSteps = (
  tx: Queries,
  runs: RunKey[],
  { state, reason }: Pick<PassageRow, "state" | "reason">,
  now: Date,
): Promise<number> =>
  tx.execute(sql`
    insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state, reason)
    select r.person_key, r.id, r.step_id, r.workspace_id, r.campaign_id, r.stepped_at + c.behind, ${now}, ${state}, ${reason}
    from ${keysOf(runs)} join campaign_runs r on r.person_key = t.person_key and r.id = t.id
      join campaigns c on c.workspace_id = r.workspace_id and c.id = r.campaign_id
    where r.step_id is not null
    on conflict (person_key, run_id, step_id) do update
      set left_at = excluded.left_at, state = excluded.state, reason = excluded.reason`);

/**
 * Moves each run to a step, due at once by the campaign's own clock, and makes it active. Null completes the run. A run that tries its step
 * again keeps what it was sent there.
 */
export async function putAt(tx: Tx, runs: (RunKey & { step_id: string | null })[], now: Date): Promise<void> {
  const put = await tx.query<EndedRun & Pick<RunRow, "status">>(sql`
    with n as ${once(tx)} (
      select t.*, ${ownClock(now)} as clock
      from unnest(${unquoted(runs.map((run) => run.person_key))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[],
          ${unquoted(runs.map((run) => run.step_id))}::text[]) as t (person_key, id, step_id)
        join campaign_runs o on o.person_key = t.person_key and o.id = t.id
        join campaigns c on c.workspace_id = o.workspace_id and c.id = o.campaign_id)
    update campaign_runs r set step_id = n.step_id, status = case when n.step_id is null then 'completed' else 'active' end,
      reason = null, stepped_at = n.clock, due_at = case when n.step_id is not null then n.clock end,
      waits_for = null, due_fixed = false, attempts = 0,
      escalation = case when r.step_id = n.step_id then r.escalation end,
      escalated_at = case when r.step_id = n.step_id then r.escalated_at end, ended_at = case when n.step_id is null then ${now}::timestamptz end
    from n where r.person_key = n.person_key and r.id = n.id
    returning r.person_key, r.id, r.workspace_id, r.campaign_id, r.goal_at, r.status`);
  const completed = put.filter(({ status }) => status === "completed");
  await tellEnded(
    tx,
    completed.map((run) => ({ ...run, reason: null })),
    now,
  );
}

/** Writes the output of one step of these runs. */
export const writeOutputs = (tx: Queries, stepId: string, runs: (RunKey & { output: Output })[]): Promise<number> =>
  tx.execute(sql`
    with t as ${once(tx)} (
      select person_key, id, jsonb_build_object(${stepId}::text, output) as output
      from unnest(${unquoted(runs.map((run) => run.person_key))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[],
        ${jsonbs(runs.map((run) => JSON.stringify(run.output)))}::jsonb[]) as t (person_key, id, output))
    update campaign_runs r set outputs = r.outputs || t.output
    from t where r.person_key = t.person_key and r.id = t.id`);

/** Returns the step at which each of these runs failed last. */
export const failedSteps = (q: Queries, runs: RunKey[]): Promise<(RunKey & { step_id: string })[]> =>
  q.query(sql`
    select distinct on (t.person_key, t.id) t.person_key, t.id, p.step_id
    from ${keysOf(runs)} join campaign_passages p on p.person_key = t.person_key and p.run_id = t.id and p.state = 'failed'
    order by t.person_key, t.id, p.left_at desc`);

/** Reopens the passages of failed steps. */
export const reopenPassages = (tx: Queries, runs: (RunKey & { step_id: string })[]): Promise<number> =>
  tx.execute(sql`
    update campaign_passages p set state = 'waiting', left_at = null, reason = null
    from unnest(${unquoted(runs.map((run) => run.person_key))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[],
      ${unquoted(runs.map((run) => run.step_id))}::text[]) as t (person_key, id, step_id)
    where p.person_key = t.person_key and p.run_id = t.id and p.step_id = t.step_id`);
