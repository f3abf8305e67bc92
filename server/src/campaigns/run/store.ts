import { jsonbs, prepared, type Queries, sql, unquoted } from "../../platform/db/index.ts";
import type { RunRow } from "./run.ts";

// A run's row is its own job. The transaction that advances a run holds its row until it ends: PostgreSQL frees the row with the connection
// of a process that dies, and rolls its changes back. Due times are times of the campaign's own clock, which is late by `behind`.

/** The key of a campaign's row. */
export interface CampaignKey {
  workspace_id: string;
  id: string;
}

/** A campaign that may have work for the engine. */
export interface WorkingCampaign extends CampaignKey {
  /** Whether the campaign is archived, so that its runs end. */
  ending: boolean;
  /** When its first run is due, by the service's clock; null where no run waits. */
  due: Date | null;
}

/**
 * Returns the active campaigns with the time of their next work, and the archived ones with runs to end. The statement reads the first
 * entry of the due index for each: asked whether any run is due, PostgreSQL may read the whole table instead.
 */
export const workingCampaigns = (q: Queries): Promise<WorkingCampaign[]> =>
  q.query(
    prepared(
      "campaigns.working",
      sql`
      select c.workspace_id, c.id, c.ending,
        c.behind + (select r.due_at from campaign_runs r where r.campaign_id = c.id and r.due_at is not null
          order by r.campaign_id, r.due_at limit 1) as due
      from campaigns c
      where c.status = 'active' or c.ending
      order by c.workspace_id, c.id`,
    ),
  );

/**
 * Returns by how many milliseconds an active campaign's own clock is behind; undefined where the campaign is not active. It stays active
 * and keeps its clock until the transaction ends: a pause waits.
 */
export async function holdActive(tx: Queries, campaign: CampaignKey): Promise<number | undefined> {
  const [row] = await tx.query<{ behind: number }>(
    prepared(
      "campaigns.holdActive",
      sql`
      select (extract(epoch from behind) * 1000)::double precision as behind from campaigns
      where workspace_id = ${campaign.workspace_id} and id = ${campaign.id} and status = 'active' for share`,
    ),
  );
  return row?.behind;
}

const COLUMNS = sql`person_key, id, workspace_id, campaign_id, graph, status, reason, step_id, data, outputs, cancellation_key,
  entered_at, stepped_at, waits_for, due_at, due_fixed, escalation, escalated_at, attempts, goal_at, ended_at`;

/** Locks and returns the first due runs that no other transaction holds. @param now by the campaign's own clock */
export const claimDue = (tx: Queries, campaign: CampaignKey, now: Date, limit: number): Promise<RunRow[]> =>
  tx.query(
    prepared(
      "campaigns.claimDue",
      sql`
      select ${COLUMNS} from campaign_runs
      where campaign_id = ${campaign.id}::uuid and due_at <= ${now}
      order by due_at limit ${limit} for update skip locked`,
    ),
  );

/** Locks and returns a run, if it is still due and no other transaction holds it. @param now by the campaign's own clock */
export async function claimOne(
  tx: Queries,
  { person_key, id }: Pick<RunRow, "person_key" | "id">,
  now: Date,
): Promise<RunRow | undefined> {
  const [row] = await tx.query<RunRow>(sql`
    select ${COLUMNS} from campaign_runs
    where person_key = ${person_key} and id = ${id} and due_at <= ${now} for update skip locked`);
  return row;
}

/** The new state of a run after a round. `outputs` is null where nothing was added. */
export type RunUpdate = Pick<
  RunRow,
  | "person_key"
  | "id"
  | "status"
  | "reason"
  | "step_id"
  | "stepped_at"
  | "waits_for"
  | "due_at"
  | "due_fixed"
  | "escalation"
  | "escalated_at"
  | "ended_at"
> & { outputs: RunRow["outputs"] | null };

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Writes the new state of these runs by one statement. The caller holds their locks. */
export const writeRuns = (tx: Queries, runs: RunUpdate[]): Promise<number> =>
  tx.execute(
    prepared(
      "campaigns.writeRuns",
      sql`
      update campaign_runs r set status = t.status, reason = t.reason, step_id = t.step_id,
        outputs = coalesce(t.outputs, r.outputs), stepped_at = t.stepped_at, waits_for = t.waits_for, due_at = t.due_at,
        due_fixed = t.due_fixed, escalation = t.escalation::uuid[], escalated_at = t.escalated_at, attempts = 0, ended_at = t.ended_at
      from unnest(${unquoted(runs.map((run) => run.person_key))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[],
          ${unquoted(runs.map((run) => run.status))}::text[], ${runs.map((run) => run.reason)}::text[],
          ${unquoted(runs.map((run) => run.step_id))}::text[],
          ${jsonbs(runs.map((run) => run.outputs && JSON.stringify(run.outputs)))}::jsonb[],
          ${unquoted(runs.map((run) => iso(run.stepped_at)))}::timestamptz[], ${runs.map((run) => run.waits_for)}::text[],
          ${unquoted(runs.map((run) => iso(run.due_at)))}::timestamptz[], ${unquoted(runs.map((run) => run.due_fixed))}::boolean[],
          ${runs.map((run) => run.escalation && `{${run.escalation.join(",")}}`)}::text[],
          ${unquoted(runs.map((run) => iso(run.escalated_at)))}::timestamptz[],
          ${unquoted(runs.map((run) => iso(run.ended_at)))}::timestamptz[])
        as t (person_key, id, status, reason, step_id, outputs, stepped_at, waits_for, due_at, due_fixed,
          escalation, escalated_at, ended_at)
      where r.person_key = t.person_key and r.id = t.id`,
    ),
  );

/** Delays a run after a fault, and counts the attempt. */
export const putOff = (tx: Queries, { person_key, id }: RunRow, until: Date): Promise<number> =>
  tx.execute(sql`
    update campaign_runs set due_at = ${until}, attempts = attempts + 1 where person_key = ${person_key} and id = ${id}`);

/** Ends up to `limit` active runs of an archived campaign, and returns them with the step where they were. Fewer than `limit` are the last ones. */
export const endRuns = (
  tx: Queries,
  campaign: CampaignKey,
  { reason, now, limit }: { reason: string; now: Date; limit: number },
): Promise<RunRow[]> =>
  tx.query(sql`
    with gone as materialized (
      select person_key, id, step_id from campaign_runs
      where workspace_id = ${campaign.workspace_id} and campaign_id = ${campaign.id} and step_id is not null
      limit ${limit} for update)
    update campaign_runs r set status = 'canceled', reason = ${reason}, step_id = null, waits_for = null, due_at = null,
      due_fixed = false, escalation = null, escalated_at = null, ended_at = ${now}
    from gone where r.person_key = gone.person_key and r.id = gone.id
    returning r.person_key, r.id, gone.step_id, r.workspace_id, r.campaign_id`);

/** Writes that an archived campaign has no more runs to end. */
export const noteAllEnded = (tx: Queries, campaign: CampaignKey): Promise<number> =>
  tx.execute(
    sql`update campaigns set ending = false where workspace_id = ${campaign.workspace_id} and id = ${campaign.id}`,
  );
