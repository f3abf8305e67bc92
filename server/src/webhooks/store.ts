import { entriesWhere, type Position, timeAfter } from "../activity/index.ts";
import { empty, join, once, openFrom, type Queries, sql } from "../platform/db/index.ts";

export interface WebhookRow {
  workspace_id: string;
  id: string;
  url: string;
  description: string;
  types: string[];
  /** Sealed. */
  secret: string;
  previous_secret: string | null;
  previous_until: Date | null;
  secret_changed_at: Date | null;
  enabled: boolean;
  disabled_at: Date | null;
  disabled_reason: DisabledReason | null;
  failing_since: Date | null;
  resting_until: Date | null;
  /** The period of events that are read again: from a time until the call that asked for it. */
  replay_since: Date | null;
  replay_until: Date | null;
  created_at: Date;
  updated_at: Date;
}
export type DisabledReason = "manual" | "gone" | "failing";

const COLUMNS = sql`w.workspace_id, w.id, w.url, w.description, w.types,
  w.secret, w.previous_secret, w.previous_until, w.secret_changed_at, w.enabled,
  w.disabled_at, w.disabled_reason, w.failing_since, w.resting_until, w.replay_since,
  w.replay_until, w.created_at, w.updated_at`;

export interface NewWebhook {
  workspaceId: string;
  id: string;
  url: string;
  description: string;
  types: string[];
  secret: string;
}

/** Adds an endpoint. Its first event is the first one after `position`. */
export async function insertWebhook(q: Queries, hook: NewWebhook, position: Position, now: Date): Promise<WebhookRow> {
  const rows = await q.query<WebhookRow>(sql`
    insert into webhooks as w (workspace_id, id, url, description, types, secret, secret_changed_at, txid, event_id,
      created_at, updated_at)
    values (${hook.workspaceId}, ${hook.id}, ${hook.url}, ${hook.description}, ${hook.types}, ${hook.secret}, ${now},
      ${position.txid}::xid8, ${position.id}, ${now}, ${now})
    returning ${COLUMNS}`);
  return rows[0] as WebhookRow;
}

export const listWebhooks = (
  q: Queries,
  workspaceId: string,
  before: string[] | undefined,
  limit: number,
): Promise<WebhookRow[]> =>
  q.query(sql`
    select ${COLUMNS} from webhooks w
    where w.workspace_id = ${workspaceId} ${before ? sql`and w.id < ${before[0]}::uuid` : empty}
    order by w.id desc limit ${limit}`);

export async function webhookById(q: Queries, workspaceId: string, id: string): Promise<WebhookRow | undefined> {
  return (
    await q.query<WebhookRow>(
      sql`select ${COLUMNS} from webhooks w where w.workspace_id = ${workspaceId} and w.id = ${id}`,
    )
  )[0];
}

/** Returns an endpoint, locked until the transaction ends, so that two changes take turns. */
export async function lockWebhook(tx: Queries, workspaceId: string, id: string): Promise<WebhookRow | undefined> {
  return (
    await tx.query<WebhookRow>(
      sql`select ${COLUMNS} from webhooks w where w.workspace_id = ${workspaceId} and w.id = ${id} for no key update`,
    )
  )[0];
}

/** Locks the workspace, so that two calls can't both add the last endpoint. Returns how many there are. */
export async function countForInsert(q: Queries, workspaceId: string): Promise<number> {
  await q.query(sql`select from workspaces where id = ${workspaceId} for no key update`);
  const rows = await q.query<{ n: number }>(
    sql`select count(*) as n from webhooks where workspace_id = ${workspaceId}`,
  );
  return rows[0]?.n ?? 0;
}

/** The columns that a change writes. */
export type WebhookChange = Partial<
  Pick<
    WebhookRow,
    | "url"
    | "description"
    | "types"
    | "secret"
    | "previous_secret"
    | "previous_until"
    | "secret_changed_at"
    | "enabled"
    | "disabled_at"
    | "disabled_reason"
    | "failing_since"
    | "resting_until"
    | "replay_since"
    | "replay_until"
  >
