import { type Queries, sql } from "../platform/db/index.ts";
import type { SeenEvent } from "./store.ts";

/** How far the catalog of a workspace is filled. */
export interface Fill {
  workspace_id: string;
  after_event: string;
  after_key: string | null;
}

/** Returns the workspaces whose catalog is not filled, with the place to continue at. */
export const unfilled = (q: Queries): Promise<Fill[]> =>
  q.query(sql`
    select w.id as workspace_id, coalesce(f.after_event, '') as after_event, f.after_key
    from workspaces w left join catalog_fills f on f.workspace_id = w.id
    where f.done is not true order by w.id`);

export const moveFill = (q: Queries, fill: Fill, done: boolean): Promise<number> =>
  q.execute(sql`
    insert into catalog_fills (workspace_id, after_event, after_key, done)
    values (${fill.workspace_id}, ${fill.after_event}, ${fill.after_key}, ${done})
    on conflict (workspace_id) do update set
      after_event = excluded.after_event, after_key = excluded.after_key, done = excluded.done`);

/**
 * Returns the next event name after `after` with its first and last time and how many of the newest happened on the last day. Three
 * probes of the index, and at most `limit` entries of it.
 */
export async function nextStored(
  q: Queries,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<SeenEvent | undefined> {
  if (q.distributed) return nextInShards(q, { workspaceId, after, limit });
  const [row] = await q.query<SeenEvent>(sql`
    with next as (select name from events where workspace_id = ${workspaceId} and name > ${after} order by name limit 1)
    select ${workspaceId}::text as "workspaceId", n.name, a.ts as first, z.ts as last,
      (select count(*) from (
        select from events e where e.workspace_id = ${workspaceId} and e.name = n.name
          and e.ts >= date_trunc('day', z.ts, 'UTC') limit ${limit}) as counted) as count
    from next n
      cross join lateral (select ts from events e where e.workspace_id = ${workspaceId} and e.name = n.name order by ts limit 1) a
      cross join lateral (select ts from events e where e.workspace_id = ${workspaceId} and e.name = n.name order by ts desc limit 1) z`);
  return row;
}

/** Finds the next name, its newest event and its sample in three statements, each of which all shards answer from the index. */
async function nextInShards(
  q: Queries,
  { workspaceId, after, limit }: { workspaceId: string; after: string; limit: number },
): Promise<SeenEvent | undefined> {
  const [next] = await q.query<{ name: string }>(sql`
    select name from events where workspace_id = ${workspaceId} and name > ${after} order by name limit 1`);
  if (!next) return undefined;
  const named = sql`workspace_id = ${workspaceId} and name = ${next.name}`;
  const [times] = await q.query<{ first: Date; last: Date; day: Date }>(sql`
    select min(ts) as first, max(ts) as last, date_trunc('day', max(ts), 'UTC') as day from events where ${named}`);
  if (!times) return undefined;
  const newest = await q.query(sql`select 1 from events where ${named} and ts >= ${times.day} limit ${limit}`);
  return { workspaceId, name: next.name, first: times.first, last: times.last, count: newest.length };
}

/** Returns the properties of at most `limit` of the newest events of a name. */
export const newestProperties = (
  q: Queries,
  workspaceId: string,
  event: string,
  limit: number,
): Promise<{ at: Date; values: Record<string, unknown> }[]> =>
  q.query(sql`
    select ts as at, properties as values from events
    where workspace_id = ${workspaceId} and name = ${event} order by ts desc limit ${limit}`);

/** Returns the attributes of the next people of a workspace, in the order of their keys. */
export const nextPeople = (
  q: Queries,
  workspaceId: string,
  after: string | null,
  limit: number,
): Promise<{ key: string; at: Date; values: Record<string, unknown> }[]> =>
  q.query(sql`
    select person_key as key, updated_at as at, attributes || jsonb_strip_nulls(jsonb_build_object(
        'email', email, 'phone', phone, 'timezone', timezone, 'locale', locale)) as values
    from people where workspace_id = ${workspaceId}
      and person_key > ${after ?? "00000000-0000-0000-0000-000000000000"}::uuid
    order by person_key limit ${limit}`);
