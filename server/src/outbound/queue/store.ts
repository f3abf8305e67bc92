import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { logged } from "../../activity/index.ts";
import { empty, jsonbs, prepared, type Queries, raw, sql, texts, unquoted } from "../../platform/db/index.ts";
import { type Job, jsonOf, type Message } from "../message/message.ts";
import type { Lane } from "./lane.ts";
import { HORIZON_MS } from "./retry.ts";

/** How long a claimed delivery is ours without a sign of life. A dead process's rows come back within it. */
export const LEASE_SECONDS = 60;
const LEASE = raw(`interval '${LEASE_SECONDS} seconds'`);
/** For how long a delivery is repeated, counted from when it was first due. */
export const HORIZON = raw(`interval '${HORIZON_MS} milliseconds'`);
/** Stored bytes up to which content travels with a claim. Bigger ones are loaded when their turn comes, a few at a time. */
const MOST_CLAIMED_BYTES = 64 * 1024;

/** A message with the lease that its row is born with, where this process sends it at once. */
export type NewDelivery = Message & { leaseId: string | null };

// Arrays of prepared statements stand in a sub-select: where PostgreSQL sees their length it never keeps a plan. For `settle`
// that is 0.81 against 0.53 ms a batch of 8 (docs/performance.md).

/**
 * Queues a batch in one statement. A delivery that exists is left alone. Gives the ids that were new.
 * @param fresh the ids were made a moment ago, so that all are new: none need come back, and none is looked for before it is
 *   written, which is a tenth of what PostgreSQL does for a row
 */
export async function insertDeliveries(tx: Queries, batch: NewDelivery[], fresh: boolean): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    prepared(
      fresh ? "outbound.insertFresh" : "outbound.insertDeliveries",
      sql`
      insert into deliveries (person_key, id, workspace_id, channel, source, source_id, variant, status, reason, queued_at, content, recipient, retain_content, at_most_once, respects_subscription, topic_id, lease_id, due_at, first_due_at, expires_at)
      select t.person_key, t.id, t.workspace_id, t.channel, t.source, t.source_id, t.variant, t.status, t.reason, t.queued_at, t.content, t.recipient, t.retain_content, t.at_most_once, t.respects, t.topic_id, t.lease_id, case
        when t.status <> 'queued' then null
        when t.lease_id is not null then clock_timestamp() + ${LEASE}
        else coalesce(t.due_at, now()) end,
        case when t.status = 'queued' then coalesce(t.due_at, now()) end,
        case when t.status = 'queued' then coalesce(t.due_at, now()) + t.expires_in * interval '1 millisecond' end
      from unnest((select ${unquoted(batch.map((m) => m.personKey))}::uuid[]), (select ${unquoted(batch.map((m) => m.deliveryId))}::uuid[]), (select ${unquoted(batch.map((m) => m.workspaceId))}::uuid[]),
        (select ${unquoted(batch.map((m) => m.channel))}::text[]), (select ${unquoted(batch.map((m) => m.source))}::text[]), (select ${unquoted(batch.map((m) => m.sourceId))}::uuid[]), (select ${texts(batch.map((m) => m.variant ?? null))}::text[]),
        (select ${unquoted(batch.map((m) => m.status))}::text[]), (select ${texts(batch.map((m) => m.reason ?? null))}::text[]), (select ${unquoted(batch.map((m) => m.queuedAt.toISOString()))}::timestamptz[]),
        (select ${jsonbs(batch.map((m) => (m.status === "queued" || m.retainContent ? jsonOf(m.content) : null)))}::jsonb[]),
        (select ${texts(batch.map((m) => m.recipient))}::text[]), (select ${unquoted(batch.map((m) => m.retainContent))}::boolean[]), (select ${unquoted(batch.map((m) => m.atMostOnce ?? false))}::boolean[]),
        (select ${unquoted(batch.map((m) => m.respects !== undefined))}::boolean[]), (select ${unquoted(batch.map((m) => m.respects?.topicId ?? null))}::uuid[]),
        (select ${unquoted(batch.map((m) => m.leaseId))}::uuid[]),
        (select ${unquoted(batch.map((m) => m.dueAt?.toISOString() ?? null))}::timestamptz[]), (select ${unquoted(batch.map((m) => m.expiresInMs ?? null))}::float8[]))
        as t (person_key, id, workspace_id, channel, source, source_id, variant, status, reason, queued_at, content, recipient, retain_content, at_most_once, respects, topic_id, lease_id, due_at, expires_in)
      ${fresh ? empty : sql`on conflict (person_key, id) do nothing returning id`}`,
    ),
  );
  return new Set(fresh ? batch.map((m) => m.deliveryId) : rows.map((row) => row.id));
}

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
 * The lower bound says nothing but that few are due. Without it the plan that is made and kept while the table is empty reads all of it: a first
 * in-app broadcast to 500,000 people made each look for emails take 2 s.
 */
