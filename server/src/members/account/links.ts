import type { Tx } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { makeToken, tokenHash } from "../proof/token.ts";
import { insertLink, type LinkKind } from "../store/account-store.ts";

/** How long a link works. That of the set-up is printed at a start; a later start prints another one. */
const LIFE_MS: Record<LinkKind, number> = { setup: 7 * 86_400_000, reset: 3_600_000 };

/** The token is behind the #, which browsers send to no server: it stays out of the logs of proxies. */
const pageWith = (publicUrl: string, page: string, token: string): string => `${publicUrl}/${page}#token=${token}`;

/** The address of the page that accepts an invitation. */
export const invitationLink = (publicUrl: string, token: string): string => pageWith(publicUrl, "invitation", token);

interface Wanted {
  kind: LinkKind;
  memberId: string | null;
  now: Date;
}

/** Returns the address of the dashboard's page for this kind of link, with a fresh one-time token. A member's earlier links of this kind end. */
export async function oneTimeLink(tx: Tx, publicUrl: string, { kind, memberId, now }: Wanted): Promise<string> {
  const token = makeToken();
  const expiresAt = new Date(now.getTime() + LIFE_MS[kind]);
  await insertLink(tx, { hash: tokenHash(token), kind, memberId, now, expiresAt });
  return pageWith(publicUrl, kind, token);
}

/** The answer to a one-time link that is unknown, used or expired: which of them is nobody's business. */
export const linkInvalid = (): Problem =>
  new Problem("link_invalid", "This link is wrong, was used already or has expired. Ask for a new one.");
