import type { InAppCap, MarketingLimits, RateLimits, Retention, WorkspacePatch } from "@tidings/contract/workspaces";
import { empty, join, prepared, type Queries, sql } from "../../platform/db/index.ts";

export interface WorkspaceRow {
  id: string;
  name: string;
  status: "active" | "suspended";
  /** Since when it is suspended; null if it is active. */
  suspended_at: Date | null;
  timezone: string;
  allow_in_app: boolean;
  identity_verification: "off" | "monitor" | "required";
  retention_days: number;
  retention: Retention;
  sender_defaults: { email_from?: string; email_reply_to?: string; country?: string };
  quiet_defaults: { timezone_mode: "workspace" | "device"; start: string; end: string } | null;
  in_app_cap: InAppCap | null;
  rate_limits: RateLimits;
  marketing_limits: MarketingLimits;
  created_at: Date;
  updated_at: Date;
}

/** Workspaces with their columns by name, for named statements (docs/decisions/0069). */
export const WORKSPACES = sql`(select id, name, status, suspended_at, timezone, allow_in_app, identity_verification, retention_days, retention,
  sender_defaults, quiet_defaults, in_app_cap, rate_limits, marketing_limits, created_at, updated_at from workspaces)`;

export async function insertWorkspace(tx: Queries, id: string, name: string): Promise<WorkspaceRow> {
  const [row] = await tx.query<WorkspaceRow>(
    sql`insert into workspaces (id, name) values (${id}, ${name}) returning *`,
  );
  return row as WorkspaceRow;
}

export async function workspaceById(tx: Queries, id: string): Promise<WorkspaceRow | undefined> {
  const byId = sql`select w.* from ${WORKSPACES} w where w.id = ${id}`;
  return (await tx.query<WorkspaceRow>(prepared("workspaces.byId", byId)))[0];
}

/** Returns a workspace, locked until the transaction ends. Rows that refer to it can still be written. */
export async function lockWorkspaceRow(tx: Queries, id: string): Promise<WorkspaceRow | undefined> {
  return (await tx.query<WorkspaceRow>(sql`select * from workspaces where id = ${id} for no key update`))[0];
}

/** For the operator's commands only: the workspace of an API call comes from the key of the call. */
export async function workspaceOfKey(tx: Queries, keyId: string): Promise<WorkspaceRow | undefined> {
  const rows = await tx.query<WorkspaceRow>(
    sql`select w.* from api_keys k join workspaces w on w.id = k.workspace_id where k.id = ${keyId}`,
  );
  return rows[0];
}

export const allWorkspaces = (tx: Queries): Promise<WorkspaceRow[]> =>
  tx.query<WorkspaceRow>(sql`select * from workspaces order by created_at, id`);

/** Locks the table against a second process that also sees it empty. */
export const lockWorkspaces = (tx: Queries): Promise<number> =>
  tx.execute(sql`lock table workspaces in share row exclusive mode`);

export async function updateWorkspace(
  tx: Queries,
  id: string,
  patch: WorkspacePatch,
  now: Date,
): Promise<WorkspaceRow | undefined> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const set = [
    patch.name === undefined ? empty : sql`name = ${patch.name}`,
    patch.timezone === undefined ? empty : sql`timezone = ${patch.timezone}`,
    patch.allow_in_app === undefined ? empty : sql`allow_in_app = ${patch.allow_in_app}`,
    patch.identity_verification === undefined ? empty : sql`identity_verification = ${patch.identity_verification}`,
    patch.retention_days === undefined ? empty : sql`retention_days = ${patch.retention_days}`,
    patch.retention === undefined ? empty : sql`retention = ${json(patch.retention)}`,
    patch.sender_defaults === undefined ? empty : sql`sender_defaults = ${json(patch.sender_defaults)}`,
    patch.quiet_defaults === undefined ? empty : sql`quiet_defaults = ${json(patch.quiet_defaults)}`,
    patch.in_app_cap === undefined ? empty : sql`in_app_cap = ${json(patch.in_app_cap)}`,
    patch.rate_limits === undefined ? empty : sql`rate_limits = ${json(patch.rate_limits)}`,
    patch.marketing_limits === undefined ? empty : sql`marketing_limits = ${json(patch.marketing_limits ?? {})}`,
    sql`updated_at = ${now}`,
  ].filter((part) => part !== empty);
  return (await tx.query<WorkspaceRow>(sql`update workspaces set ${join(set)} where id = ${id} returning *`))[0];
}

export const setStatus = (tx: Queries, id: string, status: WorkspaceRow["status"]): Promise<number> =>
  tx.execute(sql`
    update workspaces set status = ${status},
      suspended_at = case when ${status === "suspended"}::boolean then coalesce(suspended_at, clock.now) end
    from (select now() as now) clock
    where id = ${id}`);
