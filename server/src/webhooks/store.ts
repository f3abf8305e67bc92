import type { Position } from "../activity/index.ts";
import { empty, join, type Queries, sql } from "../platform/db/index.ts";

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
  enabled: boolean;
  disabled_at: Date | null;
  disabled_reason: DisabledReason | null;
  failing_since: Date | null;
  resting_until: Date | null;
  created_at: Date;
  updated_at: Date;
}
export type DisabledReason = "manual" | "gone" | "failing";

const COLUMNS = sql`w.workspace_id, w.id, w.url, w.description, w.types, w.secret, w.previous_secret, w.previous_until, w.enabled,
  w.disabled_at, w.disabled_reason, w.failing_since, w.resting_until, w.created_at, w.updated_at`;

export interface NewWebhook {
  workspaceId: string;
  id: string;
  url: string;
  description: string;
  types: string[];
  secret: string;
}

/** Adds an endpoint whose first event is the first behind `position`. */
export async function insertWebhook(q: Queries, hook: NewWebhook, position: Position, now: Date): Promise<WebhookRow> {
  const rows = await q.query<WebhookRow>(sql`
    insert into webhooks as w (workspace_id, id, url, description, types, secret, txid, event_id, created_at, updated_at)
    values (${hook.workspaceId}, ${hook.id}, ${hook.url}, ${hook.description}, ${hook.types}, ${hook.secret},
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
    select ${COLUMNS} from webhooks w where w.workspace_id = ${workspaceId} ${before ? sql`and w.id < ${before[0]}::uuid` : empty}
    order by w.id desc limit ${limit}`);

export async function webhookById(q: Queries, workspaceId: string, id: string): Promise<WebhookRow | undefined> {
  return (
    await q.query<WebhookRow>(
      sql`select ${COLUMNS} from webhooks w where w.workspace_id = ${workspaceId} and w.id = ${id}`,
    )
  )[0];
}

/** Holds the endpoints of a workspace, so that two calls can't both add the last one. Gives how many there are. */
export async function countForInsert(q: Queries, workspaceId: string): Promise<number> {
  await q.query(sql`select from workspaces where id = ${workspaceId} for no key update`);
  const rows = await q.query<{ n: number }>(
    sql`select count(*) as n from webhooks where workspace_id = ${workspaceId}`,
  );
  return rows[0]?.n ?? 0;
}

export type Change = Partial<
  Pick<
    WebhookRow,
    | "url"
    | "description"
    | "types"
    | "secret"
    | "previous_secret"
    | "previous_until"
    | "enabled"
    | "disabled_at"
    | "disabled_reason"
    | "failing_since"
    | "resting_until"
  >
>;
const SETTERS: { [K in keyof Required<Change>]: (value: Change[K]) => ReturnType<typeof sql> } = {
  url: (value) => sql`url = ${value}`,
  description: (value) => sql`description = ${value}`,
  types: (value) => sql`types = ${value}`,
  secret: (value) => sql`secret = ${value}`,
  previous_secret: (value) => sql`previous_secret = ${value}`,
  previous_until: (value) => sql`previous_until = ${value}`,
  enabled: (value) => sql`enabled = ${value}`,
  disabled_at: (value) => sql`disabled_at = ${value}`,
  disabled_reason: (value) => sql`disabled_reason = ${value}`,
  failing_since: (value) => sql`failing_since = ${value}`,
  resting_until: (value) => sql`resting_until = ${value}`,
};

/** Changes what `change` names. */
export async function updateWebhook(
  q: Queries,
  workspaceId: string,
  id: string,
  change: Change,
  now: Date,
): Promise<WebhookRow | undefined> {
  const sets = Object.entries(SETTERS)
    .filter(([name]) => change[name as keyof Change] !== undefined)
    .map(([name, set]) => set(change[name as keyof Change] as never));
  const rows = await q.query<WebhookRow>(sql`
    update webhooks w set ${join([...sets, sql`updated_at = ${now}`])}
    where w.workspace_id = ${workspaceId} and w.id = ${id} returning ${COLUMNS}`);
  return rows[0];
}

/** Brings an endpoint to another place of the feed. */
export const moveWebhook = (q: Queries, workspaceId: string, id: string, { txid, id: eventId }: Position) =>
  q.execute(sql`
    update webhooks set txid = ${txid}::xid8, event_id = ${eventId} where workspace_id = ${workspaceId} and id = ${id}`);

/** The same, but never forwards: what it was not brought to yet must not be skipped. */
export const moveWebhookBack = (q: Queries, workspaceId: string, id: string, { txid, id: eventId }: Position) =>
  q.execute(sql`
    update webhooks set txid = ${txid}::xid8, event_id = ${eventId}
    where workspace_id = ${workspaceId} and id = ${id} and (txid, event_id) > (${txid}::xid8, ${eventId}::uuid)`);

export const deleteWebhook = (q: Queries, workspaceId: string, id: string): Promise<number> =>
  q.execute(sql`delete from webhooks where workspace_id = ${workspaceId} and id = ${id}`);

export interface Endpoint extends WebhookRow {
  /** Something happened that it was not brought to yet. */
  unread: boolean;
  /** It rests, as it asked to. */
  resting: boolean;
}

/**
 * The endpoints that are enabled, of workspaces that are not suspended. One index probe each: asked by `exists` PostgreSQL 18
 * thought a row would be near and read through 40,000 rows of activity to learn that there was none.
 */
export const enabledEndpoints = (q: Queries): Promise<Endpoint[]> =>
  q.query(sql`
    select ${COLUMNS}, coalesce(w.resting_until > now(), false) as resting,
      (select true from activity a where a.workspace_id = w.workspace_id and (a.txid, a.id) > (w.txid, w.event_id)
        and a.txid < pg_snapshot_xmin(pg_current_snapshot()) order by a.txid, a.id limit 1) is not null as unread
    from webhooks w join workspaces s on s.id = w.workspace_id
    where w.enabled and s.status = 'active' order by w.id`);

/** The place of an endpoint, held until the end of the transaction; undefined while another process holds it. */
export async function lockPosition(
  q: Queries,
  workspaceId: string,
  id: string,
): Promise<(Position & { types: string[] }) | undefined> {
  return (
    await q.query<Position & { types: string[] }>(sql`
      select txid::text, event_id as id, types from webhooks where workspace_id = ${workspaceId} and id = ${id} and enabled
      for no key update skip locked`)
  )[0];
}

/** Notes that something succeeded. Touches the row only where it was failing. */
export const markWorking = (q: Queries, workspaceId: string, id: string): Promise<number> =>
  q.execute(sql`
    update webhooks set failing_since = null
    where workspace_id = ${workspaceId} and id = ${id} and failing_since is not null`);

/** Notes that something failed, and for how long to leave it alone. Gives since when nothing has succeeded. */
export async function markFailing(q: Queries, workspaceId: string, id: string, restMs: number): Promise<Date | null> {
  const rows = await q.query<{ failing_since: Date }>(sql`
    update webhooks set failing_since = coalesce(failing_since, now()),
      resting_until = case when ${restMs} > 0 then greatest(resting_until, now() + ${restMs} * interval '1 ms') else resting_until end
    where workspace_id = ${workspaceId} and id = ${id} returning failing_since`);
  return rows[0]?.failing_since ?? null;
}

/** Disables it. Gives 0 where somebody else did before. */
export const disableWebhook = (q: Queries, workspaceId: string, id: string, reason: DisabledReason, now: Date) =>
  q.execute(sql`
    update webhooks set enabled = false, disabled_at = ${now}, disabled_reason = ${reason}, updated_at = ${now}
    where workspace_id = ${workspaceId} and id = ${id} and enabled`);
