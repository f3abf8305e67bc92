import type { Db, Tx } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { newId } from "../../platform/ids.ts";
import { allWorkspaces } from "../../workspaces/index.ts";
import type { MembersGround } from "../ground.ts";
import { type Email, givenEmail } from "../proof/email.ts";
import { tokenHash } from "../proof/token.ts";
import { logOwn } from "../session/log.ts";
import { type From, MEMBERS_CHANGED, openSession } from "../session/sessions.ts";
import {
  anyMember,
  deleteLinks,
  lockMembers,
  memberWith,
  putMembership,
  setName,
  setPassword,
  takeLink,
} from "../store/account-store.ts";
import { linkInvalid, oneTimeLink } from "./links.ts";
import { checkNewPassword } from "./new-password.ts";

/** Returns the address of the page where the first member is made, with a fresh one-time token; undefined if there is a member. */
export function setupLink(db: Db, publicUrl: string, now: Date): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    if (await anyMember(tx)) return undefined;
    return oneTimeLink(tx, publicUrl, { kind: "setup", memberId: null, now });
  });
}

interface Owner {
  email: string;
  password: string;
  name?: string;
}

/** Makes the first owner, of all workspaces. Returns the token of their session. @throws Problem setup_done, link_invalid, password_refused */
export async function setUp(ground: MembersGround, input: Owner & { token: string }, from: From): Promise<string> {
  const { db, clock } = ground;
  if (await anyMember(db)) throw setupDone();
  const prepared = await prepare(ground, input, from.address);
  return db.transaction(async (tx) => {
    await lockMembers(tx);
    if (await anyMember(tx)) throw setupDone();
    const now = clock.now();
    if (!(await takeLink(tx, "setup", tokenHash(input.token), now))) throw linkInvalid();
    return openSession(tx, { memberId: await firstOwner(tx, prepared, now) }, from, now);
  });
}

/** Makes the owner that the environment names, if there is no member. Returns whether it did. @throws Problem invalid_request, password_refused */
export async function bootstrapOwner(ground: MembersGround, owner: Owner): Promise<boolean> {
  const { db, clock } = ground;
  if (await anyMember(db)) return false;
  const prepared = await prepare(ground, owner, "start");
  return db.transaction(async (tx) => {
    await lockMembers(tx);
    if (await anyMember(tx)) return false;
    await firstOwner(tx, prepared, clock.now());
    return true;
  });
}

const setupDone = (): Problem => new Problem("setup_done", "The first member has been made already. Sign in.");

interface Prepared {
  email: Email;
  name: string | undefined;
  hash: string;
}

async function prepare({ members }: MembersGround, { email, password, name }: Owner, by: string): Promise<Prepared> {
  const given = givenEmail(email);
  checkNewPassword(password, "/password", [given.email, name]);
  return { email: given, name, hash: await members.passwords.hash(password, by) };
}

async function firstOwner(tx: Tx, { email, name, hash }: Prepared, now: Date): Promise<string> {
  const { id } = await memberWith(tx, newId(), email, now);
  await setPassword(tx, id, hash, now);
  if (name !== undefined) await setName(tx, id, name, now);
  for (const workspace of await allWorkspaces(tx))
    await putMembership(tx, { workspaceId: workspace.id, memberId: id, role: "owner" }, undefined, now);
  await deleteLinks(tx, "setup", null);
  await logOwn(tx, { id, email: email.email, name: name ?? null }, "joined", now);
  tx.signal(MEMBERS_CHANGED, [id]);
  return id;
}
