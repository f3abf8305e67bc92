import { hash, randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import type { Seal } from "../../platform/seal.ts";
import type { MembersGround } from "../ground.ts";
import { logOwn, ownOf } from "../session/log.ts";
import { MEMBERS_CHANGED } from "../session/sessions.ts";
import { lockMember, memberById } from "../store/account-store.ts";
import {
  confirmSecret,
  putSecret,
  removeSecondFactor,
  replaceRecoveryCodes,
  useRecoveryCode,
  useStep,
} from "../store/factor-store.ts";
import type { FoundSession } from "../store/session-store.ts";

const ISSUER = "Tidings";
const PERIOD_S = 30;
/** Clocks of telephones may be wrong by one step. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Without letters and digits that look alike: 16 of these 31 are 79 bits, too many to try out even offline. */
const LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";
const LENGTH = 16;

type Sealing = Pick<Ground, "seal" | "clock">;

const context = (memberId: string): string => `member ${memberId} totp`;

/** Whether the text may be a code of an authenticator, or a recovery code. */
export const isCode = (text: string): boolean => /^\d{6}$/.test(plain(text)) || plain(text).length === LENGTH;

const plain = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, "");

/** Makes a new secret, which counts once it is confirmed. @throws Problem conflict if the member has a second factor */
export async function beginSecondFactor(
  tx: Tx,
  { seal, clock }: Sealing,
  { id, email }: { id: string; email: string },
): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: 20 });
  if (!(await putSecret(tx, id, seal.seal(secret.base32, context(id)), clock.now())))
    throw new Problem("conflict", "There is a second factor already. Remove it first.");
  return { secret: secret.base32, uri: totp(secret, email).toString() };
}

/** Makes the second factor count. Returns the recovery codes, which are nowhere stored. @throws Problem code_wrong, conflict, rate_limited */
export async function confirmSecondFactor(
  ground: MembersGround,
  session: FoundSession,
  code: string,
): Promise<string[]> {
  const { member_id: id } = session;
  const takeBack = await ground.members.attempts.count("code", id, "");
  const codes = Array.from({ length: RECOVERY_CODES }, recoveryCode);
  await ground.db.transaction(async (tx) => {
    const member = await lockMember(tx, id);
    if (member?.totp_confirmed_at) throw new Problem("conflict", "There is a second factor already.");
    const step = member && stepOf(ground, member, plain(code));
    if (step === undefined)
      throw new Problem(
        "code_wrong",
        "The code is wrong, or has expired. Enter the one that the application shows now.",
      );
    await confirmSecret(tx, id, step, ground.clock.now());
    await replaceRecoveryCodes(tx, id, codes.map(hashOf));
    await logOwn(tx, ownOf(session), "second_factor_set", ground.clock.now());
    tx.signal(MEMBERS_CHANGED, [id]);
  });
  await takeBack();
  return codes;
}

/** Removes the second factor. The member has proved to be themselves. */
export const dropSecondFactor = ({ db, clock }: MembersGround, session: FoundSession): Promise<void> =>
  db.transaction(async (tx) => {
    const { member_id: id } = session;
    await removeSecondFactor(tx, id, clock.now());
    await logOwn(tx, ownOf(session), "second_factor_removed", clock.now());
    tx.signal(MEMBERS_CHANGED, [id]);
  });

/** Uses up a code or a recovery code. Returns false if it is wrong or was used before. */
export async function useCode(tx: Tx, sealing: Sealing, memberId: string, given: string): Promise<boolean> {
  const code = plain(given);
  if (code.length === LENGTH) return useRecoveryCode(tx, memberId, hashOf(code));
  const member = await memberById(tx, memberId);
  const step = member?.totp_confirmed_at ? stepOf(sealing, member, code) : undefined;
  return step !== undefined && useStep(tx, memberId, step);
}

/** Returns the time step that a code belongs to; undefined for a wrong code. */
function stepOf(
  { seal, clock }: Sealing,
  { id, email, totp_secret }: { id: string; email: string; totp_secret: string | null },
  token: string,
): number | undefined {
  if (totp_secret === null) return undefined;
  const timestamp = clock.now().getTime();
  const secret = opened(seal, totp_secret, id);
  if (!secret) return undefined;
  const delta = totp(secret, email).validate({ token, timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / 1_000 / PERIOD_S) + delta;
}

/** After a restore without its key no code fits any more, and the recovery codes still do. */
function opened(seal: Seal, sealed: string, memberId: string): Secret | undefined {
  try {
    return Secret.fromBase32(seal.open(sealed, context(memberId)));
  } catch {
    return undefined;
  }
}

const totp = (secret: Secret, label: string): TOTP => new TOTP({ issuer: ISSUER, label, secret, period: PERIOD_S });

/** In groups of four, to be typed from paper. */
function recoveryCode(): string {
  const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return code.replaceAll(/.{4}(?=.)/g, "$&-");
}

const hashOf = (code: string): Buffer => hash("sha256", plain(code), "buffer");
