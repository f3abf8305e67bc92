import { empty, prepared, type Queries, sql } from "../platform/db/index.ts";

export interface AttemptLog {
  at: string;
  status: number | null;
  /** The first 1,024 bytes of what it said. */
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

/**
 * Queues events for an endpoint, inside the transaction that moves its place. One that was queued before, which happens in a
 * replay only, is sent again from the start, unless it is being sent now.
 */
export async function insertWebhookDeliveries(
  q: Queries,
  workspaceId: string,
  webhookId: string,
  events: { id: string; personKey: string; type: string; payload: string }[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return;
  await q.execute(sql`
    insert into webhook_deliveries as d (workspace_id, webhook_id, event_id, person_key, type, payload, due_at, created_at)
    select ${workspaceId}::uuid, ${webhookId}::uuid, id, person_key, type, payload, now(), ${now}::timestamptz
    from unnest(${events.map((e) => e.id)}::uuid[], ${events.map((e) => e.personKey)}::uuid[], ${events.map((e) => e.type)}::text[],
      ${events.map((e) => e.payload)}::text[]) as t (id, person_key, type, payload)
    on conflict (workspace_id, webhook_id, event_id) do update
      set status = 'pending', due_at = now(), attempts = 0, payload = excluded.payload
      where d.lease_id is null`);
}

/** How many wait that were never tried, counted up to `most`. */
export async function countFresh(q: Queries, webhookId: string, most: number): Promise<number> {
  const rows = await q.query<{ n: number }>(sql`
    select count(*) as n from (select from webhook_deliveries where webhook_id = ${webhookId} and due_at is not null and attempts = 0
      limit ${most}) as waiting`);
  return rows[0]?.n ?? 0;
}

export interface Claimed {
  workspaceId: string;
  webhookId: string;
  eventId: string;
  payload: string;
  attempts: number;
  leaseId: string;
}

/** A claimed row comes back after this time where its process died. Above it is the longest a claim may wait and be tried. */
export const LEASE_SECONDS = 60;

/** Leases what is due, for each endpoint at most as many as it has room for: one that is slow takes no other's turn. */
export const claimDue = (
  q: Queries,
  leaseId: string,
  lanes: { webhookId: string; room: number }[],
): Promise<Claimed[]> =>
  q.query(
    prepared(
      "webhooks.claim",
      sql`
      with picked as (
        select d.workspace_id, d.webhook_id, d.event_id
        from unnest(${lanes.map((lane) => lane.webhookId)}::uuid[], ${lanes.map((lane) => lane.room)}::int[]) as l (webhook_id, room)
        cross join lateral (
          select workspace_id, webhook_id, event_id from webhook_deliveries
          where webhook_id = l.webhook_id and due_at <= now() order by due_at limit l.room for update skip locked) as d)
      update webhook_deliveries d set lease_id = ${leaseId}, due_at = now() + ${LEASE_SECONDS} * interval '1 second'
      from picked p
      where d.workspace_id = p.workspace_id and d.webhook_id = p.webhook_id and d.event_id = p.event_id
      returning d.workspace_id as "workspaceId", d.webhook_id as "webhookId", d.event_id as "eventId", d.payload, d.attempts,
        d.lease_id as "leaseId"`,
    ),
  );

/** Gives back what was claimed and not tried. */
export const releaseClaimed = (q: Queries, claimed: Claimed[]): Promise<number> =>
  q.execute(sql`
    update webhook_deliveries d set lease_id = null, due_at = now()
    from unnest(${claimed.map((c) => c.workspaceId)}::uuid[], ${claimed.map((c) => c.webhookId)}::uuid[],
      ${claimed.map((c) => c.eventId)}::uuid[], ${claimed.map((c) => c.leaseId)}::uuid[]) as t (workspace_id, webhook_id, event_id, lease_id)
    where d.workspace_id = t.workspace_id and d.webhook_id = t.webhook_id and d.event_id = t.event_id and d.lease_id = t.lease_id`);

/**
 * Gives back what these leases hold, of these endpoints. All that is leased is due within a lease, so that few rows are looked at.
 */
export const takeBackClaimed = (q: Queries, leases: string[], webhookIds: string[]): Promise<number> =>
  q.execute(sql`
    update webhook_deliveries set lease_id = null, due_at = now()
    where webhook_id = any(${webhookIds}::uuid[]) and due_at > now() and due_at <= now() + ${LEASE_SECONDS} * interval '1 second'
      and lease_id = any(${leases}::uuid[])`);

export interface Settlement {
  status: "pending" | "delivered" | "failed";
  waitMs: number | undefined;
  entry: AttemptLog;
}

/** Writes the end of an attempt, if the lease is still ours: after it another process may have tried, too. */
export const settleClaimed = (q: Queries, c: Claimed, { status, waitMs, entry }: Settlement): Promise<number> =>
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

export const webhookDeliveries = (
  q: Queries,
  workspaceId: string,
  webhookId: string,
  filter: { status?: string; before: string[] | undefined; limit: number },
): Promise<WebhookDeliveryRow[]> =>
  q.query(sql`
    select event_id, type, payload, status, due_at, created_at, delivered_at, log from webhook_deliveries
    where workspace_id = ${workspaceId} and webhook_id = ${webhookId}
      ${filter.status === undefined ? empty : sql`and status = ${filter.status}`}
      ${filter.before ? sql`and (created_at, event_id) < (${filter.before[0]}::timestamptz, ${filter.before[1]}::uuid)` : empty}
    order by created_at desc, event_id desc limit ${filter.limit}`);

/** Sends one again, at once. Gives 0 where there is none; one that is under way now is left to end. */
export const rearm = (q: Queries, workspaceId: string, webhookId: string, eventId: string): Promise<number> =>
  q.execute(sql`
    update webhook_deliveries set
      status = case when lease_id is null then 'pending' else status end,
      attempts = case when lease_id is null then 0 else attempts end,
      due_at = case when lease_id is null then now() else due_at end
    where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and event_id = ${eventId}`);

/**
 * Forgets what is older than its workspace keeps, or than `mostDays`, whatever became of it. Gives how many, at most `batch`.
 */
export const forgetOld = (q: Queries, now: Date, mostDays: number, batch: number): Promise<number> =>
  q.execute(sql`
    delete from webhook_deliveries where (workspace_id, webhook_id, event_id) in (
      select d.workspace_id, d.webhook_id, d.event_id from webhook_deliveries d left join workspaces s on s.id = d.workspace_id
      where d.created_at < ${now}::timestamptz - least(coalesce((s.retention ->> 'activity')::int, s.retention_days, 0), ${mostDays}::int) * interval '1 day'
      order by d.created_at limit ${batch})`);

/** Empties the calls about a person: they say what the event feed says from now on, that something happened, and to nobody. Answers may have echoed. */
export const emptyCalls = (tx: Queries, personKey: string): Promise<number> =>
  tx.execute(sql`
    update webhook_deliveries set log = '[]', payload = jsonb_set(payload::jsonb, '{data}',
      (payload::jsonb -> 'data') || '{"person_id": null, "recipient": null, "details": {}}')::text
    where person_key = ${personKey}`);
