import type { Role } from "@tidings/contract/members";
import type { Tx } from "../../platform/db/index.ts";
import { notFound, Problem } from "../../platform/http/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import type { Authored } from "../../platform/resources/authored.ts";
import { changing, created, type Origin, removing } from "../../platform/resources/changes.ts";
import type { Email } from "../proof/email.ts";
import { makeToken, tokenHash } from "../proof/token.ts";
import { MEMBERS_CHANGED } from "../session/sessions.ts";
import {
  deleteMembership,
  forgetStray,
  lockMember,
  lockMembership,
  lockOwners,
  type MembershipRow,
  memberWith,
  membership,
  putMembership,
  setRole,
} from "../store/account-store.ts";
import { deleteSessionsIn } from "../store/session-store.ts";

const INVITATION_MS = 7 * 86_400_000;

/** A member of a workspace, as the API shows them. */
export const describeMember = (row: MembershipRow) => ({
  id: encodeId("mem", row.member_id),
  email: row.email,
  name: row.name,
  role: row.role,
  status: row.invited ? ("invited" as const) : ("active" as const),
  second_factor: row.second_factor,
  invitation_expires_at: row.invite_expires_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

/** As the log of changes and If-Match know them: the role, under their address. Their name and factors are their own. */
export const MEMBER: Authored<MembershipRow> = {
  noun: "member",
  named: "email",
  locked: lockMembership,
  shape: describeMember,
  derived: ["name", "second_factor", "invitation_expires_at"],
};

/**
 * Invites somebody to the workspace. An open invitation of theirs is replaced, and its link ends. Returns the token of the link, which is
 * nowhere stored. @throws Problem conflict for one who is a member already
 */
export async function invite(
  tx: Tx,
  origin: Origin,
  { email, role }: { email: Email; role: Role },
  now: Date,
): Promise<{ row: MembershipRow; token: string }> {
  const workspaceId = origin.scope;
  const token = makeToken();
  const { id: memberId } = await memberWith(tx, newId(), email, now);
  const invitation = { hash: tokenHash(token), expiresAt: new Date(now.getTime() + INVITATION_MS) };
  if (!(await putMembership(tx, { workspaceId, memberId, role }, invitation, now)))
    throw new Problem("conflict", `${email.email} is a member of this workspace already.`);
  const row = (await membership(tx, workspaceId, memberId)) as MembershipRow;
  await created(tx, MEMBER, origin, { row, now });
  return { row, token };
}

/** Makes a member of somebody for whom the workspace's identity provider vouches; an open invitation of theirs ends. */
export async function admit(
  tx: Tx,
  origin: Origin,
  { memberId, role }: { memberId: string; role: Role },
  now: Date,
): Promise<void> {
  const workspaceId = origin.scope;
  await putMembership(tx, { workspaceId, memberId, role }, undefined, now);
  const row = (await membership(tx, workspaceId, memberId)) as MembershipRow;
  await created(tx, MEMBER, origin, { row, now });
}

/** Changes what a member may do, on every node within 5 s. @throws Problem not_found, last_owner */
export async function changeRole(
  tx: Tx,
  origin: Origin,
  { memberId, role }: { memberId: string; role: Role },
  now: Date,
): Promise<MembershipRow> {
  const change = { origin, done: "changed", id: memberId, now };
  if (role !== "owner") await keepAnOwner(tx, origin.scope, memberId);
  const row = await changing(tx, MEMBER, change, async () => {
    await setRole(tx, origin.scope, memberId, role);
    return (await membership(tx, origin.scope, memberId)) as MembershipRow;
  });
  tx.signal(MEMBERS_CHANGED, [memberId]);
  return row;
}

/**
 * Removes a member from the workspace, or an invitation. Their sessions lose the workspace on every node within 5 s; an account without
 * any workspace is removed with its sessions. @throws Problem not_found, last_owner
 */
export async function removeMember(tx: Tx, origin: Origin, memberId: string, now: Date): Promise<void> {
  // The account first, as an invitation does: otherwise each could wait for what the other one has locked.
  await lockMember(tx, memberId);
  await keepAnOwner(tx, origin.scope, memberId);
  await removing(tx, MEMBER, { origin, id: memberId, now }, async () => {
    if ((await deleteMembership(tx, origin.scope, memberId)) === 0) throw notFound("member");
    await deleteSessionsIn(tx, memberId, origin.scope);
    await forgetStray(tx, memberId);
  });
  tx.signal(MEMBERS_CHANGED, [memberId]);
}

/** Whether this member is the only owner; nobody could then invite another one. It stays so until the transaction ends. */
export async function isOnlyOwner(tx: Tx, workspaceId: string, memberId: string): Promise<boolean> {
  const owners = await lockOwners(tx, workspaceId);
  return owners.length === 1 && owners[0] === memberId;
}

/** @throws Problem last_owner */
async function keepAnOwner(tx: Tx, workspaceId: string, memberId: string): Promise<void> {
  if (await isOnlyOwner(tx, workspaceId, memberId))
    throw new Problem("last_owner", "This is the only owner of the workspace. Make another member an owner first.");
}