>;
const SETTERS: { [K in keyof Required<WebhookChange>]: (value: WebhookChange[K]) => ReturnType<typeof sql> } = {
  url: (value) => sql`url = ${value}`,
  description: (value) => sql`description = ${value}`,
  types: (value) => sql`types = ${value}`,
  secret: (value) => sql`secret = ${value}`,
  previous_secret: (value) => sql`previous_secret = ${value}`,
  previous_until: (value) => sql`previous_until = ${value}`,
  secret_changed_at: (value) => sql`secret_changed_at = ${value}`,
  enabled: (value) => sql`enabled = ${value}`,
  disabled_at: (value) => sql`disabled_at = ${value}`,
  disabled_reason: (value) => sql`disabled_reason = ${value}`,
  failing_since: (value) => sql`failing_since = ${value}`,
  resting_until: (value) => sql`resting_until = ${value}`,
  replay_since: (value) => sql`replay_since = ${value}`,
  replay_until: (value) => sql`replay_until = ${value}`,
};

/** Changes the columns that `change` names. */
export async function updateWebhook(
  q: Queries,
  workspaceId: string,
  { id, change, now }: { id: string; change: WebhookChange; now: Date },
): Promise<WebhookRow | undefined> {
  const sets = Object.entries(SETTERS)
    .filter(([name]) => change[name as keyof WebhookChange] !== undefined)
    .map(([name, set]) => set(change[name as keyof WebhookChange] as never));
  const rows = await q.query<WebhookRow>(sql`
    update webhooks w set ${join([...sets, sql`updated_at = ${now}`])}
    where w.workspace_id = ${workspaceId} and w.id = ${id} returning ${COLUMNS}`);
  return rows[0];
}

/** Moves an endpoint to another position of the feed. */
export const moveWebhook = (q: Queries, workspaceId: string, id: string, { txid, id: eventId }: Position) =>
  q.execute(sql`
    update webhooks set txid = ${txid}::xid8, event_id = ${eventId}
    where workspace_id = ${workspaceId} and id = ${id}`);

/** Moves an endpoint to an earlier position, and never forwards: it must not skip events. */
export const moveWebhookBack = (q: Queries, workspaceId: string, id: string, { txid, id: eventId }: Position) =>
  q.execute(sql`
    update webhooks set txid = ${txid}::xid8, event_id = ${eventId}
    where workspace_id = ${workspaceId} and id = ${id} and (txid, event_id) > (${txid}::xid8, ${eventId}::uuid)`);

/** Notes the period that is read again. An earlier replay that is under way is part of it. */
export const beginReplay = (
  q: Queries,
  workspaceId: string,
  id: string,
  { since, until }: { since: Date; until: Date },
): Promise<number> =>
  q.execute(sql`
    update webhooks set replay_since = least(replay_since, ${since}::timestamptz), replay_until = ${until}
    where workspace_id = ${workspaceId} and id = ${id}`);

/** Notes that the position has passed the period that was read again. */
export const endReplay = (q: Queries, workspaceId: string, id: string): Promise<number> =>
  q.execute(sql`
    update webhooks set replay_since = null, replay_until = null where workspace_id = ${workspaceId} and id = ${id}`);

/** Returns the endpoints for which events are read again. */
export const replaying = (q: Queries, workspaceId: string): Promise<WebhookRow[]> =>
  q.query(sql`
    select ${COLUMNS} from webhooks w where w.workspace_id = ${workspaceId} and w.replay_until is not null order by w.id desc`);

export const deleteWebhook = (q: Queries, workspaceId: string, id: string): Promise<number> =>
  q.execute(sql`delete from webhooks where workspace_id = ${workspaceId} and id = ${id}`);

/** Returns the types of all endpoints of these workspaces. */
export const typesOfEndpoints = (
  q: Queries,
  workspaceIds: string[],
): Promise<Pick<WebhookRow, "workspace_id" | "types">[]> =>
  q.query(sql`select workspace_id, types from webhooks where workspace_id = any(${workspaceIds}::uuid[])`);

