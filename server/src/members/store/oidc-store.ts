import type { RoleMapping } from "@tidings/contract/members";
import { type Queries, sql } from "../../platform/db/index.ts";

export interface OidcRow {
  workspace_id: string;
  issuer: string;
  client_id: string;
  /** Sealed. */
  client_secret: string;
  client_secret_changed_at: Date | null;
  role_mapping: RoleMapping | null;
  updated_at: Date;
}

export async function oidcOf(q: Queries, workspaceId: string): Promise<OidcRow | undefined> {
  return (await q.query<OidcRow>(sql`select * from oidc_providers where workspace_id = ${workspaceId}`))[0];
}

/** Returns the provider and locks it. */
export async function lockOidc(tx: Queries, workspaceId: string): Promise<OidcRow | undefined> {
  const rows = await tx.query<OidcRow>(
    sql`select * from oidc_providers where workspace_id = ${workspaceId} for no key update`,
  );
  return rows[0];
}

export async function putOidc(tx: Queries, row: Omit<OidcRow, "client_secret_changed_at">): Promise<OidcRow> {
  const mapping = row.role_mapping === null ? null : JSON.stringify(row.role_mapping);
  const [stored] = await tx.query<OidcRow>(sql`
    insert into oidc_providers (workspace_id, issuer, client_id, client_secret, client_secret_changed_at, role_mapping, updated_at)
    values (${row.workspace_id}, ${row.issuer}, ${row.client_id}, ${row.client_secret}, ${row.updated_at}, ${mapping},
      ${row.updated_at})
    on conflict (workspace_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
      client_secret = excluded.client_secret, client_secret_changed_at = case
        when oidc_providers.client_secret = excluded.client_secret then oidc_providers.client_secret_changed_at
        else excluded.updated_at end,
      role_mapping = excluded.role_mapping, updated_at = excluded.updated_at
    returning *`);
  return stored as OidcRow;
}

export const deleteOidc = (tx: Queries, workspaceId: string): Promise<number> =>
  tx.execute(sql`delete from oidc_providers where workspace_id = ${workspaceId}`);

export interface Subject {
  workspaceId: string;
  issuer: string;
  subject: string;
}

/** Returns who a subject of the workspace's provider is. */
export async function identityOf(q: Queries, { workspaceId, issuer, subject }: Subject): Promise<string | undefined> {
  const [row] = await q.query<{ member_id: string }>(sql`
    select member_id from oidc_identities
    where workspace_id = ${workspaceId} and issuer = ${issuer} and subject = ${subject}`);
  return row?.member_id;
}

export const insertIdentity = (
  tx: Queries,
  { workspaceId, issuer, subject }: Subject,
  memberId: string,
  now: Date,
): Promise<number> =>
  tx.execute(sql`
    insert into oidc_identities (workspace_id, issuer, subject, member_id, created_at)
    values (${workspaceId}, ${issuer}, ${subject}, ${memberId}, ${now})
    on conflict (workspace_id, issuer, subject) do nothing`);

interface Start {
  stateHash: Buffer;
  cookieHash: Buffer;
  workspaceId: string;
  now: Date;
  expiresAt: Date;
}

/** Stores a sign-in that goes to a provider, and removes those that have expired. */
export async function insertStart(tx: Queries, start: Start): Promise<void> {
  await tx.execute(sql`delete from oidc_starts where expires_at <= ${start.now}`);
  await tx.execute(sql`
    insert into oidc_starts (state_hash, cookie_hash, workspace_id, expires_at)
    values (${start.stateHash}, ${start.cookieHash}, ${start.workspaceId}, ${start.expiresAt})`);
}

/** Uses up a start. Returns its workspace; undefined if it is unknown, used, expired or of another browser. */
export async function takeStart(
  q: Queries,
  { stateHash, cookieHash, now }: Pick<Start, "stateHash" | "cookieHash" | "now">,
): Promise<string | undefined> {
  const [row] = await q.query<{ workspace_id: string }>(sql`
    delete from oidc_starts where state_hash = ${stateHash} and cookie_hash = ${cookieHash} and expires_at > ${now}
    returning workspace_id`);
  return row?.workspace_id;
}
