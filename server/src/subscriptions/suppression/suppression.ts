import { hash } from "node:crypto";
import type { SuppressedChannel, SuppressionReason } from "@tidings/contract/audience/subscriptions";
import { type Entry, record } from "../../activity/index.ts";
import { keysOfHolders, normalEmail, normalPhone } from "../../people/index.ts";
import type { Queries, Tx } from "../../platform/db/index.ts";
import { address } from "../../platform/mailbox.ts";
import {
  insertSuppressions,
  type Only,
  removeSuppressions,
  type SuppressionRow,
  suppressionsBy,
} from "./suppression-store.ts";

// The suppression list: addresses that get nothing, whoever has them and whatever a message respects. It is asked by
// salted hash, so that it still holds after the address itself was erased with its person.

/** An address that more people have is a shared mailbox: the list holds for all of them, and is told of these. */
const MOST_TOLD = 100;

/** An address of a channel in a workspace. */
export interface Target {
  workspaceId: string;
  channel: SuppressedChannel;
  address: string;
}

export interface NewSuppression extends Target {
  reason: SuppressionReason;
  /** Who says so: `api`, `import`, or the provider. */
  source: string;
  /** Where it is older than now. */
  createdAt?: Date;
  /** When it was said, where who tells knows that: what takes it back must be later. */
  saidAt?: Date;
}

/** The form in which addresses are compared: email lower-cased with an ASCII domain, numbers as E.164. Undefined for what is none. */
export function normalAddress(channel: SuppressedChannel, text: string, country?: string): string | undefined {
  if (channel === "sms") return normalPhone(text, country);
  const email = normalEmail(text);
  return email && address(email);
}

/**
 * What is kept of an address for ever: SHA-256, salted with the workspace, cut to 128 bits. Not under ENCRYPTION_KEY: a
 * change of that key would let mail out to everybody who complained.
 */
export function addressHash({ workspaceId, channel, address }: Target): string {
  const hex = hash("sha256", `${workspaceId}\0${channel}\0${address}`, "hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const normalised = <T extends Target>(targets: T[]): (T | undefined)[] =>
  targets.map((target) => {
    const address = normalAddress(target.channel, target.address);
    return address === undefined ? undefined : { ...target, address };
  });

/** For each target, in order, its place on the list or undefined: one statement, whatever their number. */
export async function suppressed(q: Queries, targets: Target[]): Promise<(SuppressionRow | undefined)[]> {
  const keys = normalised(targets).map((target) => target && { ...target, hash: addressHash(target) });
  const asked = keys.filter((key) => key !== undefined);
  if (asked.length === 0) return targets.map(() => undefined);
  const found = new Map<string, SuppressionRow>();
  for (const row of await suppressionsBy(q, asked)) found.set(`${row.workspace_id} ${row.channel} ${row.hash}`, row);
  return keys.map((key) => key && found.get(`${key.workspaceId} ${key.channel} ${key.hash}`));
}

/**
 * Puts addresses on the list; one that is there keeps its first reason. What is no address is left out. Each that is new
 * stands in the log of all who have it as `person.suppressed`. Gives how many were new.
 */
export async function suppress(tx: Tx, entries: NewSuppression[], now: Date): Promise<number> {
  const rows = new Map<string, NewSuppression & { hash: string }>();
  for (const entry of normalised(entries)) {
    if (!entry) continue;
    const hash = addressHash(entry);
    const key = `${entry.workspaceId} ${entry.channel} ${hash}`;
    if (!rows.has(key)) rows.set(key, { ...entry, hash });
  }
  if (rows.size === 0) return 0;
  // Sorted, so that two batches with the same addresses wait for each other and never lock each other.
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const fresh = await insertSuppressions(tx, sorted, now);
  const added = sorted.filter((row) => fresh.has(`${row.workspaceId} ${row.channel} ${row.hash}`));
  await tell(tx, "person.suppressed", added, now);
  return added.length;
}

/**
 * Takes addresses off the list. @param only where given, this alone: START by SMS takes back an earlier STOP, and not what the
 * workspace decided. Gives how many were on it.
 */
export async function unsuppress(tx: Tx, targets: Target[], now: Date, only?: Only): Promise<number> {
  const asked = normalised(targets).flatMap((target) => (target ? [{ ...target, hash: addressHash(target) }] : []));
  if (asked.length === 0) return 0;
  const gone = await removeSuppressions(tx, asked, only);
  const removed = asked.flatMap((target) => {
    const row = gone.find((one) => one.hash === target.hash && one.workspace_id === target.workspaceId);
    return row ? [{ ...target, reason: row.reason, source: row.source }] : [];
  });
  await tell(tx, "person.unsuppressed", removed, now);
  return gone.length;
}

async function tell(tx: Tx, type: string, entries: NewSuppression[], now: Date): Promise<void> {
  const log: Entry[] = [];
  for (const [channel, list] of Map.groupBy(entries, (entry) => entry.channel)) {
    const holders = await keysOfHolders(tx, channel === "email" ? "email" : "phone", list, MOST_TOLD);
    for (const { at: i, person_key: personKey } of holders) {
      const { workspaceId, reason, source } = list[i] as NewSuppression;
      log.push({ workspaceId, personKey, type, at: now, data: { channel, reason, source } });
    }
  }
  await record(tx, log);
}
