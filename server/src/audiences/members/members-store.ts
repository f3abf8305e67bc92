import type { Filter } from "@tidings/contract/audience/audiences";
import type { Person } from "../../people/index.ts";
import { empty, given, type Queries, rowsToCheck, sql } from "../../platform/db/index.ts";
import type { FilterContext } from "../filter/context.ts";
import { conditionOf } from "../filter/filter-store.ts";

/** Raises the working memory for counting until the transaction ends: with 4 MB PostgreSQL looks up the events of 100,000 people one by one. */
export const roomToCount = (tx: Queries): Promise<number> =>
  tx.execute(sql`select set_config('work_mem', '64MB', true)`);

/** Returns how many people match, and a sample, which stays the same while no data change. */
export async function countWithSample(
  q: Queries,
  filter: Filter,
  context: FilterContext,
  sample: number,
): Promise<{ count: number; sample: string[] }> {
  const [row] = await q.query<{ count: number; sample: string[] }>(sql`
    with m as materialized (
      select p.person_key, p.person_id from people p
      where p.workspace_id = ${context.workspaceId}::uuid and ${conditionOf(filter, context, "everyone")})
    select (select count(*) from m) as count,
      array(select person_id from m order by person_key limit ${sample}) as sample`);
  return row ?? { count: 0, sample: [] };
}

/** The next matching people in the order of person_key. */
export const pageOf = (
  q: Queries,
  filter: Filter,
  context: FilterContext,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Person[]> =>
  q.query(sql`
    select p.person_key, p.workspace_id, p.person_id, p.email, p.phone, p.timezone, p.locale, p.subscribed, p.preferences,
      p.attributes, p.created_at, p.updated_at
    from people p
    where p.workspace_id = ${context.workspaceId}::uuid ${after === undefined ? empty : sql`and p.person_key > ${after}::uuid`}
      and ${conditionOf(filter, context, "one by one")}
    order by p.person_key limit ${limit}`);

/** The keys and timezones of the next matching people who existed at the context's time. */
export const keysOf = (
  q: Queries,
  filter: Filter,
  context: FilterContext,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Pick<Person, "person_key" | "timezone">[]> =>
  q.query(sql`
    select p.person_key, p.timezone from people p
    where p.workspace_id = ${context.workspaceId}::uuid ${after === undefined ? empty : sql`and p.person_key > ${after}::uuid`}
      and p.created_at <= ${context.now} and ${conditionOf(filter, context, "one by one")}
    order by p.person_key limit ${limit}`);

/** Whether this person matches. */
export async function isAmong(q: Queries, filter: Filter, context: FilterContext, personKey: string): Promise<boolean> {
  const rows = await q.query(sql`
    select 1 from people p where p.person_key = ${personKey}::uuid and p.workspace_id = ${context.workspaceId}::uuid
      and ${conditionOf(filter, context, "one by one")}`);
  return rows.length === 1;
}

/** Puts people on a list. Returns how many of them were not on it before: by the rows, because Citus counts also those that conflict. */
export const addMembers = async (
  tx: Queries,
  workspaceId: string,
  { list, personKeys, now }: { list: string; personKeys: string[]; now: Date },
): Promise<number> =>
  (
    await tx.query(sql`
    insert into audience_members (person_key, audience_id, workspace_id, added_at)
    ${rowsToCheck(tx, personKeys.toSorted(), { key: given.uuid((key) => key) }, ({ key }) => sql`${key}, ${list}::uuid, ${workspaceId}::uuid, ${now}::timestamptz`)}
    on conflict do nothing
    returning 1`)
  ).length;

/** Takes people off a list. Returns how many of them were on it. In shards the delete itself locks them, shard by shard. */
export const removeMembers = (tx: Queries, list: string, personKeys: string[]): Promise<number> =>
  tx.execute(
    tx.distributed
      ? sql`delete from audience_members where person_key = any(${personKeys}::uuid[]) and audience_id = ${list}`
      : sql`
    with held as materialized (
      select person_key from audience_members where person_key = any(${personKeys}::uuid[]) and audience_id = ${list}
      order by person_key for update)
    delete from audience_members m using held h where m.person_key = h.person_key and m.audience_id = ${list}`,
  );
