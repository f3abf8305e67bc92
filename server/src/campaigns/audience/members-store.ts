import type { conditionFor } from "../../audiences/index.ts";
import { empty, given, lockOf, type Queries, rowsToCheck, sql } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import type { CampaignRef } from "../run/run.ts";

/** An audience's condition on `people p`. */
type Condition = Awaited<ReturnType<typeof conditionFor>>;

/** Queues people for a check, in the transaction that changes their data. */
export const askToCheck = (tx: Queries, people: { workspaceId: string; personKey: string }[]): Promise<number> =>
  tx.execute(sql`
    insert into campaign_checks (person_key, id, workspace_id)
    select * from unnest(${people.map((one) => one.personKey)}::uuid[], ${people.map(() => newId())}::uuid[],
      ${people.map((one) => one.workspaceId)}::uuid[])`);

/** Takes the oldest checks that no other transaction holds. They are deleted when the transaction commits. */
export function takeChecks(tx: Queries, limit: number): Promise<{ person_key: string; workspace_id: string }[]> {
  const lock = lockOf(tx, sql`for update skip locked`);
  return tx.query(sql`
    with oldest as materialized (
      select person_key, id from campaign_checks order by id limit ${limit} ${lock})
    delete from campaign_checks c using oldest o where c.person_key = o.person_key and c.id = o.id
    returning c.person_key, c.workspace_id`);
}

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
    ${rowsToCheck(tx, personKeys.toSorted(), { key: given.uuid((key) => key) }, ({ key }) => sql`${key}, ${campaignId}::uuid, ${workspaceId}::uuid, ${now}::timestamptz`)}
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
