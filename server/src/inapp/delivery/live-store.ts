import { prepared, type Queries, sql, type Sql } from "../../platform/db/index.ts";
import type { Candidate } from "../rules/gates.ts";

/*
 * The live deliveries of a person, in sync's order: priority, queue time, id.
 *
 * Arrays are passed as `(select array)`, here and in store.ts. Where PostgreSQL sees an array's length, the plan for this one call
 * looks cheaper than the generic plan, and it plans every call anew: 0.3 ms, where running the statement takes 0.1.
 */

/** A live delivery as sync reads it. Times are numbers, not dates, because sync parses six of them for each request. */
export interface LiveRow extends Candidate {
  id: string;
  message_id: string;
  message_version: number;
  /** jsonb as text, to be spliced into the answer without parsing it. */
  content: string | null;
  /** Whether it is a test delivery; its trace is kept, see test-syncs.ts. */
  test: boolean;
}

/** The columns of a LiveRow, from `deliveries d` joined with COUNTS_JOIN. */
// date_part, not extract: extract computes by numeric, which costs more than reading the row.
export const LIVE_COLUMNS = sql`d.id, d.message_id, d.message_version, d.content::text as content, d.source = 'test' as test,
  coalesce(c.impressions, d.impressions) as impressions, date_part('epoch', d.expires_at) * 1000 as expires_at,
  date_part('epoch', coalesce(c.last_impression_at, d.last_impression_at)) * 1000 as last_impression_at`;

/**
 * Joins the person's impressions of the message over all deliveries, where its limits are shared. `offset 0` keeps the subquery
 * separate, so that `d.shared_limits` is checked first: for other rows no index is opened.
 */
export const COUNTS_JOIN = sql`left join lateral (
    select n.impressions, n.last_impression_at, n.revision from in_app_counts n
    where d.shared_limits and n.person_key = d.person_key and n.message_id = d.message_id
    offset 0) c on true`;

/** COUNTS_JOIN for statements that read several people in shards, where no subquery with `offset` can. */
const COUNTS_OF_MANY = sql`left join in_app_counts c
    on d.shared_limits and c.person_key = d.person_key and c.message_id = d.message_id`;

/** The join of the counts, for a statement that reads several people. */
export const countsJoin = (q: Pick<Queries, "distributed">): Sql => (q.distributed ? COUNTS_OF_MANY : COUNTS_JOIN);

/** A read of a person's first live deliveries. */
export interface FirstRead {
  personKey: string;
  /** The most rows to return. */
  want: number;
}

/** Reads the first live deliveries of each person: one index range a person, in one statement for all reads. */
export async function firstLive(q: Queries, reads: FirstRead[]): Promise<LiveRow[][]> {
  if (q.distributed) return firstInShards(q, reads);
  const rows = await q.query<LiveRow & { n: number }>(
    prepared(
      "inapp.firstLive",
      sql`
      select a.n::integer, ${LIVE_COLUMNS}
      from unnest(
        (select ${reads.map((one) => one.personKey)}::uuid[]),
        (select ${reads.map((one) => one.want)}::integer[])
      ) with ordinality as a (person_key, want, n)
      cross join lateral (
        select * from deliveries d where d.person_key = a.person_key and d.live
        order by d.priority desc, d.queued_at, d.id limit a.want) d
      ${COUNTS_JOIN}`,
    ),
  );
  return byRead(reads, rows);
}

/** Reads the same where the people are in shards, by which no `lateral` with a limit can be fed: each shard numbers the rows of its people. */
async function firstInShards(q: Queries, reads: FirstRead[]): Promise<LiveRow[][]> {
  const rows = await q.query<LiveRow & { person_key: string }>(
    prepared(
      "inapp.firstLive",
      sql`
      select * from (
        select d.person_key, ${LIVE_COLUMNS},
          row_number() over (partition by d.person_key order by d.priority desc, d.queued_at, d.id) as nth
        from deliveries d ${COUNTS_OF_MANY}
        where d.person_key = any(${reads.map((one) => one.personKey)}::uuid[]) and d.live) r
      where nth <= ${Math.max(...reads.map((one) => one.want))} order by person_key, nth`,
    ),
  );
  const byPerson = Map.groupBy(rows, (row) => row.person_key);
  return reads.map(({ personKey, want }) => byPerson.get(personKey)?.slice(0, want) ?? []);
}

/** Reads a page of the explainer: one person's live deliveries after the delivery `after`, which need not be live any more. */
export const liveAfter = (q: Queries, { personKey, after, want }: ReadAfter & FirstRead): Promise<LiveRow[]> =>
  q.query(
    prepared(
      "inapp.liveAfter",
      sql`
      select ${LIVE_COLUMNS} from deliveries last
      join deliveries d on d.person_key = last.person_key and d.live and d.priority <= last.priority
        and (d.priority < last.priority or (d.queued_at, d.id) > (last.queued_at, last.id))
      ${COUNTS_JOIN}
      where last.person_key = ${personKey} and last.id = ${after}
      order by d.priority desc, d.queued_at, d.id limit ${want}`,
    ),
  );

/** A position in a person's live deliveries: the read begins after it. */
export interface ReadAfter {
  personKey: string;
  /** A delivery of this person. */
  after: string;
}

/** Groups the rows by read. The rows of one read arrive in order; those of different reads may be mixed. */
export function byRead<T extends object>(reads: unknown[], rows: (T & { n: number })[]): T[][] {
  const found: T[][] = reads.map(() => []);
  for (const row of rows) found[row.n - 1]?.push(row);
  return found;
}
