import type { RunStatus } from "@tidings/contract/campaigns/campaigns";
import { lockOf, prepared, sql, type Sql, type Tx, unquoted } from "../../platform/db/index.ts";
import { holdInShards } from "./store.ts";
import { type EndedRun, tellEnded } from "./told.ts";

/** The status and reason with which runs end before their last step. */
export interface Ending {
  status: Exclude<RunStatus, "active" | "completed">;
  reason: string;
  /** The person of whose runs this is told, where the runs are those of a person who is merged into another one. */
  mergedInto?: string;
}

/** The runs of a person in a campaign; with a key, only the runs with this key. */
export interface PersonRuns {
  personKey: string;
  campaignId: string;
  cancellationKey: string | null;
}

/**
 * Returns the statement that ends the active runs that `which` (a condition on `r`) selects, and writes the passage of their present step,
 * also where the step has done nothing yet. It returns the runs.
 */
const ending = (tx: Tx, which: Sql, { status, reason }: Ending, now: Date): Sql => sql`
  with standing as materialized (
    select r.person_key, r.id, r.step_id, r.workspace_id, r.campaign_id, r.stepped_at, r.goal_at from campaign_runs r
    where r.ended_at is null and ${which}
    ${lockOf(tx, sql`order by r.person_key, r.id for no key update of r`)}),
  ended as (
    update campaign_runs r set status = ${status}, reason = ${reason}, step_id = null, waits_for = null, due_at = null,
      due_fixed = false, escalation = null, escalated_at = null, ended_at = ${now}
    from standing s where r.person_key = s.person_key and r.id = s.id),
  left_off as (
    insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, left_at, state, reason)
    select s.person_key, s.id, s.step_id, s.workspace_id, s.campaign_id, least(s.stepped_at + c.behind, ${now}::timestamptz), ${now},
      ${status === "failed" ? "failed" : "exited"}, ${reason}
    from standing s join campaigns c on c.workspace_id = s.workspace_id and c.id = s.campaign_id
    where s.step_id is not null
    on conflict (person_key, run_id, step_id) do update
      set state = excluded.state, reason = excluded.reason, left_at = excluded.left_at)
  select person_key, id, workspace_id, campaign_id, goal_at from standing`;

/** Ends the active runs that `which` selects, and tells who wants to know. Returns their number. */
async function ended(tx: Tx, which: Sql, how: Ending & { name?: string }, now: Date): Promise<number> {
  const { status, reason, mergedInto } = how;
  await holdInShards(tx, sql`r.ended_at is null and ${which}`);
  const statement = ending(tx, which, how, now);
  const runs = await tx.query<EndedRun>(how.name === undefined ? statement : prepared(how.name, statement));
  await tellEnded(
    tx,
    runs.map((run) => ({ ...run, person_key: mergedInto ?? run.person_key, status, reason })),
    now,
  );
  return runs.length;
}

/** Ends the active runs of these people in these campaigns. */
export const endTheirs = (tx: Tx, theirs: PersonRuns[], how: Ending, now: Date): Promise<number> =>
  ended(
    tx,
    sql`exists (select from unnest(${theirs.map((one) => one.personKey)}::uuid[], ${theirs.map((one) => one.campaignId)}::uuid[],
            ${theirs.map((one) => one.cancellationKey)}::text[]) as t (person_key, campaign_id, key)
          where r.person_key = t.person_key and r.campaign_id = t.campaign_id and (t.key is null or r.cancellation_key = t.key))
        and r.person_key = any(${theirs.map((one) => one.personKey)}::uuid[])`,
    { ...how, name: "campaigns.endTheirs" },
    now,
  );

/** Ends the active runs of a campaign that have a key. */
export const endKeyed = (
  tx: Tx,
  { workspaceId, campaignId, key }: { workspaceId: string; campaignId: string; key: string },
  how: Ending,
  now: Date,
): Promise<number> =>
  ended(
    tx,
    sql`r.workspace_id = ${workspaceId} and r.campaign_id = ${campaignId} and r.cancellation_key = ${key}`,
    how,
    now,
  );

/** Ends these runs, if they are active. */
export const endMany = (tx: Tx, runs: { person_key: string; id: string }[], how: Ending, now: Date): Promise<number> =>
  ended(
    tx,
    sql`r.person_key = any(${unquoted(runs.map((run) => run.person_key))}::uuid[]) and r.id = any(${unquoted(runs.map((run) => run.id))}::uuid[])`,
    how,
    now,
  );

/** Ends one run, if it is active. */
export const endOne = (tx: Tx, run: { person_key: string; id: string }, how: Ending, now: Date): Promise<number> =>
  endMany(tx, [run], how, now);
