import type { conditionFor } from "../../audiences/index.ts";
import { empty, type Queries, sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import type { CampaignRef } from "./run.ts";

/** An audience's condition on `people p`. */
type Condition = Awaited<ReturnType<typeof conditionFor>>;

/** Queues people for a check, in the transaction that changes their data. */
export const askToCheck = (tx: Queries, people: { workspaceId: string; personKey: string }[]): Promise<number> =>
  tx.execute(sql`
    insert into campaign_checks (person_key, id, workspace_id)
    select * from unnest(${people.map((one) => one.personKey)}::uuid[], ${people.map(() => newId())}::uuid[],
      ${people.map((one) => one.workspaceId)}::uuid[])`);

/** Takes the oldest checks that no other transaction holds. They are deleted when the transaction commits. */
export const takeChecks = (tx: Queries, limit: number): Promise<{ person_key: string; workspace_id: string }[]> =>
  tx.query(sql`
    with oldest as materialized (
      select person_key, id from campaign_checks order by id limit ${limit} for update skip locked)
    delete from campaign_checks c using oldest o where c.person_key = o.person_key and c.id = o.id
    returning c.person_key, c.workspace_id`);

/** Updates which of these people are members of the audience. Returns those who entered it. */
export async function updateMembers(
  tx: Queries,
  { workspaceId, campaignId }: CampaignRef,
  { condition, personKeys }: { condition: Condition; personKeys: string[] },
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ person_key: string }>(sql`
    with inside as materialized (
      select p.person_key from people p
      where p.workspace_id = ${workspaceId}::uuid and p.person_key = any(${personKeys}::uuid[]) and ${condition}),
    gone as (
      delete from campaign_members m where m.campaign_id = ${campaignId} and m.person_key = any(${personKeys}::uuid[])
        and not exists (select from inside i where i.person_key = m.person_key))
    insert into campaign_members (person_key, campaign_id, workspace_id, since)
    select i.person_key, ${campaignId}::uuid, ${workspaceId}::uuid, ${now}::timestamptz from inside i order by i.person_key
    on conflict do nothing
    returning person_key`);
  return rows.map((row) => row.person_key);
}

/** Returns the next people in the order of person_key who are in the audience and are not members yet. */
export async function newMembers(
  tx: Queries,
  { workspaceId, campaignId }: CampaignRef,
  { condition, after, limit }: { condition: Condition; after: string | null; limit: number },
): Promise<string[]> {
  const rows = await tx.query<{ person_key: string }>(sql`
    select p.person_key from people p
    where p.workspace_id = ${workspaceId}::uuid ${after === null ? empty : sql`and p.person_key > ${after}::uuid`}
      and not exists (select from campaign_members m where m.campaign_id = ${campaignId}::uuid and m.person_key = p.person_key)
      and ${condition}
    order by p.person_key limit ${limit}`);
  return rows.map((row) => row.person_key);
}

/** Adds members. Returns those who are new. */
export async function addMembers(
  tx: Queries,
  { workspaceId, campaignId }: CampaignRef,
  personKeys: string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ person_key: string }>(sql`
    insert into campaign_members (person_key, campaign_id, workspace_id, since)
    select key, ${campaignId}::uuid, ${workspaceId}::uuid, ${now}::timestamptz from unnest(${personKeys}::uuid[]) as t (key) order by key
    on conflict do nothing returning person_key`);
  return rows.map((row) => row.person_key);
}

/** Adds all people who are in the audience now. */
export const addAllMembers = (
  tx: Queries,
  { workspaceId, campaignId }: CampaignRef,
  condition: Condition,
  now: Date,
): Promise<number> =>
  tx.execute(sql`
    insert into campaign_members (person_key, campaign_id, workspace_id, since)
    select p.person_key, ${campaignId}::uuid, ${workspaceId}::uuid, ${now}::timestamptz from people p
    where p.workspace_id = ${workspaceId}::uuid and ${condition}
    on conflict do nothing`);

/** Removes members who are no longer in the audience. */
export const dropMembers = (
  tx: Queries,
  { workspaceId, campaignId }: CampaignRef,
  condition: Condition,
): Promise<number> =>
  tx.execute(sql`
    delete from campaign_members m where m.campaign_id = ${campaignId}::uuid and not exists (
      select from people p where p.person_key = m.person_key and p.workspace_id = ${workspaceId}::uuid and ${condition})`);

export const forgetMembers = (tx: Queries, { campaignId }: CampaignRef): Promise<number> =>
  tx.execute(sql`delete from campaign_members where campaign_id = ${campaignId}`);

/** Begins to sweep for a campaign. Returns whether its audience differs from the one before. */
export async function beginSweeps(tx: Queries, campaign: CampaignRef, audience: object, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into campaign_sweeps as old (workspace_id, campaign_id, audience, due_at)
    values (${campaign.workspaceId}, ${campaign.campaignId}, ${JSON.stringify(audience)}::jsonb, ${now})
    on conflict (workspace_id, campaign_id) do update
      set audience = excluded.audience, after_key = null, started_at = null, due_at = excluded.due_at
      where old.audience <> excluded.audience
    returning campaign_id`);
  return rows.length === 1;
}

export const endSweeps = (tx: Queries, campaign: CampaignRef): Promise<number> =>
  tx.execute(sql`
    delete from campaign_sweeps where workspace_id = ${campaign.workspaceId} and campaign_id = ${campaign.campaignId}`);

/** A sweep of a campaign that people enter with an audience. */
export interface Sweep {
  workspace_id: string;
  campaign_id: string;
  graph: number;
  after_key: string | null;
  started_at: Date | null;
}

/** Locks and returns the first due sweep of an active campaign that no other transaction holds. */
export async function takeSweep(tx: Queries, now: Date): Promise<Sweep | undefined> {
  const [row] = await tx.query<Sweep>(sql`
    select s.workspace_id, s.campaign_id, c.graph, s.after_key, s.started_at from campaign_sweeps s
    join campaigns c on c.workspace_id = s.workspace_id and c.id = s.campaign_id and c.status = 'active'
    where s.due_at <= ${now} order by s.due_at limit 1 for update of s skip locked`);
  return row;
}

/** Writes the progress of a sweep, or when the next one is due. */
export const moveSweep = (
  tx: Queries,
  { workspace_id, campaign_id }: Sweep,
  { afterKey, startedAt, dueAt }: { afterKey: string | null; startedAt: Date | null; dueAt: Date },
): Promise<number> =>
  tx.execute(sql`
    update campaign_sweeps set after_key = ${afterKey}, started_at = ${startedAt}, due_at = ${dueAt}
    where workspace_id = ${workspace_id} and campaign_id = ${campaign_id}`);
