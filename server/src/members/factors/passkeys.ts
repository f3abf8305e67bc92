import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { Problem } from "../../platform/http/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import type { MembersGround } from "../ground.ts";
import { makeToken, tokenHash } from "../proof/token.ts";
import { logFailure } from "./failure.ts";
import { logOwn, ownOf } from "../session/log.ts";
import { type From, openSession } from "../session/sessions.ts";
import {
  deletePasskey,
  insertChallenge,
  insertPasskey,
  type PasskeyRow,
  passkeyBy,
  passkeysOf,
  takeChallenge,
  usePasskey,
} from "../store/passkey-store.ts";
import type { FoundSession } from "../store/session-store.ts";
import { webauthn } from "./webauthn.ts";

/** How long a person may take for the question of their browser. */
const CHALLENGE_MS = 5 * 60_000;
const MOST_PASSKEYS = 20;

/** A passkey, as the API shows it. */
export const describePasskey = (row: PasskeyRow) => ({
  id: encodeId("psk", row.id),
  name: row.name,
  created_at: row.created_at.toISOString(),
  used_at: row.used_at?.toISOString() ?? null,
});

/** The host that a passkey belongs to: that of PUBLIC_URL. */
const hostOf = ({ config }: MembersGround): string => new URL(config.publicUrl).hostname;

/** What a credential must be about: an unused challenge of ours for this member, answered on a page of PUBLIC_URL. */
const expectedOf = (ground: MembersGround, memberId: string | null) => ({
  expectedChallenge: (challenge: string) =>
    takeChallenge(ground.db, tokenHash(challenge), memberId, ground.clock.now()),
  expectedOrigin: new URL(ground.config.publicUrl).origin,
  expectedRPID: hostOf(ground),
});

/** The library throws errors without a code for each fault of a credential. Those with a code are of the database. */
const isFault = (error: unknown): boolean => (error as { code?: unknown }).code === undefined;

/** The challenge is text of our own: the library encodes text once more, and a browser returns it so. */
async function newChallenge({ db, clock }: MembersGround, memberId: string | null): Promise<Uint8Array<ArrayBuffer>> {
  const token = makeToken();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
  await insertChallenge(db, { hash: tokenHash(token), memberId, now, expiresAt });
  return new Uint8Array(Buffer.from(token, "base64url"));
}

/** Returns the options with which the browser makes a passkey. @throws Problem limit_reached */
export async function registrationOptions(ground: MembersGround, { member_id, email, name }: FoundSession) {
  const known = await passkeysOf(ground.db, member_id);
  if (known.length >= MOST_PASSKEYS)
    throw new Problem("limit_reached", `A member has at most ${MOST_PASSKEYS} passkeys. Remove one first.`);
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: "Tidings",
    rpID: hostOf(ground),
    userName: email,
    userDisplayName: name ?? email,
    userID: new Uint8Array(Buffer.from(member_id)),
    challenge: await newChallenge(ground, member_id),
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    // The passkey alone signs in: the browser finds it without an address, and the authenticator checks who holds it.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** Stores the passkey that the browser made. @throws Problem passkey_refused */
export async function registerPasskey(
  ground: MembersGround,
  session: FoundSession,
  { credential, name }: { credential: object; name: string },
): Promise<PasskeyRow> {
  const { db, clock } = ground;
  const { member_id } = session;
  const { verifyRegistrationResponse } = await webauthn();
  const result = await verifyRegistrationResponse({
    response: credential as RegistrationResponseJSON,
    ...expectedOf(ground, member_id),
  }).catch((error: unknown) => {
    throw isFault(error) ? passkeyRefused(error) : error;
  });
  if (!result.verified) throw passkeyRefused();
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
  const made = {
    id: newId(),
    member_id,
    credential_id: id,
    public_key: Buffer.from(publicKey),
    counter,
    transports,
    name,
  };
  return db.transaction(async (tx) => {
    const row = await insertPasskey(tx, { ...made, created_at: clock.now() });
    if (!row) throw passkeyRefused();
    await logOwn(tx, ownOf(session), "passkey_added", clock.now());
    return row;
  });
}

/** Removes a passkey of the member. Returns false if they have none with this id. */
export const removePasskey = ({ db, clock }: MembersGround, session: FoundSession, id: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const done = (await deletePasskey(tx, session.member_id, id)) === 1;
    if (done) await logOwn(tx, ownOf(session), "passkey_removed", clock.now());
    return done;
  });

const passkeyRefused = (cause?: unknown): Problem =>
  new Problem("passkey_refused", "This passkey can't be verified. Ask for new options, and try again.", { cause });

/** Returns the options with which the browser asks for a passkey of this service. */
export async function signInOptions(ground: MembersGround) {
  const { generateAuthenticationOptions } = await webauthn();
  const challenge = await newChallenge(ground, null);
  return generateAuthenticationOptions({ rpID: hostOf(ground), challenge, userVerification: "required" });
}

/**
 * Signs a member in by a passkey, which needs no code beside it: the authenticator has checked who holds it. Returns the token of the new
 * session. @throws Problem sign_in_failed, rate_limited
 */
export async function signInByPasskey(ground: MembersGround, credential: object, from: From): Promise<string> {
  const { db, clock, members } = ground;
  const takeBack = await members.attempts.count("passkey", "", from.address);
  const { id } = credential as { id?: unknown };
  const row = typeof id === "string" && id.length <= 2_000 ? await passkeyBy(db, id) : undefined;
  if (!row) throw failed();
  try {
    const counter = await counterOf(ground, row, credential);
    if (counter === undefined) throw failed();
    const token = await db.transaction(async (tx) => {
      const now = clock.now();
      if (!(await usePasskey(tx, row.id, counter, now))) throw failed();
      return openSession(tx, { memberId: row.member_id }, from, now);
    });
    await takeBack();
    return token;
  } catch (error) {
    logFailure(ground, { memberId: row.member_id }, { address: from.address, error });
    throw error;
  }
}

const failed = (): Problem => new Problem("sign_in_failed", "This passkey is not known here, or can't be verified.");

/** Returns the authenticator's counter if the passkey signed a challenge of ours; else undefined. */
async function counterOf(ground: MembersGround, row: PasskeyRow, credential: object): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as AuthenticationResponseJSON,
      ...expectedOf(ground, null),
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(row.public_key),
        counter: Number(row.counter),
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch (error) {
    if (!isFault(error)) throw error;
    return undefined;
  }
}