const IS_DUE = sql`due_at <= now() and due_at > '-infinity'`;

/** Every id. It says that a claim leases few rows, so that they are looked up by key also by the plan of an empty table. */
const ANY_ID = sql`due.id between '00000000-0000-0000-0000-000000000000' and 'ffffffff-ffff-ffff-ffff-ffffffffffff'`;

/** What a suspended workspace has waits. Asked for once a claim, and only where something is due. */
const NOT_SUSPENDED = sql`workspace_id <> all (array(select id from workspaces where status = 'suspended'))`;

const notIn = (full: Lane[]) =>
  sql`(workspace_id, channel) not in (
    select * from unnest(${full.map((lane) => lane.workspaceId)}::uuid[], ${full.map((lane) => lane.channel)}::text[]))`;

/** What a claim looks for: what is sent to one person, and what is one of many. */
export interface Kinds {
  first: boolean;
  bulk: boolean;
}

/**
 * Leases what is due, the longest due first, and what is bulk only where there is room behind the rest. `at_most_once` becomes `sending` only by `begin`: so a row that a dead process
 * had begun can be told from one that it had merely claimed, and comes back `undetermined`.
 * Leaves out the lanes that have their share already: what waits in them is read past, so that a kind that is not asked for
 * (`kinds`) is not looked at. So is what waits in suspended workspaces. On Citus this is the
 * one named place that needs the other form: a guarded update from a select with limit, without skip locked.
 */
