import type { Role } from "@tidings/contract/members";
import { empty, type Queries, sql } from "../../platform/db/index.ts";
import type { Email } from "../proof/email.ts";

export interface MemberRow {
  id: string;
  email: string;
  name: string | null;
  password: string | null;
  totp_secret: string | null;
  totp_confirmed_at: Date | null;
  created_at: Date;
}

const COLUMNS = sql`id, email, name, password, totp_secret, totp_confirmed_at, created_at`;

/** Locks the table against a second process that also sees it empty. */
export const lockMembers = (tx: Queries): Promise<number> =>
  tx.execute(sql`lock table members in share row exclusive mode`);

/** Whether an account exists that has been used: one that was only invited can't sign in. */
export async function anyMember(q: Queries): Promise<boolean> {
  const rows = await q.query(sql`
    select from memberships where invite_hash is null limit 1`);
  return rows.length > 0;
}

export async function memberByEmail(q: Queries, key: string): Promise<MemberRow | undefined> {
  return (await q.query<MemberRow>(sql`select ${COLUMNS} from members where email_key = ${key}`))[0];
}

export async function memberById(q: Queries, id: string): Promise<MemberRow | undefined> {
  return (await q.query<MemberRow>(sql`select ${COLUMNS} from members where id = ${id}`))[0];
}

/** Returns the account and locks it: changes to how a member signs in take turns. */
export async function lockMember(tx: Queries, id: string): Promise<MemberRow | undefined> {
  return (await tx.query<MemberRow>(sql`select ${COLUMNS} from members where id = ${id} for no key update`))[0];
}

/** Returns the account with this address, which is made where there is none. */
export async function memberWith(tx: Queries, id: string, { email, key }: Email, now: Date): Promise<MemberRow> {
  const [row] = await tx.query<MemberRow>(sql`
    insert into members (id, email, email_key, created_at, updated_at) values (${id}, ${email}, ${key}, ${now}, ${now})
    on conflict (email_key) do update set email_key = excluded.email_key
    returning ${COLUMNS}`);
  return row as MemberRow;
}

export async function setName(tx: Queries, id: string, name: string | null, now: Date): Promise<void> {
  await tx.execute(sql`update members set name = ${name}, updated_at = ${now} where id = ${id}`);
}

/** Sets the hash of a password. */
export const setPassword = (tx: Queries, id: string, hash: string, now: Date): Promise<number> =>
  tx.execute(sql`update members set password = ${hash}, updated_at = ${now} where id = ${id}`);

/** Replaces a hash by another one of the same password, unless it has changed meanwhile. */
export const renewHash = (q: Queries, id: string, hash: string, before: string): Promise<number> =>
  q.execute(sql`update members set password = ${hash} where id = ${id} and password = ${before}`);

/** Removes the account unless it is a member of any workspace. */
export const forgetStray = (tx: Queries, id: string): Promise<number> =>
  tx.execute(sql`
    delete from members m where id = ${id} and not exists (select from memberships where member_id = m.id)`);

/** One-time links. */
export type LinkKind = "setup" | "reset";

export interface NewLink {
  hash: Buffer;
  kind: LinkKind;
  memberId: string | null;
  now: Date;
  expiresAt: Date;
}

/** Stores a link. A member's earlier links of this kind end with it, and so do all that have expired. */
export async function insertLink(tx: Queries, { hash, kind, memberId, now, expiresAt }: NewLink): Promise<void> {
  await tx.execute(sql`
    delete from member_links where expires_at <= ${now} or (kind = ${kind} and member_id = ${memberId}::uuid)`);
  await tx.execute(sql`
    insert into member_links (hash, kind, member_id, created_at, expires_at)
    values (${hash}, ${kind}, ${memberId}, ${now}, ${expiresAt})`);
}

/** Uses up a link. Returns false for one that is unknown, used or expired. */
export const takeLink = async (tx: Queries, kind: LinkKind, hash: Buffer, now: Date): Promise<boolean> =>
  (await tx.execute(sql`
    delete from member_links where hash = ${hash} and kind = ${kind} and expires_at > ${now}`)) === 1;

export const deleteLinks = (tx: Queries, kind: LinkKind, memberId: string | null): Promise<number> =>
  tx.execute(sql`delete from member_links where kind = ${kind} and member_id is not distinct from ${memberId}::uuid`);

/** Returns whose link this is, without using it up; undefined for one that takeLink would not take. */
export async function linkedTo(q: Queries, kind: LinkKind, hash: Buffer, now: Date): Promise<string | undefined> {
  const [row] = await q.query<{ member_id: string | null }>(
    sql`select member_id from member_links where hash = ${hash} and kind = ${kind} and expires_at > ${now}`,
  );
  return row?.member_id ?? undefined;
}