export interface Endpoint extends WebhookRow {
  /** There are events after its position. */
  unread: boolean;
  /** It asked to get no calls for a time, which is not over. */
  resting: boolean;
}

/**
 * Returns the enabled endpoints of workspaces that are not suspended, with one index probe each. With `exists`, PostgreSQL 18
 * expected to find a row early, and read 40,000 rows of activity to find that there was none.
 */
export async function enabledEndpoints(q: Queries): Promise<Endpoint[]> {
  const next = entriesWhere(
    (e) => sql`${e.workspace_id} = w.workspace_id and (${e.txid}, ${e.id}) > (w.txid, w.event_id)
      and ${e.txid} < pg_snapshot_xmin(pg_current_snapshot())
      order by ${e.txid} limit 1`,
  );
  const unread = q.distributed ? sql`null::boolean` : sql`(select true from (${next}) log limit 1) is not null`;
  const endpoints = await q.query<Endpoint & { txid: string; event_id: string }>(sql`
    select ${COLUMNS}, coalesce(w.resting_until > now(), false) as resting, ${unread} as unread${
      q.distributed ? sql`, w.txid::text, w.event_id` : empty
    }
    from webhooks w join workspaces s on s.id = w.workspace_id
    where w.enabled and s.status = 'active' order by w.id`);
  if (!q.distributed) return endpoints;
  const end = await openFrom(q);
  return Promise.all(
    endpoints.map(async ({ txid, event_id, ...endpoint }) => ({
      ...endpoint,
      unread: (await timeAfter(q, endpoint.workspace_id, { txid, id: event_id }, end)) !== undefined,
    })),
  );
}

/** Returns an endpoint's position, locked until the transaction ends; undefined while another process holds it. */
export async function lockPosition(
  q: Queries,
  workspaceId: string,
  id: string,
): Promise<(Position & Pick<WebhookRow, "types" | "replay_until">) | undefined> {
  return (
    await q.query<Position & Pick<WebhookRow, "types" | "replay_until">>(sql`
      select txid::text, event_id as id, types, replay_until from webhooks
      where workspace_id = ${workspaceId} and id = ${id} and enabled
      for no key update skip locked`)
  )[0];
}

/** Returns an endpoint's position in the feed. */
export async function positionOf(q: Queries, workspaceId: string, id: string): Promise<Position | undefined> {
  const rows = await q.query<Position>(
    sql`select txid::text, event_id as id from webhooks where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return rows[0];
}

/** Stores that a call succeeded. It writes only the row of an endpoint that was failing. */
export const markWorking = (q: Queries, workspaceId: string, id: string): Promise<number> =>
  q.execute(sql`
    update webhooks set failing_since = null
    where workspace_id = ${workspaceId} and id = ${id} and failing_since is not null`);

/** Stores that a call failed, and how long the endpoint rests. Returns since when no call has succeeded. */
export async function markFailing(q: Queries, workspaceId: string, id: string, restMs: number): Promise<Date | null> {
  const rows = await q.query<{ failing_since: Date }>(sql`
    with clock as ${once(q)} (select now() as at, now() + ${restMs} * interval '1 ms' as rested)
    update webhooks w set failing_since = coalesce(w.failing_since, clock.at),
      resting_until = case when ${restMs} > 0 then greatest(w.resting_until, clock.rested) else w.resting_until end
    from clock where w.workspace_id = ${workspaceId} and w.id = ${id}
    returning w.failing_since`);
  return rows[0]?.failing_since ?? null;
}

/** Disables an endpoint. Returns 0 if it was disabled before. */
export const disableWebhook = (
  q: Queries,
  workspaceId: string,
  { id, reason, now }: { id: string; reason: DisabledReason; now: Date },
): Promise<number> =>
  q.execute(sql`
    update webhooks set enabled = false, disabled_at = ${now}, disabled_reason = ${reason}, updated_at = ${now},
      replay_since = null, replay_until = null
    where workspace_id = ${workspaceId} and id = ${id} and enabled`);
