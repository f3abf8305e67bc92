import { Problem } from "../../platform/http/index.ts";
import { isCode, useCode } from "../factors/second-factor.ts";
import type { MembersGround } from "../ground.ts";
import { logFailure } from "../factors/failure.ts";
import { emailOf } from "../proof/email.ts";
import { type From, openSession } from "../session/sessions.ts";
import { type MemberRow, memberByEmail, renewHash } from "../store/account-store.ts";

/** One answer for an unknown account, an account without a password and a wrong password. */
export const signInFailed = (): Problem =>
  new Problem("sign_in_failed", "The email address, the password or the code is wrong.");

export interface SignIn {
  email: string;
  password: string;
  code?: string;
}

/**
 * Signs a member in by password, and by code where the account has a second factor. Returns the token of the new session.
 * An unknown account takes as long as a wrong password. @throws Problem sign_in_failed, second_factor_required, rate_limited, busy
 */
export async function signIn(ground: MembersGround, input: SignIn, from: From): Promise<string> {
  const email = emailOf(input.email)?.key ?? "";
  try {
    return await attempt(ground, { ...input, email }, from);
  } catch (error) {
    logFailure(ground, { email }, { address: from.address, error });
    throw error;
  }
}

async function attempt(ground: MembersGround, input: SignIn, from: From): Promise<string> {
  const { db, clock, members } = ground;
  const { email } = input;
  const takeBack = await members.attempts.count("password", email, from.address);
  const member = await memberByEmail(db, email);
  const fits = await members.passwords.fits(input.password, member?.password, from.address);
  if (!member?.password || !fits) throw signInFailed();
  await takeBack();
  const right = await countCode(ground, member, input, from);
  const proven = await db.transaction(async (tx) => {
    const now = clock.now();
    if (member.totp_confirmed_at !== null) {
      if (input.code === undefined) throw secondFactorRequired();
      if (!isCode(input.code) || !(await useCode(tx, ground, member.id, input.code))) throw signInFailed();
    }
    return openSession(tx, { memberId: member.id }, from, now);
  });
  await right?.();
  await renew(ground, member, input.password, from.address);
  return proven;
}

/** Counts a code where the account has a second factor, before the transaction that judges it. */
const countCode = ({ members }: MembersGround, member: MemberRow, { code }: SignIn, from: From) =>
  member.totp_confirmed_at === null || code === undefined
    ? undefined
    : members.attempts.count("code", member.id, from.address);

const secondFactorRequired = (): Problem =>
  new Problem(
    "second_factor_required",
    "Send the call again with `code`: six digits of the authenticator, or a recovery code.",
  );

/** Hashes the password anew if it was hashed at another cost. */
async function renew({ db, members }: MembersGround, member: MemberRow, password: string, by: string) {
  if (member.password === null || !members.passwords.outdated(member.password)) return;
  const hash = await members.passwords.hash(password, by);
  await renewHash(db, member.id, hash, member.password);
}
