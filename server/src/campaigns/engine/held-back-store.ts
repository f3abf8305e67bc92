import { choosing, type Queries, sql, type Sql } from "../../platform/db/index.ts";
import type { CampaignRef } from "../run/run.ts";

// Runs whose message the workspace's limits hold back. After a change of the limits each of them asks again, once.

/** Notes that the limits of these workspaces have changed. Returns their campaigns in which people may wait. */
export async function noteAsking(tx: Queries, workspaceIds: string[], now: Date): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    update campaigns set asking_since = ${now} where workspace_id = any(${workspaceIds}::uuid[]) and status in ('active', 'paused')
    returning id`);
  return rows.map((row) => row.id);
}

/** The runs that were held back at one of these steps when they asked last, which was before the limits changed. */
export interface HeldBack {
  campaign: CampaignRef;
  steps: string[];
  since: Date;
}

const heldBack = ({ campaign: { workspaceId, campaignId }, steps, since }: HeldBack): Sql => sql`
  select r.person_key, r.id from campaign_passages p
  join campaign_runs r on r.person_key = p.person_key and r.id = p.run_id and r.step_id = p.step_id
  where p.workspace_id = ${workspaceId} and p.campaign_id = ${campaignId} and p.step_id = any(${steps})
    and p.state = 'waiting' and (p.detail ->> 'asked_at')::timestamptz < ${since} and r.due_fixed`;

/** Makes up to `limit` of them due now, without those that are due and those that other transactions hold. Returns their number. */
export function askAgain(tx: Queries, held: HeldBack, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const { lock, still } = choosing(
    tx,
    sql`for no key update of r skip locked`,
    sql`r.due_fixed and r.due_at > ${now} and r.step_id = any(${held.steps})`,
  );
  return tx.execute(sql`
    with held as materialized (${heldBack(held)} and r.due_at > ${now} limit ${limit} ${lock})
    update campaign_runs r set due_at = ${now} from held h where r.person_key = h.person_key and r.id = h.id ${still}`);
}

/** Whether any are left that are not due, also such that other transactions hold. */
export async function hasHeldBack(q: Queries, held: HeldBack, now: Date): Promise<boolean> {
  return (await q.query(sql`${heldBack(held)} and r.due_at > ${now} limit 1`)).length > 0;
}

/** Writes that all have asked again, if the limits have not changed since. */
export const noteAsked = (tx: Queries, { campaign: { workspaceId, campaignId }, since }: HeldBack): Promise<number> =>
  tx.execute(sql`
    update campaigns set asking_since = null
    where workspace_id = ${workspaceId} and id = ${campaignId} and asking_since = ${since}`);
