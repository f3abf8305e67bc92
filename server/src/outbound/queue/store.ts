import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { choosing, inShardsOf, once, prepared, type Queries, raw, type Sql, sql } from "../../platform/db/index.ts";
import type { Job } from "../message/message.ts";
import type { Lane } from "./lane.ts";
import { HORIZON_MS } from "./retry.ts";

/** How long a claimed delivery is ours without a renewal. The rows of a dead process become due again within it. */
export const LEASE_SECONDS = 60;
export const LEASE = raw(`interval '${LEASE_SECONDS} seconds'`);
/** How long a delivery is repeated, counted from when it was first due. */
export const HORIZON = raw(`interval '${HORIZON_MS} milliseconds'`);
/** Stored bytes up to which a claim returns the content. Bigger contents are loaded when their turn comes, a few at a time. */
const MOST_CLAIMED_BYTES = 64 * 1024;

interface JobRow {
  workspace_id: string;
  person_key: string;
  id: string;
  channel: PushedChannel;
  bulk: boolean;
  recipient: string;
  content: Job["content"];
  attempts: number;
  at_most_once: boolean;
  retain_content: boolean;
  undetermined: boolean;
  overdue: boolean | null;
  expires_in: number | null;
  respects_subscription: boolean;
  topic_id: string | null;
}

/**
 * The lower bound excludes no row. It tells PostgreSQL to expect few rows: without it the plan that is made and kept while the
 * table is empty reads all of it, and a first in-app broadcast to 500,000 people made each claim of emails take 2 s.
 */
const IS_DUE = sql`due_at <= now() and due_at > '-infinity'`;

/** True for every id. PostgreSQL expects few rows by it, so that also the plan of an empty table looks claimed rows up by key. */
const ANY_ID = sql`due.id between '00000000-0000-0000-0000-000000000000' and 'ffffffff-ffff-ffff-ffff-ffffffffffff'`;

/** Deliveries of a suspended workspace wait. The sub-select runs once for a claim, and only where something is due. */
const NOT_SUSPENDED = sql`workspace_id <> all (array(select id from workspaces where status = 'suspended'))`;

const notIn = (full: Lane[]) =>
  sql`(workspace_id, channel) not in (
    select * from unnest(
      ${full.map((lane) => lane.workspaceId)}::uuid[],
      ${full.map((lane) => lane.channel)}::text[]))`;

/** Which deliveries a claim looks for. */
export interface Kinds {
  /** Those to one person, which go first. */
  first: boolean;
  /** Those that are one of many. */
  bulk: boolean;
}

/**
 * The parts of a claim: how many of bulk, all that are chosen, and what is returned by the clock. In shards a limit must be a number, so that
 * too many of bulk are chosen first; and what is returned must come from immutable functions, so that the instants are chosen with the rows.
 */
type ClaimParts = [room: (most: number) => Sql, chosen: (most: number) => Sql, seen: Sql];
const WHOLE_CLAIM: ClaimParts = [
  (most) => sql`greatest(0, ${most} - (select count(*) from first))`,
  () => sql`select * from first union all select * from rest`,
  sql`d.first_due_at < now() - ${HORIZON} as overdue,
        extract(epoch from d.expires_at - now())::float8 * 1000 as expires_in,
        case when pg_column_size(d.content) <= ${MOST_CLAIMED_BYTES} then d.content end as content`,
];
const SHARDED_CLAIM: ClaimParts = [
  (most) => sql`${most}`,
  (most) => sql`
        select person_key, id, now() as now, now() - ${HORIZON} as horizon from (
          select person_key, id, 0 as turn from first union all select person_key, id, 1 from rest) as found
        order by turn limit ${most}`,
  sql`d.first_due_at < due.horizon as overdue,
        extract(epoch from d.expires_at - due.now)::float8 * 1000 as expires_in,
        case when octet_length(d.content::text) <= ${MOST_CLAIMED_BYTES} then d.content end as content`,
];

/**
 * Leases due deliveries, those that are due for the longest first, and bulk only where the others leave room. An `at_most_once`
 * delivery becomes `sending` only by `begin`: so a row that a dead process had begun differs from one that it had only claimed,
 * and comes back as `undetermined`. Lanes that have their share already (`full`) and suspended workspaces are left out. The
 * statement still reads past their rows, so `kinds` leaves out a kind that nobody needs.
 * @param most how many
 */
