import type { Queries, Tx } from "../../platform/db/index.ts";
import { badField, Problem } from "../../platform/http/index.ts";
import type { MembersGround } from "../ground.ts";
import { tokenHash } from "../proof/token.ts";
import { type From, MEMBERS_CHANGED, openSession, type Session } from "../session/sessions.ts";
import {
  acceptInvitation,
  invitedBy,
  lockMember,
  type MemberRow,
  memberById,
  setName,
  setPassword,
  workspacesOf,
} from "../store/account-store.ts";
import { logOwn } from "../session/log.ts";
import { linkInvalid } from "./links.ts";
import { checkNewPassword } from "./new-password.ts";

interface Acceptance {
  token: string;
  name?: string;
  password?: string;
}

/**
 * Accepts an invitation. Somebody new sets a password and is signed in: it returns the token of the session. An account that is in use is
 * not opened by a link of another workspace's owner: its member must be signed in, and undefined is returned.
 * @throws Problem link_invalid, invalid_request, password_refused, unauthenticated
 */
export async function accept(
  ground: MembersGround,
  { token, name, password }: Acceptance,
  session: Session | undefined,
  from: From,
): Promise<string | undefined> {
  const { db, clock, members } = ground;
  const hash = tokenHash(token);
  const invited = await invitedBy(db, hash, clock.now());
  const member = invited === undefined ? undefined : await memberById(db, invited);
  if (!member) throw linkInvalid();
  if (await inUse(db, member.id)) {
    if (session?.member_id !== member.id || session.workspace_id !== null) throw signInFirst(member.email);
    await db.transaction((tx) => enter(tx, hash, member, clock.now()));
    return undefined;
  }
  if (password === undefined) throw badField("/password", "is needed: choose one");
  checkNewPassword(password, "/password", [member.email, name]);
  const hashed = await members.passwords.hash(password, from.address);
  return db.transaction(async (tx) => {
    const now = clock.now();
    await lockMember(tx, member.id);
    // Another invitation may have been accepted while the password was hashed.
    if (await inUse(tx, member.id)) throw signInFirst(member.email);
    await enter(tx, hash, { ...member, name: name ?? member.name }, now);
    await setPassword(tx, member.id, hashed, now);
    if (name !== undefined) await setName(tx, member.id, name, now);
    return openSession(tx, { memberId: member.id }, from, now);
  });
}

const inUse = async (q: Queries, memberId: string): Promise<boolean> => (await workspacesOf(q, memberId)).length > 0;

async function enter(tx: Tx, hash: Buffer, member: MemberRow, now: Date): Promise<void> {
  if (!(await acceptInvitation(tx, hash, now))) throw linkInvalid();
  await logOwn(tx, member, "joined", now);
  tx.signal(MEMBERS_CHANGED, [member.id]);
}

const signInFirst = (email: string): Problem =>
  new Problem("unauthenticated", `There is an account for ${email} already. Sign in with it, and open the link again.`);
