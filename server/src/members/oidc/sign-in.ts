import type { Role } from "@tidings/contract/members";
import * as oidc from "openid-client";
import type { Tx } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { admit, changeRole, isOnlyOwner } from "../account/membership.ts";
import type { MembersGround } from "../ground.ts";
import { emailOf } from "../proof/email.ts";
import { makeToken, tokenHash } from "../proof/token.ts";
import { type From, MEMBERS_CHANGED, openSession } from "../session/sessions.ts";
import { membership, memberWith, setName, workspacesOf } from "../store/account-store.ts";
import { identityOf, insertIdentity, insertStart, oidcOf, takeStart } from "../store/oidc-store.ts";
import { discovered, redirectUri } from "./provider.ts";
import { roleBy } from "./roles.ts";

/** How long a person may take at the provider. */
export const START_MS = 10 * 60_000;

/** Why a sign-in through a provider failed, for the page that it returns to. */
export type OidcFailure = "oidc_failed" | "oidc_not_permitted" | "oidc_no_email" | "oidc_account_in_use";

/** The nonce follows from the cookie's token, so that only this browser's sign-in can use the ID token. */
const nonceOf = (cookie: string): string => tokenHash(`nonce ${cookie}`).toString("base64url");

/**
 * Begins a sign-in at the workspace's provider. Returns the address to go to, and the token for the browser's cookie: it is the PKCE
 * verifier, so that an answer of the provider is worth nothing in another browser. Returns undefined for a workspace without a provider.
 */
export async function beginOidc(
  ground: MembersGround,
  workspaceId: string,
): Promise<{ address: URL; cookie: string } | undefined> {
  const { db, clock } = ground;
  const client = await discovered(ground, workspaceId);
  if (!client) return undefined;
  const [cookie, state] = [makeToken(), makeToken()];
  const now = clock.now();
  await insertStart(db, {
    stateHash: tokenHash(state),
    cookieHash: tokenHash(cookie),
    workspaceId,
    now,
    expiresAt: new Date(now.getTime() + START_MS),
  });
  const address = oidc.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri(ground),
    scope: "openid email profile",
    state,
    nonce: nonceOf(cookie),
    code_challenge: await oidc.calculatePKCECodeChallenge(cookie),
    code_challenge_method: "S256",
  });
  return { address, cookie };
}

interface Return {
  query: string;
  state: string;
  cookie: string;
}

/**
 * Ends a sign-in with what the provider sent the browser back with. Returns the token of a session that is good for this workspace only:
 * its owners chose the provider, and must not reach what the member is elsewhere. Returns the reason of a failure otherwise.
 */
export async function completeOidc(
  ground: MembersGround,
  { query, state, cookie }: Return,
  from: From,
): Promise<{ token: string } | { failure: OidcFailure }> {
  const { db, clock, log } = ground;
  const taken = { stateHash: tokenHash(state), cookieHash: tokenHash(cookie), now: clock.now() };
  const workspaceId = await takeStart(db, taken);
  const client = workspaceId === undefined ? undefined : await discovered(ground, workspaceId);
  if (!client || workspaceId === undefined) return { failure: "oidc_failed" };
  const current = new URL(`${redirectUri(ground)}?${query}`);
  const checks = {
    pkceCodeVerifier: cookie,
    expectedState: state,
    expectedNonce: nonceOf(cookie),
    idTokenExpected: true,
  };
  const claims = await oidc.authorizationCodeGrant(client, current, checks).then(
    (tokens) => tokens.claims(),
    (error: unknown) => void log.warn({ workspace_id: workspaceId, err: String(error) }, "a sign-in by OIDC failed"),
  );
  if (!claims) return { failure: "oidc_failed" };
  return db.transaction((tx) => enter(tx, ground, workspaceId, { claims, from }));
}

interface Arrival {
  claims: Record<string, unknown> & { sub: string; iss: string };
  from: From;
}

async function enter(
  tx: Tx,
  { clock }: MembersGround,
  workspaceId: string,
  { claims, from }: Arrival,
): Promise<{ token: string } | { failure: OidcFailure }> {
  const now = clock.now();
  const provider = await oidcOf(tx, workspaceId);
  if (!provider) return { failure: "oidc_failed" };
  const mapped = provider.role_mapping ? roleBy(provider.role_mapping, claims) : undefined;
  if (mapped === null) return { failure: "oidc_not_permitted" };
  const subject = { workspaceId, issuer: claims.iss, subject: claims.sub };
  const known = await identityOf(tx, subject);
  const memberId = known ?? (await byEmail(tx, claims, now));
  if (memberId === undefined) return { failure: "oidc_no_email" };
  if (known === undefined && (await isOthers(tx, workspaceId, memberId))) return { failure: "oidc_account_in_use" };
  const role = await settleRole(tx, { workspaceId, memberId, mapped, issuer: claims.iss, now });
  if (!role) return { failure: "oidc_not_permitted" };
  await insertIdentity(tx, subject, memberId, now);
  tx.signal(MEMBERS_CHANGED, [memberId]);
  return { token: await openSession(tx, { memberId, only: workspaceId }, from, now) };
}

/**
 * Whether the account is in use, and not here. Whoever opened it may not be the owner of its address: the owners of another workspace can
 * accept an invitation in the place of its person. Their password must not open this workspace, so only an invitation that is accepted
 * in a session of the account lets it in.
 */
async function isOthers(tx: Tx, workspaceId: string, memberId: string): Promise<boolean> {
  const here = await membership(tx, workspaceId, memberId);
  return (here === undefined || here.invited) && (await workspacesOf(tx, memberId)).length > 0;
}

/** Returns the account with the address that the provider vouches for, which is made where there is none. */
async function byEmail(tx: Tx, claims: Record<string, unknown>, now: Date): Promise<string | undefined> {
  const { email, email_verified: verified, name } = claims;
  const given = typeof email === "string" && verified !== false && verified !== "false" ? emailOf(email) : undefined;
  if (!given) return undefined;
  const id = newId();
  const member = await memberWith(tx, id, given, now);
  if (member.id === id && typeof name === "string") await setName(tx, id, name.slice(0, 200), now);
  return member.id;
}

interface Settling {
  workspaceId: string;
  memberId: string;
  /** The role that the provider gives; undefined: roles are given in the dashboard. */
  mapped: Role | undefined;
  issuer: string;
  now: Date;
}

/** Gives the member the role of the mapping, at each sign-in. Returns the role that they have then; undefined for nobody's member. */
async function settleRole(tx: Tx, { workspaceId, memberId, mapped, issuer, now }: Settling): Promise<Role | undefined> {
  const before = await membership(tx, workspaceId, memberId);
  const role = mapped ?? before?.role;
  if (!role) return undefined;
  const origin = { scope: workspaceId, actor: { type: "system", id: null, name: issuer } as const, requestId: null };
  if (!before || before.invited) await admit(tx, origin, { memberId, role }, now);
  else if (role !== before.role) {
    // A mistake in the mapping must not leave the workspace without an owner.
    if (await isOnlyOwner(tx, workspaceId, memberId)) return before.role;
    await changeRole(tx, origin, { memberId, role }, now);
  }
  return role;
}
