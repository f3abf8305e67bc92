import { prepared, type Queries, sql, type Sql } from "../../platform/db/index.ts";
import { byRead, COUNTS_JOIN, type FirstRead, LIVE_COLUMNS, type LiveRow, type ReadAfter } from "./live-store.ts";

// The later pages of a sync: what follows a position, without hidden versions.

/** A version of a definition. */
export interface LiveVersion {
  message_id: string;
  message_version: number;
}

/**
 * The distinct versions of a person's live deliveries with the priority of `last` or a lower one. Each step of the recursion
 * jumps to the next version in the index, so that 5,000 deliveries of 2 versions cost three look-ups and not 5,000 rows.
 */
const distinctVersions = (key: Sql): Sql => sql`
  with recursive v as (
    (select d.priority, d.message_id, d.message_version from deliveries d
     where d.person_key = ${key} and d.live and d.priority <= last.priority
     order by d.priority desc, d.message_id desc, d.message_version desc limit 1)
    union all
    select beyond.* from v
    cross join lateral (
      select d.priority, d.message_id, d.message_version from deliveries d
      where d.person_key = ${key} and d.live
        and (d.priority, d.message_id, d.message_version) < (v.priority, v.message_id, v.message_version)
      order by d.priority desc, d.message_id desc, d.message_version desc limit 1) beyond)`;

/** Reads the versions of each person's live deliveries with the priority of `after` or a lower one. */
export async function versionsAfter(q: Queries, reads: ReadAfter[]): Promise<LiveVersion[][]> {
  if (q.distributed) return Promise.all(reads.map((one) => versionsOfOne(q, one)));
  const rows = await q.query<LiveVersion & { n: number }>(
    prepared(
      "inapp.versionsAfter",
      sql`
      select a.n::integer, v.message_id, v.message_version
      from unnest(
        (select ${reads.map((one) => one.personKey)}::uuid[]),
        (select ${reads.map((one) => one.after)}::uuid[])
      ) with ordinality as a (person_key, last, n)
      join deliveries last on last.person_key = a.person_key and last.id = a.last
      cross join lateral (${distinctVersions(sql`a.person_key`)} select * from v) v`,
    ),
  );
  return byRead(reads, rows);
}

/** The versions of one person, whose shard is asked alone: recursion and limits work within a shard only. */
const versionsOfOne = (q: Queries, { personKey, after }: ReadAfter): Promise<LiveVersion[]> =>
  q.query(
    prepared(
      "inapp.versionsAfter",
      sql`
      select v.message_id, v.message_version from deliveries last
      cross join lateral (${distinctVersions(sql`${personKey}::uuid`)} select * from v) v
      where last.person_key = ${personKey}::uuid and last.id = ${after}::uuid`,
    ),
  );

/** A read of a person's live deliveries after a position, without hidden versions. */
export interface NextRead extends ReadAfter, FirstRead {
  /** Versions whose deliveries are left out. */
  hidden: readonly LiveVersion[];
}

/** Selects the deliveries of one person after `last`, in the ranges of the versions that are not hidden. */
const beyond = (key: Sql, hidden: Sql, want: Sql): Sql => sql`
        ${distinctVersions(key)}
        select one.* from (
          select * from v
          where (v.message_id, v.message_version) not in (select * from ${hidden})
          offset 0) v
        cross join lateral (
          select * from deliveries d
          where d.person_key = ${key} and d.live and d.priority = v.priority
            and d.message_id = v.message_id and d.message_version = v.message_version
            and (d.queued_at, d.id) > (
              case when v.priority < last.priority then '-infinity' else last.queued_at end,
              case when v.priority < last.priority then '00000000-0000-0000-0000-000000000000' else last.id end)
          order by d.queued_at fetch first (${want}) rows with ties) one`;

/**
 * Reads the live deliveries after `after`, without those of the hidden versions, whose rows are never touched. It reads one index
 * range per version, which begins after `after` where the priorities are equal, and at its start where the version's is lower.
 * The index has no id, which would cost each insert 16 bytes more; "with ties" passes all rows of one instant to the sort.
 */
export async function nextLive(q: Queries, reads: NextRead[]): Promise<LiveRow[][]> {
  if (q.distributed) return Promise.all(reads.map((one) => nextOfOne(q, one)));
  const rows = await q.query<LiveRow & { n: number }>(
    prepared(
      "inapp.nextLive",
      sql`
      with a as materialized (
        select person_key, want, last, ids::uuid[] as ids, versions::integer[] as versions, n
        from unnest(
          (select ${reads.map((one) => one.personKey)}::uuid[]),
          (select ${reads.map((one) => one.want)}::integer[]),
          (select ${reads.map((one) => one.after)}::uuid[]),
          (select ${reads.map(({ hidden }) => list(hidden.map((v) => v.message_id)))}::text[]),
          (select ${reads.map(({ hidden }) => list(hidden.map((v) => v.message_version)))}::text[])
        ) with ordinality as t (person_key, want, last, ids, versions, n))
      select a.n::integer, ${LIVE_COLUMNS}
      from a
      join deliveries last on last.person_key = a.person_key and last.id = a.last
      cross join lateral (
        ${beyond(sql`a.person_key`, sql`unnest(a.ids, a.versions)`, sql`a.want`)}
        order by one.priority desc, one.queued_at, one.id limit a.want) d
      ${COUNTS_JOIN}`,
    ),
  );
  return byRead(reads, rows);
}

/** The deliveries of one person, whose shard is asked alone. */
const nextOfOne = (q: Queries, { personKey, want, after, hidden }: NextRead): Promise<LiveRow[]> => {
  const key = sql`${personKey}::uuid`;
  const versions = sql`unnest(${list(hidden.map((v) => v.message_id))}::uuid[], ${list(hidden.map((v) => v.message_version))}::integer[])`;
  return q.query(
    prepared(
      "inapp.nextLive",
      sql`
      select ${LIVE_COLUMNS} from deliveries last
      cross join lateral (${beyond(key, versions, sql`${want}::integer`)}
        order by one.priority desc, one.queued_at, one.id limit ${want}) d
      left join in_app_counts c on d.shared_limits and c.person_key = ${key} and c.message_id = d.message_id
      where last.person_key = ${key} and last.id = ${after}::uuid
      order by d.priority desc, d.queued_at, d.id`,
    ),
  );
};

/** An array in PostgreSQL's text form: a parameter can't be an array of arrays of different lengths. */
const list = (values: (string | number)[]): string => `{${values.join(",")}}`;
