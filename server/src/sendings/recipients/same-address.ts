import { type Sharer, sharersOf } from "../../people/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { mayReceive } from "../../subscriptions/index.ts";
import { editionsOf } from "../content/editions.ts";
import type { Sending } from "../sending.ts";
import { askOf } from "./refusals.ts";

// People who share an address get one copy of what is sent there (docs/decisions/0012): the one who is verified, then the one
// who was identified last.

/** The address at which people get one copy; undefined where the sending has no such rule, or its content names the number itself. */
export function sharedAddress({ channel, oncePerAddress, saying }: Sending): "email" | "phone" | undefined {
  if (!oncePerAddress) return undefined;
  if (channel === "email") return "email";
  if (channel !== "sms" || editionsOf(saying).some(({ said }) => said.content?.to !== undefined)) return undefined;
  return "phone";
}

/** Those of these people who share their address with anybody of the workspace, by their keys. */
export async function sharing(q: Queries, sending: Sending, keys: string[]): Promise<Map<string, Sharer>> {
  const name = sharedAddress(sending);
  if (name === undefined || keys.length === 0) return new Map();
  return new Map((await sharersOf(q, name, keys)).map((one) => [one.person_key, one]));
}

/** Those of these people who share their address and would get the sending there, if another did not. */
export async function claimants(q: Queries, sending: Sending, keys: string[]): Promise<Sharer[]> {
  const shared = await sharing(q, sending, keys);
  if (shared.size === 0) return [];
  const ask = await askOf(q, sending);
  return [...shared.values()].filter((one) => mayReceive(one, ask) === undefined);
}

/** Whether one person gets the copy before another who has the same address. */
export function comesFirst(one: Sharer, other: Sharer): boolean {
  if (one.verified !== other.verified) return one.verified;
  const later = one.identified_at.getTime() - other.identified_at.getTime();
  return later === 0 ? one.person_key > other.person_key : later > 0;
}
