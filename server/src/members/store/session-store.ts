import type { Role } from "@tidings/contract/members";
import { empty, prepared, type Queries, sql } from "../../platform/db/index.ts";
import { type CallerRef, type Workspace, WORKSPACES } from "../../workspaces/index.ts";

export interface SessionRow {
  id: string;
  member_id: string;
  workspace_id: string | null;
  address: string | null;
  agent: string | null;
  created_at: Date;
  used_at: Date;
  expires_at: Date;
}

const COLUMNS = sql`id, member_id, workspace_id, address, agent, created_at, used_at, expires_at`;

export interface NewSession {
  id: string;
  memberId: string;
  hash: Buffer;
  workspaceId: string | null;
  address: string;
  agent: string | null;
  now: Date;
  expiresAt: Date;
}

/** Stores a session, and removes those of the member that are over. */
export async function insertSession(tx: Queries, session: NewSession): Promise<void> {
  await tx.execute(
    sql`delete from member_sessions where member_id = ${session.memberId} and expires_at <= ${session.now}`,
  );
  await tx.execute(sql`
    insert into member_sessions (id, member_id, token_hash, workspace_id, address, agent, created_at, used_at, expires_at)
    values (${session.id}, ${session.memberId}, ${session.hash}, ${session.workspaceId}, ${session.address},
      ${session.agent}, ${session.now}, ${session.now}, ${session.expiresAt})`);
}

/** A session as found by its token, with its member. */
export interface FoundSession extends SessionRow {
  email: string;
  name: string | null;
  second_factor: boolean;
}

export async function sessionByHash(q: Queries, hash: Buffer): Promise<FoundSession | undefined> {
  const rows = await q.query<FoundSession>(
    prepared(
      "members.session",
      sql`select s.id, s.member_id, s.workspace_id, s.address, s.agent, s.created_at, s.used_at, s.expires_at,
            m.email, m.name, m.totp_confirmed_at is not null as second_factor
          from member_sessions s join members m on m.id = s.member_id where s.token_hash = ${hash}`,
    ),
  );
  return rows[0];
}

/** A workspace with the member's role in it. */
export type RoleIn = Workspace & { role: Role };

/** The workspaces that a session is good for, the oldest first. */
export const rolesOf = (q: Queries, { member_id, workspace_id }: SessionRow): Promise<RoleIn[]> =>
  q.query<RoleIn>(
    prepared(
      workspace_id === null ? "members.roles" : "members.role",
      sql`select w.*, s.role from memberships s join ${WORKSPACES} w on w.id = s.workspace_id
          where s.member_id = ${member_id} and s.invite_hash is null
            ${workspace_id === null ? empty : sql`and w.id = ${workspace_id}`}
          order by w.created_at, w.id`,
    ),
  );

/** The sessions of a member that are not over, the last used first. */
export const sessionsOf = (q: Queries, memberId: string, now: Date, idleSince: Date): Promise<SessionRow[]> =>
  q.query<SessionRow>(sql`
    select ${COLUMNS} from member_sessions
    where member_id = ${memberId} and expires_at > ${now} and used_at > ${idleSince}
    order by used_at desc, id desc limit 200`);

/** Returns those of these callers that are sessions which may still call their workspace. */
export async function validSessions(
  q: Queries,
  callers: CallerRef[],
  { now, idleSince }: { now: Date; idleSince: Date },
): Promise<CallerRef[]> {
  return q.query<CallerRef>(sql`
    select s.id, w.id as "workspaceId"
    from unnest(${callers.map(({ id }) => id)}::uuid[], ${callers.map((one) => one.workspaceId)}::uuid[]) as c (id, workspace_id)
    join member_sessions s on s.id = c.id and (s.workspace_id is null or s.workspace_id = c.workspace_id)
    join memberships r on r.member_id = s.member_id and r.workspace_id = c.workspace_id and r.invite_hash is null
    join workspaces w on w.id = c.workspace_id and w.status = 'active'
    where s.expires_at > ${now} and s.used_at > ${idleSince}`);
}

/** Notes the use of a session. Several processes call this; the first one in `apartMs` writes. */
export const markUsed = (q: Queries, id: string, now: Date, apartMs: number): Promise<number> =>
  q.execute(sql`
    update member_sessions set used_at = ${now}
    where id = ${id} and used_at <= ${new Date(now.getTime() - apartMs)}`);

export const deleteSession = (tx: Queries, memberId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from member_sessions where member_id = ${memberId} and id = ${id}`);

/** Ends the sessions of a member, except one. */
export const deleteSessions = (tx: Queries, memberId: string, except?: string): Promise<number> =>
  tx.execute(sql`
    delete from member_sessions where member_id = ${memberId} ${except === undefined ? empty : sql`and id <> ${except}`}`);

/** Removes the sessions of all members that are over. */
export const forgetSessions = (q: Queries, now: Date, idleSince: Date): Promise<number> =>
  q.execute(sql`delete from member_sessions where expires_at <= ${now} or used_at <= ${idleSince}`);

/** Ends the session with this token, if there is one: a browser that signs in again drops what it had. */
export const deleteSessionBy = (tx: Queries, hash: Buffer): Promise<number> =>
  tx.execute(sql`delete from member_sessions where token_hash = ${hash}`);

/** Ends the sessions that are good for this workspace only. */
export const deleteSessionsIn = (tx: Queries, memberId: string, workspaceId: string): Promise<number> =>
  tx.execute(sql`delete from member_sessions where member_id = ${memberId} and workspace_id = ${workspaceId}`);
