import { type Sharer, sharersOf } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { mayReceive } from "../../subscriptions/index.ts";
import { listEditions } from "../content/editions.ts";
import type { Sending } from "../sending.ts";
import { subscriptionAsk } from "./refusals.ts";

// People who share an address get one copy there (docs/decisions/0012). The person with a verified address gets it; if there are
// several or none, the one who was identified last.

/** Returns which address people may share; undefined if the sending has no such rule, or its content names the number itself. */
export function sharedAddress({ channel, oncePerAddress, editions }: Sending): "email" | "phone" | undefined {
  if (!oncePerAddress) return undefined;
  if (channel === "email") return "email";
  if (channel !== "sms" || listEditions(editions).some(({ content }) => content?.to !== undefined)) return undefined;
  return "phone";
}

/** Returns by key those of these people who share their address with anybody of the workspace. */
export async function sharersAmong(q: Queries, sending: Sending, keys: string[]): Promise<Map<string, Sharer>> {
  const name = sharedAddress(sending);
  if (name === undefined || keys.length === 0) return new Map();
  return new Map((await sharersOf(q, name, keys)).map((one) => [one.person_key, one]));
}

/** Returns those of these people who share their address and may receive the sending there, if nobody else gets it. */
export async function claimants(q: Queries, sending: Sending, keys: string[]): Promise<Sharer[]> {
  const shared = await sharersAmong(q, sending, keys);
  if (shared.size === 0) return [];
  const ask = await subscriptionAsk(q, sending);
  return [...shared.values()].filter((one) => mayReceive(one, ask) === undefined);
}

/** Whether one person gets the copy rather than another who has the same address. */
export function comesFirst(one: Sharer, other: Sharer): boolean {
  if (one.verified !== other.verified) return one.verified;
  const later = one.identified_at.getTime() - other.identified_at.getTime();
  return later === 0 ? one.person_key > other.person_key : later > 0;
}