export interface MembershipRow {
  workspace_id: string;
  member_id: string;
  role: Role;
  email: string;
  name: string | null;
  invited: boolean;
  invite_expires_at: Date | null;
  second_factor: boolean;
  created_at: Date;
}

const LISTED = sql`s.workspace_id, s.member_id, s.role, m.email,
  case when s.invite_hash is null then m.name end as name, s.invite_hash is not null as invited, s.invite_expires_at,
  s.invite_hash is null and m.totp_confirmed_at is not null as second_factor, s.created_at`;

/** The members of a workspace. Of one who was only invited it shows nothing that other workspaces know. */
export const membershipsOf = (
  q: Queries,
  workspaceId: string,
  before: string[] | undefined,
  limit: number,
): Promise<MembershipRow[]> =>
  q.query<MembershipRow>(sql`
    select ${LISTED} from memberships s join members m on m.id = s.member_id
    where s.workspace_id = ${workspaceId} ${before ? sql`and s.member_id < ${before[0]}::uuid` : empty}
    order by s.member_id desc limit ${limit}`);

export async function membership(
  q: Queries,
  workspaceId: string,
  memberId: string,
): Promise<MembershipRow | undefined> {
  const rows = await q.query<MembershipRow>(sql`
    select ${LISTED} from memberships s join members m on m.id = s.member_id
    where s.workspace_id = ${workspaceId} and s.member_id = ${memberId}`);
  return rows[0];
}

/** Returns the membership and locks it. */
export async function lockMembership(
  tx: Queries,
  workspaceId: string,
  memberId: string,
): Promise<MembershipRow | undefined> {
  const rows = await tx.query<MembershipRow>(sql`
    select ${LISTED} from memberships s join members m on m.id = s.member_id
    where s.workspace_id = ${workspaceId} and s.member_id = ${memberId} for no key update of s`);
  return rows[0];
}

/** Locks the memberships of the owners of a workspace, so that two who remove each other take turns. Returns those who have accepted. */
export async function lockOwners(tx: Queries, workspaceId: string): Promise<string[]> {
  const rows = await tx.query<{ member_id: string }>(sql`
    select member_id from memberships where workspace_id = ${workspaceId} and role = 'owner' and invite_hash is null
    order by member_id for update`);
  return rows.map((row) => row.member_id);
}

export interface Invitation {
  hash: Buffer;
  expiresAt: Date;
}

/** Makes a member of the workspace, or invites one. Returns false for one who is a member already; an open invitation is replaced. */
export async function putMembership(
  tx: Queries,
  { workspaceId, memberId, role }: { workspaceId: string; memberId: string; role: Role },
  invitation: Invitation | undefined,
  now: Date,
): Promise<boolean> {
  const { hash = null, expiresAt = null } = invitation ?? {};
  const done = await tx.execute(sql`
    insert into memberships as old (workspace_id, member_id, role, invite_hash, invite_expires_at, created_at)
    values (${workspaceId}, ${memberId}, ${role}, ${hash}, ${expiresAt}, ${now})
    on conflict (workspace_id, member_id) do update
      set role = excluded.role, invite_hash = excluded.invite_hash, invite_expires_at = excluded.invite_expires_at
      where old.invite_hash is not null`);
  return done === 1;
}

export const setRole = (tx: Queries, workspaceId: string, memberId: string, role: Role): Promise<number> =>
  tx.execute(
    sql`update memberships set role = ${role} where workspace_id = ${workspaceId} and member_id = ${memberId}`,
  );

export const deleteMembership = (tx: Queries, workspaceId: string, memberId: string): Promise<number> =>
  tx.execute(sql`delete from memberships where workspace_id = ${workspaceId} and member_id = ${memberId}`);

/** Returns who has this invitation, without accepting it; undefined for one that acceptInvitation would not accept. */
export async function invitedBy(q: Queries, hash: Buffer, now: Date): Promise<string | undefined> {
  const [row] = await q.query<{ member_id: string }>(
    sql`select member_id from memberships where invite_hash = ${hash} and invite_expires_at > ${now}`,
  );
  return row?.member_id;
}

/** Accepts an invitation. Returns false for one that is unknown, replaced, accepted or expired. */
export const acceptInvitation = async (tx: Queries, hash: Buffer, now: Date): Promise<boolean> =>
  (await tx.execute(sql`
    update memberships set invite_hash = null, invite_expires_at = null
    where invite_hash = ${hash} and invite_expires_at > ${now}`)) === 1;

/** The workspaces that an account belongs to. */
export const workspacesOf = (q: Queries, memberId: string): Promise<{ workspace_id: string }[]> =>
  q.query(sql`select workspace_id from memberships where member_id = ${memberId} and invite_hash is null`);
