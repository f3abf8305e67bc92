import { empty, prepared, type Queries, sql } from "../platform/db/index.ts";
import { LEASE_SECONDS } from "../platform/work/calls.ts";
import type { LineRoom } from "../platform/work/line-rooms.ts";

export interface AttemptLog {
  at: string;
  status: number | null;
  /** The first 1,024 bytes of the answer's body. */
  answer: string;
  error: string | null;
  duration_ms: number;
}

export interface WebhookDeliveryRow {
  event_id: string;
  type: string;
  payload: string;
  status: "pending" | "delivered" | "failed";
  due_at: Date | null;
  created_at: Date;
  delivered_at: Date | null;
  log: AttemptLog[];
}

interface NewWebhookDelivery {
  id: string;
  personKey: string;
  type: string;
  payload: string;
}

/**
 * Queues events for an endpoint, in the transaction that moves its position. An event that was queued before, which happens only
 * in a replay, is sent again with all its attempts, unless it is being sent now.
 */
export async function insertWebhookDeliveries(
  q: Queries,
  workspaceId: string,
  { webhookId, events, now }: { webhookId: string; events: NewWebhookDelivery[]; now: Date },
): Promise<void> {
  if (events.length === 0) return;
  await q.execute(sql`
    insert into webhook_deliveries as d
      (workspace_id, webhook_id, event_id, person_key, type, payload, due_at, created_at)
    select ${workspaceId}::uuid, ${webhookId}::uuid, id, person_key, type, payload, now(), ${now}::timestamptz
    from unnest(
      ${events.map((e) => e.id)}::uuid[],
      ${events.map((e) => e.personKey)}::uuid[],
      ${events.map((e) => e.type)}::text[],
      ${events.map((e) => e.payload)}::text[]
    ) as t (id, person_key, type, payload)
    on conflict (workspace_id, webhook_id, event_id) do update
      set status = 'pending', due_at = now(), attempts = 0, payload = excluded.payload
      where d.lease_id is null`);
}

/** Returns how many deliveries wait that were never tried, counted up to `most`. */
export async function countUntried(q: Queries, webhookId: string, most: number): Promise<number> {
  const rows = await q.query<{ n: number }>(sql`
    select count(*) as n from (
      select from webhook_deliveries
      where webhook_id = ${webhookId} and due_at is not null and attempts = 0
      limit ${most}) as waiting`);
  return rows[0]?.n ?? 0;
}

export interface ClaimedCall {
  workspaceId: string;
  webhookId: string;
  eventId: string;
  payload: string;
  attempts: number;
  leaseId: string;
}

/** Leases due deliveries, for each endpoint at most as many as it has room for, so that a slow one delays no other. */
export const claimDue = (q: Queries, leaseId: string, rooms: LineRoom[]): Promise<ClaimedCall[]> =>
  q.query(
    prepared(
      "webhooks.claim",
      sql`
      with picked as (
        select d.workspace_id, d.webhook_id, d.event_id
        from unnest(
          ${rooms.map(({ id }) => id)}::uuid[],
          ${rooms.map(({ room }) => room)}::int[]
        ) as l (webhook_id, room)
        cross join lateral (
          select workspace_id, webhook_id, event_id from webhook_deliveries
          where webhook_id = l.webhook_id and due_at <= now()
          order by due_at limit l.room
          for update skip locked) as d)
      update webhook_deliveries d set lease_id = ${leaseId}, due_at = now() + ${LEASE_SECONDS} * interval '1 second'
      from picked p
      where d.workspace_id = p.workspace_id and d.webhook_id = p.webhook_id and d.event_id = p.event_id
      returning d.workspace_id as "workspaceId", d.webhook_id as "webhookId", d.event_id as "eventId",
        d.payload, d.attempts, d.lease_id as "leaseId"`,
    ),
  );

/** Releases claimed deliveries that were not tried. */
export const releaseClaimed = (q: Queries, claimed: ClaimedCall[]): Promise<number> =>
  q.execute(sql`
    update webhook_deliveries d set lease_id = null, due_at = now()
    from unnest(
      ${claimed.map((c) => c.workspaceId)}::uuid[],
      ${claimed.map((c) => c.webhookId)}::uuid[],
      ${claimed.map((c) => c.eventId)}::uuid[],
      ${claimed.map((c) => c.leaseId)}::uuid[]
    ) as t (workspace_id, webhook_id, event_id, lease_id)
    where d.workspace_id = t.workspace_id and d.webhook_id = t.webhook_id and d.event_id = t.event_id
      and d.lease_id = t.lease_id`);

/** Releases the rows of lost claims, by their leases. A leased row is due within LEASE_SECONDS, so few rows are read. */
export const takeBackClaimed = (q: Queries, leases: string[], webhookIds: string[]): Promise<number> =>
  q.execute(sql`
    update webhook_deliveries set lease_id = null, due_at = now()
    where webhook_id = any(${webhookIds}::uuid[])
      and due_at > now() and due_at <= now() + ${LEASE_SECONDS} * interval '1 second'
      and lease_id = any(${leases}::uuid[])`);

export interface Settlement {
  status: "pending" | "delivered" | "failed";
  waitMs: number | undefined;
  entry: AttemptLog;
}

