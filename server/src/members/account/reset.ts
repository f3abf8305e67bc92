import type { Queries, Tx } from "../../platform/db/index.ts";
import type { MembersGround } from "../ground.ts";
import { emailOf } from "../proof/email.ts";
import { MEMBERS_CHANGED } from "../session/sessions.ts";
import { memberByEmail, workspacesOf } from "../store/account-store.ts";
import { removeSecondFactor } from "../store/factor-store.ts";
import { deletePasskeys } from "../store/passkey-store.ts";
import { deleteSessions } from "../store/session-store.ts";
import { oneTimeLink } from "./links.ts";

interface Reset {
  memberId: string;
  now: Date;
  /** Also removes the second factor and the passkeys, for a member who has lost them or whose account somebody else set up. */
  wholly?: boolean;
}

/** Returns the address of the page that sets a new password, once and within the hour. Earlier links of the member end. */
export async function resetLink(tx: Tx, publicUrl: string, { memberId, now, wholly }: Reset): Promise<string> {
  if (wholly) {
    await removeSecondFactor(tx, memberId, now);
    await deletePasskeys(tx, memberId);
    await deleteSessions(tx, memberId);
    tx.signal(MEMBERS_CHANGED, [memberId]);
  }
  return oneTimeLink(tx, publicUrl, { kind: "reset", memberId, now });
}

/**
 * Mails a link for a new password, if there is such an account and a way to mail it. It returns at once and says nothing of the outcome:
 * neither the answer nor its time tells who has an account. @throws Problem rate_limited
 */
export async function mailReset(ground: MembersGround, given: string, address: string): Promise<void> {
  const key = emailOf(given)?.key;
  if (key === undefined) return;
  await ground.members.attempts.count("reset", key, address);
  void send(ground, key).catch((error: unknown) =>
    ground.log.warn({ err: String(error) }, "a link for a new password could not be mailed"),
  );
}

async function send(ground: MembersGround, key: string): Promise<void> {
  const { db, clock, config, log } = ground;
  const member = await memberByEmail(db, key);
  if (!member) return;
  const workspaceId = await mailingWorkspace(db, member.id);
  if (workspaceId === undefined) return;
  const link = await db.transaction((tx) => resetLink(tx, config.publicUrl, { memberId: member.id, now: clock.now() }));
  const sent = await ground.letters.send(workspaceId, {
    to: member.email,
    subject: "A new password for Tidings",
    text: `Somebody asked for a new password for ${member.email}. If it was you, set it here within the hour:\n\n${link}\n\nOtherwise ignore this email: your password stays.`,
  });
  if (!sent)
    log.warn(
      { workspace_id: workspaceId },
      "no provider took a link for a new password: `tidings members reset-link` makes one",
    );
}

/**
 * The workspace through whose provider a link may be mailed. Its owners can read what the provider sends, so they could take over an
 * account that is also a member elsewhere: such an account gets its link from the operator.
 */
async function mailingWorkspace(q: Queries, memberId: string): Promise<string | undefined> {
  const [only, ...more] = await workspacesOf(q, memberId);
  return more.length === 0 ? only?.workspace_id : undefined;
}
