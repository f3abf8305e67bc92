import type { KeyKind, KeyScope } from "@tidings/contract/workspaces";
import { empty, prepared, type Queries, sql } from "../../platform/db/index.ts";
import { WORKSPACES, type WorkspaceRow } from "../tenant/store.ts";

export interface KeyRow {
  id: string;
  workspace_id: string;
  kind: KeyKind;
  name: string;
  /** null: all scopes. */
  scopes: KeyScope[] | null;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

const COLUMNS = sql`id, workspace_id, kind, name, scopes, created_at, expires_at, last_used_at, revoked_at`;

export interface NewKey {
  id: string;
  workspaceId: string;
  kind: KeyKind;
  name: string;
  scopes: KeyScope[] | null;
  expiresAt: Date | null;
  lookup: Buffer;
  hash: Buffer;
}

export async function insertKey(tx: Queries, key: NewKey): Promise<KeyRow> {
  const [row] = await tx.query<KeyRow>(sql`
    insert into api_keys (id, workspace_id, kind, name, scopes, expires_at, lookup, hash)
    values (${key.id}, ${key.workspaceId}, ${key.kind}, ${key.name}, ${key.scopes}::text[], ${key.expiresAt},
      ${key.lookup}, ${key.hash})
    returning ${COLUMNS}`);
  return row as KeyRow;
}

export const keysOf = (
  tx: Queries,
  workspaceId: string,
  before: string[] | undefined,
  limit: number,
): Promise<KeyRow[]> =>
  tx.query<KeyRow>(sql`
    select ${COLUMNS} from api_keys
    where workspace_id = ${workspaceId} ${before ? sql`and id < ${before[0]}::uuid` : empty}
    order by id desc limit ${limit}`);

export async function revoke(tx: Queries, workspaceId: string, id: string, now: Date): Promise<KeyRow> {
  const [row] = await tx.query<KeyRow>(sql`
    update api_keys set revoked_at = coalesce(revoked_at, ${now})
    where workspace_id = ${workspaceId} and id = ${id}
    returning ${COLUMNS}`);
  return row as KeyRow;
}

export const deleteKey = (tx: Queries, workspaceId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from api_keys where workspace_id = ${workspaceId} and id = ${id}`);

/** Returns the key and locks it, so that two requests that roll it take turns. */
export async function lockKey(tx: Queries, workspaceId: string, id: string): Promise<KeyRow | undefined> {
  const rows = await tx.query<KeyRow>(
    sql`select ${COLUMNS} from api_keys where workspace_id = ${workspaceId} and id = ${id} for no key update`,
  );
  return rows[0];
}

/** Makes a key expire at that time, or at its own time if that is earlier. */
export async function endKey(tx: Queries, workspaceId: string, id: string, at: Date): Promise<KeyRow> {
  const [row] = await tx.query<KeyRow>(sql`
    update api_keys set expires_at = least(expires_at, ${at}::timestamptz)
    where workspace_id = ${workspaceId} and id = ${id}
    returning ${COLUMNS}`);
  return row as KeyRow;
}

export interface Credential extends WorkspaceRow {
  key_id: string;
  key_name: string;
  kind: KeyKind;
  hash: Buffer;
  scopes: KeyScope[] | null;
  expires_at: Date | null;
  last_used_at: Date | null;
}

/** Returns the keys whose digest begins with `lookup`, with their workspace: one row or none. Expired keys are included, because their callers get a message of their own. */
export const credentials = (tx: Queries, lookup: Buffer): Promise<Credential[]> =>
  tx.query<Credential>(
    prepared(
      "workspaces.credentials",
      sql`select k.id as key_id, k.name as key_name, k.kind, k.hash, k.scopes, k.expires_at, k.last_used_at, w.*
          from api_keys k join ${WORKSPACES} w on w.id = k.workspace_id
          where k.lookup = ${lookup} and k.revoked_at is null`,
    ),
  );

/** Returns those of these keys that are valid: neither revoked nor expired, and of a workspace that is not suspended. */
export async function liveKeys(q: Queries, ids: string[], now: Date): Promise<Set<string>> {
  const rows = await q.query<{ id: string }>(sql`
    select k.id from api_keys k join workspaces w on w.id = k.workspace_id
    where k.id = any(${ids}::uuid[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
      and w.status = 'active'`);
  return new Set(rows.map((row) => row.id));
}

/** A key or a session, by its id, and the workspace that it calls. */
export interface CallerRef {
  id: string;
  workspaceId: string;
}

/** Returns those of these callers that are valid keys. */
export async function validCallers(q: Queries, callers: CallerRef[], now: Date): Promise<CallerRef[]> {
  const valid = await liveKeys(
    q,
    callers.map(({ id }) => id),
    now,
  );
  return callers.filter(({ id }) => valid.has(id));
}

/** Notes when keys were used. Several processes call this; the first one in `apartMs` writes. */
export const markUsed = (q: Queries, ids: string[], now: Date, apartMs: number): Promise<number> =>
  q.execute(sql`
    update api_keys set last_used_at = ${now}
    where id = any(${ids}::uuid[]) and (last_used_at is null or last_used_at <= ${new Date(now.getTime() - apartMs)})`);