export async function claim(
  q: Queries,
  leaseId: string,
  most: number,
  full: Lane[],
  kinds: Kinds = { first: true, bulk: true },
): Promise<Job[]> {
  const rows = await q.query<JobRow>(
    prepared(
      "outbound.claim",
      sql`
      with first as materialized (
        select person_key, id from deliveries
        where not bulk and ${IS_DUE} and ${NOT_SUSPENDED} and ${notIn(full.filter((lane) => !lane.bulk))}
        order by due_at limit ${kinds.first ? most : 0} for update skip locked),
      rest as materialized (
        select person_key, id from deliveries
        where bulk and ${IS_DUE} and ${NOT_SUSPENDED} and ${notIn(full.filter((lane) => lane.bulk))}
        order by due_at limit greatest(0, ${kinds.bulk ? most : 0} - (select count(*) from first)) for update skip locked),
      due as materialized (select * from first union all select * from rest)
      update deliveries d set lease_id = ${leaseId}, due_at = now() + ${LEASE},
        status = case when d.at_most_once then d.status else 'sending' end
      from due
      where d.person_key = due.person_key and d.id = due.id and ${ANY_ID}
      returning d.workspace_id, d.person_key, d.id, d.channel, d.bulk, d.recipient, d.attempts, d.at_most_once, d.retain_content, d.respects_subscription, d.topic_id,
        d.at_most_once and d.status = 'sending' as undetermined, d.first_due_at < now() - ${HORIZON} as overdue,
        extract(epoch from d.expires_at - now())::float8 * 1000 as expires_in,
        case when pg_column_size(d.content) <= ${MOST_CLAIMED_BYTES} then d.content end as content`,
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

export async function contentOf(q: Queries, job: Job): Promise<Job["content"]> {
  const [row] = await q.query<{ content: Job["content"] }>(
    sql`select content from deliveries where person_key = ${job.personKey} and id = ${job.deliveryId} and lease_id = ${job.leaseId}`,
  );
  return row?.content ?? null;
}

const fenced = (
  jobs: Job[],
) => sql`unnest(${jobs.map((job) => job.personKey)}::uuid[], ${jobs.map((job) => job.deliveryId)}::uuid[],
  ${jobs.map((job) => job.leaseId)}::uuid[]) as t (person_key, id, lease_id)
  where d.person_key = t.person_key and d.id = t.id and d.lease_id = t.lease_id`;

/** Marks `at_most_once` deliveries as begun, before any provider may have them. Gives the ids that are ours. */
export async function begin(q: Queries, jobs: Job[]): Promise<Set<string>> {
  const rows = await q.query<{ id: string }>(
    sql`update deliveries d set status = 'sending' from ${fenced(jobs)} returning d.id`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Says that we live. Gives the ids that are still ours. */
export async function renew(q: Queries, jobs: Job[]): Promise<Set<string>> {
  const rows = await q.query<{ id: string }>(
    sql`update deliveries d set due_at = now() + ${LEASE} from ${fenced(jobs)} returning d.id`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Gives back what was claimed and not begun: due at once, for whoever comes first. */
export const release = (q: Queries, jobs: Job[]): Promise<number> =>
  q.execute(sql`update deliveries d set due_at = now(), lease_id = null, status = 'queued' from ${fenced(jobs)}`);

/**
 * Gives back what was leased by statements whose answer never came: nobody holds it. `at_most_once` keeps its status, by which one that
 * had begun is known. All that is leased is due within a lease, so that few rows are looked at.
 */
export const takeBack = (q: Queries, leases: string[]): Promise<number> =>
  q.execute(sql`
    update deliveries set due_at = now(), lease_id = null, status = case when at_most_once then status else 'queued' end
    where bulk in (true, false) and due_at > now() and due_at <= now() + ${LEASE} and lease_id = any(${leases}::uuid[])`);

/** What could not be handed to anybody. */
export interface PutBack {
  job: Job;
  reason: string;
  /** Not before; 0 where its lane is paused. */
  waitMs: number;
}

/**
 * Gives back what could not be handed to anybody; no attempt. Where its lane is paused it stays due: the pause keeps it from
 * being claimed here, which ends at once when somebody mends the provider, and another process may send it meanwhile.
 */
export const putBack = (q: Queries, list: PutBack[]): Promise<number> =>
  q.execute(sql`
    update deliveries d set due_at = now() + t.wait_ms * interval '1 millisecond', lease_id = null, status = 'queued', reason = t.reason
    from unnest(${list.map((l) => l.job.personKey)}::uuid[], ${list.map((l) => l.job.deliveryId)}::uuid[], ${list.map((l) => l.job.leaseId)}::uuid[],
      ${list.map((l) => l.reason)}::text[], ${list.map((l) => l.waitMs)}::float8[]) as t (person_key, id, lease_id, reason, wait_ms)
    where d.person_key = t.person_key and d.id = t.id and d.lease_id = t.lease_id`);

/** What an attempt ended in. `waitMs` is there where it is to be tried again. */
export interface Settlement {
  job: Job;
  status: "sent" | "failed" | "queued";
  reason: string | null;
  provider: string | null;
  providerMessageId: string | null;
  waitMs: number | null;
  /** For the log. */
  note: Record<string, unknown>;
  /** Push: devices whose token is dead. */
  dead: string[];
  /** The provider says that nothing will ever reach the address. */
  deadAddress?: boolean;
  /** The provider by whose fault it is tried again later. */
  putOffBy?: string | null;
}

/** How the reason of a failed delivery begins that a provider may have all the same, see `at_most_once`. */
export const UNDETERMINED = "undetermined";

/** A provider may tell that it arrived before we hear the end of the hand-off: what arrived is not sent again. */
const ARRIVED = raw("coalesce(d.complained_at, d.bounced_at, d.delivered_at) is not null");
/** Likewise that it gave up, see `lift` in feedback-store.ts. */
const GIVEN_UP = raw("t.status = 'sent' and d.status = 'failed'");

/** What the log calls the end of an attempt. */
export const endOf = ({ job, status }: Settlement): string =>
  `${job.channel}.${status === "queued" ? "attempt" : status}`;

/** What the log says of the end of an attempt. */
const logDataOf = ({
  job,
  reason,
  provider,
  providerMessageId,
  waitMs,
  note,
}: Settlement): Record<string, unknown> => ({
  ...note,
  attempt: job.attempts + 1,
  ...(provider !== null && { provider }),
  ...(providerMessageId !== null && { provider_message_id: providerMessageId }),
  ...(reason !== null && { reason }),
  ...(waitMs !== null && { next_attempt_in_seconds: Math.round(waitMs / 1_000) }),
});

/**
 * Finalizes, fails or postpones, each only where the lease is still ours: a worker that slept past its lease can't write.
 * The log is written by the same statement, which saves a round trip and, where it is alone, the transaction around it. Gives the ids
 * that were. Attachments go once they are sent, and all content where it must not be kept.
 *
 * That the status lies between failed and sent is always true. It lets PostgreSQL expect one row and not ten, so that it
 * looks the rows up by key from the first day on: on a table without statistics it would plan to read all of it, and keep
 * that plan until autovacuum was there (84 ms a batch at 60,000 rows).
 */
export async function settle(tx: Queries, settlements: Settlement[], now: Date): Promise<Set<string>> {
  const of = <T>(pick: (s: Settlement) => T) => settlements.map(pick);
  const rows = await tx.query<{ id: string }>(
    prepared(
      "outbound.settle",
      sql`
      with settled as (
        update deliveries d set
          status = case when d.complained_at is not null then 'complained' when d.bounced_at is not null then 'bounced'
            when d.delivered_at is not null then 'delivered' when ${GIVEN_UP} then 'failed' else t.status end,
          reason = case when ${ARRIVED} or ${GIVEN_UP} then d.reason else t.reason end, provider = coalesce(t.provider, d.provider), lease_id = null, attempts = d.attempts + 1,
          provider_message_id = coalesce(t.provider_message_id, d.provider_message_id),
          sent_at = case when t.status = 'sent' or ${ARRIVED} then ${now}::timestamptz end,
          failed_at = case when t.status = 'failed' then ${now}::timestamptz else d.failed_at end,
          put_off_by = t.put_off_by,
          due_at = case when t.wait_ms is not null and not (${ARRIVED}) then now() + t.wait_ms * interval '1 millisecond' end,
          content = case when t.wait_ms is not null and not (${ARRIVED}) then d.content when d.retain_content then d.content - 'attachments' end
        from unnest((select ${of((s) => s.job.personKey)}::uuid[]), (select ${of((s) => s.job.deliveryId)}::uuid[]), (select ${of((s) => s.job.leaseId)}::uuid[]),
          (select ${of((s) => s.status)}::text[]), (select ${of((s) => s.reason)}::text[]), (select ${of((s) => s.provider)}::text[]),
          (select ${of((s) => s.providerMessageId)}::text[]), (select ${of((s) => s.waitMs)}::bigint[]),
          (select ${of(endOf)}::text[]), (select ${of((s) => JSON.stringify(logDataOf(s)))}::jsonb[]), (select ${of((s) => s.putOffBy ?? null)}::uuid[]))
          as t (person_key, id, lease_id, status, reason, provider, provider_message_id, wait_ms, type, data, put_off_by)
        where d.person_key = t.person_key and d.id = t.id and d.lease_id = t.lease_id and t.status between 'failed' and 'sent'
        returning d.person_key, d.id, d.workspace_id, t.type, t.data),
      log as (${logged(sql`select person_key, id, workspace_id, type, data from settled`, { at: now })})
      select id from settled`,
    ),
  );
  return new Set(rows.map((row) => row.id));
}
