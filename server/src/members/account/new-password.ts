import { Problem } from "../../platform/http/index.ts";
import type { MembersGround } from "../ground.ts";
import { refusedPassword } from "../proof/password-rules.ts";
import { tokenHash } from "../proof/token.ts";
import { MEMBERS_CHANGED } from "../session/sessions.ts";
import { deleteLinks, linkedTo, lockMember, memberById, setPassword, takeLink } from "../store/account-store.ts";
import { deleteSessions, type SessionRow } from "../store/session-store.ts";
import { logOwn } from "../session/log.ts";
import { linkInvalid } from "./links.ts";

/** @param at the field of the body. @param own words that anybody knows of this member @throws Problem password_refused */
export function checkNewPassword(password: string, at: string, own: (string | null | undefined)[]): void {
  const known = own.filter((word) => word != null);
  const reason = refusedPassword(password, known);
  if (reason === undefined) return;
  throw new Problem("password_refused", `The password ${reason}.`, { errors: [{ pointer: at, message: reason }] });
}

/** Changes the password of the member who is signed in. All their other sessions end. @throws Problem sign_in_failed, password_refused, not_permitted */
export async function changePassword(
  ground: MembersGround,
  session: SessionRow,
  input: { current_password: string; new_password: string },
  address: string,
): Promise<void> {
  const { db, clock, members } = ground;
  const member = await proven(ground, session, { password: input.current_password, at: "/current_password" }, address);
  checkNewPassword(input.new_password, "/new_password", [member.email, member.name]);
  const hash = await members.passwords.hash(input.new_password, address);
  await db.transaction(async (tx) => {
    await lockMember(tx, member.id);
    await setPassword(tx, member.id, hash, clock.now());
    await deleteLinks(tx, "reset", member.id);
    await deleteSessions(tx, member.id, session.id);
    await logOwn(tx, member, "password_changed", clock.now());
    tx.signal(MEMBERS_CHANGED, [member.id]);
  });
}

/** A password, and the pointer to its field in the body. */
interface GivenPassword {
  password: string;
  at: string;
}

/** Returns the member of a session whose password this is. @throws Problem sign_in_failed, rate_limited, busy */
export async function proven(
  { db, members }: MembersGround,
  { member_id }: SessionRow,
  { password, at }: GivenPassword,
  address: string,
) {
  const takeBack = await members.attempts.count("password", member_id, address);
  const member = await memberById(db, member_id);
  const fits = await members.passwords.fits(password, member?.password, address);
  if (!member || !fits)
    throw new Problem("sign_in_failed", "The current password is wrong.", {
      errors: [{ pointer: at, message: "is not your current password" }],
    });
  await takeBack();
  return member;
}

/** A session of this age still proves who sits there; later somebody else may have found it open. */
const FRESH_MS = 10 * 60_000;

/** Proves that the member themselves asks, and not somebody at their open session. @throws Problem fresh_sign_in_required, and as `proven` */
export async function provenAgain(
  ground: MembersGround,
  session: SessionRow,
  password: string | undefined,
  address: string,
): Promise<void> {
  if (password !== undefined) return void (await proven(ground, session, { password, at: "/password" }, address));
  if (ground.clock.now().getTime() - session.created_at.getTime() <= FRESH_MS) return;
  throw new Problem(
    "fresh_sign_in_required",
    "Give your password, or sign in again: this session began more than 10 minutes ago.",
    { errors: [{ pointer: "/password", message: "is needed" }] },
  );
}

/** Sets a new password by a one-time link. All sessions of the member end. @throws Problem link_invalid, password_refused */
export async function completeReset(
  ground: MembersGround,
  { token, new_password }: { token: string; new_password: string },
  address: string,
): Promise<void> {
  const { db, clock, members } = ground;
  const link = tokenHash(token);
  // A wrong link costs no hash, and a password that is refused does not use the link up.
  const memberId = await linkedTo(db, "reset", link, clock.now());
  const member = memberId === undefined ? undefined : await memberById(db, memberId);
  if (!member) throw linkInvalid();
  checkNewPassword(new_password, "/new_password", [member.email, member.name]);
  const hash = await members.passwords.hash(new_password, address);
  await db.transaction(async (tx) => {
    if (!(await takeLink(tx, "reset", link, clock.now()))) throw linkInvalid();
    await setPassword(tx, member.id, hash, clock.now());
    await deleteSessions(tx, member.id);
    await logOwn(tx, member, "password_reset", clock.now());
    tx.signal(MEMBERS_CHANGED, [member.id]);
  });
}
