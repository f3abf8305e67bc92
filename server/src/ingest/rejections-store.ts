import type { RejectedQuery } from "@tidings/contract/facts/ingest";
import { empty, type Queries, sql } from "../platform/db/index.ts";
import type { FieldError } from "../platform/http/index.ts";

export interface RejectedRow {
  workspace_id: string;
  id: string;
  at: Date;
  route: string;
  item: number | null;
  request_id: string;
  person_key: string | null;
  person_id: string | null;
  code: string;
  reason: string;
  errors: FieldError[];
  data: unknown;
}

export interface RejectedCount {
  workspace_id: string;
  hour: Date;
  route: string;
  code: string;
  rejected: number;
  not_kept: number;
  last_at: Date;
}

/** Stores refused data. For an erased person it stores only that something was refused: data that an old phone still sends must not bring the person back. */
export const insertRejected = (tx: Queries, rows: RejectedRow[]): Promise<number> =>
  tx.execute(sql`
    insert into rejected_data (
      workspace_id, id, at, route, item, request_id, code, reason,
      errors, person_key, person_id, data)
    select
      r.workspace_id, r.id, r.at, r.route, r.item, r.request_id, r.code, r.reason,
      r.errors::jsonb,
      case when e.person_key is null then r.person_key end,
      case when e.person_key is null then r.person_id end,
      case when e.person_key is null then r.data::jsonb end
    from unnest(
      ${rows.map((row) => row.workspace_id)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.at)}::timestamptz[],
      ${rows.map((row) => row.route)}::text[],
      ${rows.map((row) => row.item)}::integer[],
      ${rows.map((row) => row.request_id)}::text[],
      ${rows.map((row) => row.code)}::text[],
      ${rows.map((row) => row.reason)}::text[],
      ${rows.map((row) => JSON.stringify(row.errors))}::text[],
      ${rows.map((row) => row.person_key)}::uuid[],
      ${rows.map((row) => row.person_id)}::text[],
      ${rows.map((row) => (row.data === null ? null : JSON.stringify(row.data)))}::text[]
    ) as r (workspace_id, id, at, route, item, request_id, code, reason, errors, person_key, person_id, data)
    left join erased_people e on e.person_key = r.person_key`);

/** Adds to the counts. They must be sorted, so that two processes lock them in the same order. */
export const addCounts = (tx: Queries, counts: RejectedCount[]): Promise<number> =>
  tx.execute(sql`
    insert into rejected_counts (workspace_id, hour, route, code, rejected, not_kept, last_at)
    select * from unnest(
      ${counts.map((row) => row.workspace_id)}::uuid[],
      ${counts.map((row) => row.hour)}::timestamptz[],
      ${counts.map((row) => row.route)}::text[],
      ${counts.map((row) => row.code)}::text[],
      ${counts.map((row) => row.rejected)}::bigint[],
      ${counts.map((row) => row.not_kept)}::bigint[],
      ${counts.map((row) => row.last_at)}::timestamptz[])
    on conflict (workspace_id, hour, route, code) do update set
      rejected = rejected_counts.rejected + excluded.rejected,
      not_kept = rejected_counts.not_kept + excluded.not_kept,
      last_at = greatest(rejected_counts.last_at, excluded.last_at)`);

/** Lists refused data, newest first. */
export const rejectedOf = (
  q: Queries,
  workspaceId: string,
  {
    code,
    route,
    since,
    until,
    personKey,
    before,
    limit,
  }: Pick<RejectedQuery, "code" | "route" | "since" | "until"> & {
    personKey: string | undefined;
    before: string | undefined;
    limit: number;
  },
): Promise<RejectedRow[]> =>
  q.query(sql`
    select * from rejected_data
    where workspace_id = ${workspaceId}
      ${before === undefined ? empty : sql`and id < ${before}::uuid`}
      ${code === undefined ? empty : sql`and code = ${code}`}
      ${route === undefined ? empty : sql`and route = ${route}`}
      ${personKey === undefined ? empty : sql`and person_key = ${personKey}::uuid`}
      ${since === undefined ? empty : sql`and at >= ${since}::timestamptz`}
      ${until === undefined ? empty : sql`and at < ${until}::timestamptz`}
    order by id desc limit ${limit}`);

export async function rejectedById(q: Queries, workspaceId: string, id: string): Promise<RejectedRow | undefined> {
  const rows = await q.query<RejectedRow>(
    sql`select * from rejected_data where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return rows[0];
}

/** Returns the counts by route and code, the largest first. */
export const countsOf = (
  q: Queries,
  workspaceId: string,
  since: Date,
): Promise<Omit<RejectedCount, "workspace_id" | "hour">[]> =>
  q.query(sql`
    select route, code, sum(rejected)::bigint as rejected, sum(not_kept)::bigint as not_kept, max(last_at) as last_at
    from rejected_counts
    where workspace_id = ${workspaceId} and hour >= date_trunc('hour', ${since}::timestamptz)
    group by route, code
    order by sum(rejected) desc, route, code`);

/** Deletes rows that are older than `before` and all except the newest `most`; at most `limit` rows at once. Returns how many. */
export const forgetRejected = (
  tx: Queries,
  workspaceId: string,
  { before, most, limit }: { before: Date; most: number; limit: number },
): Promise<number> =>
  tx.execute(sql`
    with old as (
      select id from rejected_data
      where workspace_id = ${workspaceId} and (
        at < ${before}
        or id <= (
          select id from rejected_data
          where workspace_id = ${workspaceId}
          order by id desc offset ${most} limit 1))
      limit ${limit} for update skip locked)
    delete from rejected_data d using old
    where d.workspace_id = ${workspaceId} and d.id = old.id`);

export const forgetCounts = (tx: Queries, workspaceId: string, before: Date): Promise<number> =>
  tx.execute(sql`delete from rejected_counts where workspace_id = ${workspaceId} and hour < ${before}`);