export async function claim(
  q: Queries,
  leaseId: string,
  most: number,
  { full, kinds = { first: true, bulk: true } }: { full: Lane[]; kinds?: Kinds },
): Promise<Job[]> {
  // The end of a lease is in the future: of two that chose a row, the second writes none.
  const { lock, still } = choosing(q, sql`for update skip locked`, sql`d.due_at <= now()`);
  const [room, chosen, seen] = q.distributed ? SHARDED_CLAIM : WHOLE_CLAIM;
  const rows = await q.query<JobRow>(
    prepared(
      "outbound.claim",
      sql`
      with first as materialized (
        select person_key, id from deliveries
        where not bulk and ${IS_DUE} and ${NOT_SUSPENDED} and ${notIn(full.filter((lane) => !lane.bulk))}
        order by due_at limit ${kinds.first ? most : 0} ${lock}),
      rest as materialized (
        select person_key, id from deliveries
        where bulk and ${IS_DUE} and ${NOT_SUSPENDED} and ${notIn(full.filter((lane) => lane.bulk))}
        order by due_at limit ${room(kinds.bulk ? most : 0)} ${lock}),
      due as materialized (${chosen(most)})
      update deliveries d set
        lease_id = ${leaseId},
        due_at = now() + ${LEASE},
        status = case when d.at_most_once then d.status else 'sending' end
      from due
      where d.person_key = due.person_key and d.id = due.id and ${ANY_ID} ${still}
      returning d.workspace_id, d.person_key, d.id, d.channel, d.bulk, d.recipient, d.attempts, d.at_most_once,
        d.retain_content, d.respects_subscription, d.topic_id,
        d.at_most_once and d.status = 'sending' as undetermined, ${seen}`,
    ),
  );
  const now = performance.now();
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    personKey: row.person_key,
    deliveryId: row.id,
    channel: row.channel,
    bulk: row.bulk,
    recipient: row.recipient,
    content: row.content,
    attempts: row.attempts,
    leaseId,
    atMostOnce: row.at_most_once,
    retainContent: row.retain_content,
    undetermined: row.undetermined,
    overdue: row.overdue ?? false,
    ...(row.expires_in !== null && { expiresBy: now + row.expires_in }),
    ...(row.respects_subscription && { respects: { topicId: row.topic_id } }),
  }));
}

/** The content of a claimed delivery; null where the lease is lost. */
export async function contentOf(q: Queries, job: Job): Promise<Job["content"]> {
  const [row] = await q.query<{ content: Job["content"] }>(sql`
    select content from deliveries
    where person_key = ${job.personKey} and id = ${job.deliveryId} and lease_id = ${job.leaseId}`);
  return row?.content ?? null;
}

const keysOf = (jobs: Job[]): string[] => jobs.map((job) => job.personKey);

const fenced = (q: Queries, jobs: Job[]) => sql`
  unnest(
    ${keysOf(jobs)}::uuid[],
    ${jobs.map((job) => job.deliveryId)}::uuid[],
    ${jobs.map((job) => job.leaseId)}::uuid[]
  ) as t (person_key, id, lease_id)
  where d.person_key = t.person_key and d.id = t.id and d.lease_id = t.lease_id ${inShardsOf(q, "d.person_key", keysOf(jobs))}`;

/** Marks `at_most_once` deliveries as begun, before any provider may have them. Returns the ids whose lease is still ours. */
export async function begin(q: Queries, jobs: Job[]): Promise<Set<string>> {
  const rows = await q.query<{ id: string }>(
    sql`update deliveries d set status = 'sending' from ${fenced(q, jobs)} returning d.id`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Extends the leases. Returns the ids that are still ours. */
export async function renew(q: Queries, jobs: Job[]): Promise<Set<string>> {
  const rows = await q.query<{ id: string }>(
    sql`update deliveries d set due_at = now() + ${LEASE} from ${fenced(q, jobs)} returning d.id`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Gives back deliveries that were claimed and not begun: any process may claim them at once. */
export const release = (q: Queries, jobs: Job[]): Promise<number> =>
  q.execute(sql`update deliveries d set due_at = now(), lease_id = null, status = 'queued' from ${fenced(q, jobs)}`);

/**
 * Gives back deliveries that were leased by statements whose answer never came: nobody holds them. An `at_most_once` delivery
 * keeps its status, which shows whether it had begun. Leased rows are due within a lease's time, so few rows are read.
 */
export const takeBack = (q: Queries, leases: string[]): Promise<number> =>
  q.execute(sql`
    update deliveries set
      due_at = now(),
      lease_id = null,
      status = case when at_most_once then status else 'queued' end
    where bulk in (true, false) and due_at > now() and due_at <= now() + ${LEASE}
      and lease_id = any(${leases}::uuid[])`);

/** A delivery that could not be handed to any provider. */
export interface PutBack {
  job: Job;
  reason: string;
  /** When it is due again; 0 where its lane is paused. */
  waitMs: number;
}

/**
 * Gives back deliveries that could not be handed to any provider. This is no attempt. Where the lane is paused they stay due: the
 * pause keeps this process from claiming them and ends at once when somebody corrects the provider, and another process may
 * send them in the meantime.
 */
export const putBack = (q: Queries, list: PutBack[]): Promise<number> =>
  q.execute(sql`
    with t as ${once(q)} (
      select *, now() + wait_ms * interval '1 millisecond' as again_at from unnest(
        ${list.map((l) => l.job.personKey)}::uuid[],
        ${list.map((l) => l.job.deliveryId)}::uuid[],
        ${list.map((l) => l.job.leaseId)}::uuid[],
        ${list.map((l) => l.reason)}::text[],
        ${list.map((l) => l.waitMs)}::float8[]
      ) as t (person_key, id, lease_id, reason, wait_ms))
    update deliveries d set due_at = t.again_at, lease_id = null, status = 'queued', reason = t.reason
    from t
    where d.person_key = t.person_key and d.id = t.id and d.lease_id = t.lease_id
      ${inShardsOf(q, "d.person_key", keysOf(list.map((one) => one.job)))}`);