/** Writes the end of an attempt, if this process still has the lease: later, another process may have tried too. */
export const settleClaimed = (q: Queries, c: ClaimedCall, { status, waitMs, entry }: Settlement): Promise<number> =>
  q.execute(
    prepared(
      "webhooks.settle",
      sql`
      update webhook_deliveries set status = ${status}, lease_id = null, attempts = attempts + 1,
        due_at = now() + ${waitMs ?? null}::double precision * interval '1 ms',
        delivered_at = case when ${status} = 'delivered' then now() else delivered_at end,
        log = (case when jsonb_array_length(log) >= 20 then log - 0 else log end) || ${JSON.stringify(entry)}::jsonb
      where workspace_id = ${c.workspaceId} and webhook_id = ${c.webhookId} and event_id = ${c.eventId}
        and lease_id = ${c.leaseId}`,
    ),
  );

/** Which deliveries of the log. */
export interface LogFilter {
  status?: string | undefined;
  type?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

const ofLog = ({ status, type, since, until }: LogFilter) =>
  sql`${status === undefined ? empty : sql`and status = ${status}`}
      ${type === undefined ? empty : sql`and type = ${type}`}
      ${since === undefined ? empty : sql`and created_at >= ${since}::timestamptz`}
      ${until === undefined ? empty : sql`and created_at < ${until}::timestamptz`}`;

export const webhookDeliveries = (
  q: Queries,
  workspaceId: string,
  webhookId: string,
  filter: LogFilter & { before: string[] | undefined; limit: number },
): Promise<WebhookDeliveryRow[]> =>
  q.query(sql`
    select event_id, type, payload, status, due_at, created_at, delivered_at, log
    from webhook_deliveries
    where workspace_id = ${workspaceId} and webhook_id = ${webhookId}
      ${ofLog(filter)}
      ${filter.before ? sql`and (created_at, event_id) < (${filter.before[0]}::timestamptz, ${filter.before[1]}::uuid)` : empty}
    order by created_at desc, event_id desc limit ${filter.limit}`);

export async function webhookDelivery(
  q: Queries,
  workspaceId: string,
  webhookId: string,
  eventId: string,
): Promise<WebhookDeliveryRow | undefined> {
  const rows = await q.query<WebhookDeliveryRow>(sql`
    select event_id, type, payload, status, due_at, created_at, delivered_at, log
    from webhook_deliveries
    where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and event_id = ${eventId}`);
  return rows[0];
}

/** Makes one delivery due again, with all its attempts. Returns 0 if there is none. A delivery that is being sent is not changed. */
export const repeatDelivery = (q: Queries, workspaceId: string, webhookId: string, eventId: string): Promise<number> =>
  q.execute(sql`
    update webhook_deliveries set
      status = case when lease_id is null then 'pending' else status end,
      attempts = case when lease_id is null then 0 else attempts end,
      due_at = case when lease_id is null then now() else due_at end
    where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and event_id = ${eventId}`);

/**
 * Makes deliveries of the log due again, with all their attempts, the oldest first. Those that are being sent are left out. Returns how many,
 * and the time of the last one where there may be more than `most`.
 */
export async function repeatLogged(
  q: Queries,
  workspaceId: string,
  { webhookId, filter, most }: { webhookId: string; filter: LogFilter; most: number },
): Promise<{ count: number; last: Date | null }> {
  const rows = await q.query<{ count: number; last: Date | null }>(sql`
    with picked as (
      select event_id, created_at from webhook_deliveries
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and lease_id is null ${ofLog(filter)}
      order by created_at, event_id limit ${most} for update skip locked),
    repeated as (
      update webhook_deliveries d set status = 'pending', attempts = 0, due_at = now()
      from picked p
      where d.workspace_id = ${workspaceId} and d.webhook_id = ${webhookId} and d.event_id = p.event_id
      returning p.created_at)
    select count(*)::int as count, max(created_at) as last from repeated`);
  const { count, last } = rows[0] ?? { count: 0, last: null };
  return { count, last: count === most ? last : null };
}

/** Returns how many deliveries of an endpoint are not done yet, counted up to `most`. */
export async function countPending(q: Queries, webhookId: string, most: number): Promise<number> {
  const rows = await q.query<{ n: number }>(sql`
    select count(*)::int as n from (
      select from webhook_deliveries where webhook_id = ${webhookId} and due_at is not null limit ${most}) as waiting`);
  return rows[0]?.n ?? 0;
}

/** Deletes deliveries older than the retention of their workspace, or than `mostDays`. Returns how many: at most `batch`. */
export const deleteOld = (q: Queries, now: Date, mostDays: number, batch: number): Promise<number> =>
  q.execute(sql`
    delete from webhook_deliveries where (workspace_id, webhook_id, event_id) in (
      select d.workspace_id, d.webhook_id, d.event_id
      from webhook_deliveries d left join workspaces s on s.id = d.workspace_id
      where d.created_at < ${now}::timestamptz
        - least(coalesce((s.retention ->> 'activity')::int, s.retention_days, 0), ${mostDays}::int) * interval '1 day'
      order by d.created_at limit ${batch})`);

/**
 * Removes a person from the logged calls. They contain what the event feed contains from now on: that something happened, but to
 * nobody. The logged answers are deleted too, because an endpoint may have echoed personal data.
 */
export const emptyCalls = (tx: Queries, personKey: string): Promise<number> =>
  tx.execute(sql`
    update webhook_deliveries set log = '[]', payload = jsonb_set(payload::jsonb, '{data}',
      (payload::jsonb -> 'data') || '{"person_id": null, "recipient": null, "details": {}}')::text
    where person_key = ${personKey}`);
