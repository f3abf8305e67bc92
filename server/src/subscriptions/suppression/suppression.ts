import { hash } from "node:crypto";
import type { SuppressedChannel, SuppressionReason } from "@tidings/contract/audience/subscriptions";
import { type Entry, record } from "../../activity/index.ts";
import { keysOfHolders, normalEmail, normalPhone } from "../../people/index.ts";
import type { Queries, Tx } from "../../platform/db/index.ts";
import { address } from "../../platform/mailbox.ts";
import { nextTurn, turnIsOver } from "../../platform/turns.ts";
import {
  insertSuppressions,
  type RemovalCondition,
  removeSuppressions,
  type SuppressionRow,
  suppressionsBy,
} from "./suppression-store.ts";

// The suppression list: addresses that get no message, whoever has them and whatever the message's preference is. Look-ups go
// by salted hash, so that an entry still works after the address itself was erased with its person.

/** An address of more people is a shared mailbox: the list applies to all of them, but only this many get a log entry. */
const MOST_LOGGED = 100;

/** An address of a channel in a workspace. */
export interface Target {
  workspaceId: string;
  channel: SuppressedChannel;
  address: string;
}

export interface NewSuppression extends Target {
  reason: SuppressionReason;
  /** Who reported it: `api`, `import`, or the provider. */
  source: string;
  /** The time of an older entry; without it, now. */
  createdAt?: Date;
  /** When it was reported, where that is known: only something later can take it back. */
  saidAt?: Date;
}

/** The form in which addresses are compared: email lower-cased with an ASCII domain, numbers as E.164. Undefined for text that is no address. */
export function normalAddress(channel: SuppressedChannel, text: string, country?: string): string | undefined {
  if (channel === "sms") return normalPhone(text, country);
  const email = normalEmail(text);
  return email && address(email);
}

/**
 * The hash of an address, which is kept for ever: SHA-256, salted with the workspace, cut to 128 bits. Not under ENCRYPTION_KEY: a
 * change of that key would let mail out to everybody who complained.
 */
export function addressHash({ workspaceId, channel, address }: Target): string {
  const hex = hash("sha256", `${workspaceId}\0${channel}\0${address}`, "hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

function normalised<T extends Target>(target: T): T | undefined {
  const address = normalAddress(target.channel, target.address);
  return address === undefined ? undefined : { ...target, address };
}

/** Returns each target's entry on the list, in order, or undefined. It runs one statement for any number of targets. */
export async function suppressed(q: Queries, targets: Target[]): Promise<(SuppressionRow | undefined)[]> {
  const keys = targets.map(normalised).map((target) => target && { ...target, hash: addressHash(target) });
  const wanted = keys.filter((key) => key !== undefined);
  if (wanted.length === 0) return targets.map(() => undefined);
  const found = new Map<string, SuppressionRow>();
  for (const row of await suppressionsBy(q, wanted)) found.set(`${row.workspace_id} ${row.channel} ${row.hash}`, row);
  return keys.map((key) => key && found.get(`${key.workspaceId} ${key.channel} ${key.hash}`));
}

/**
 * Puts addresses on the list; an address on the list keeps its first reason. Text that is no address is left out. Each new entry is
 * logged as `person.suppressed` for all people who have the address. Returns how many were new.
 */
export async function suppress(tx: Tx, entries: NewSuppression[], now: Date): Promise<number> {
  const rows = new Map<string, NewSuppression & { hash: string }>();
  for (const one of entries) {
    // An import brings 1,000 phone numbers, which take 30 ms.
    while (turnIsOver()) await nextTurn();
    const entry = normalised(one);
    if (!entry) continue;
    const hash = addressHash(entry);
    const key = `${entry.workspaceId} ${entry.channel} ${hash}`;
    if (!rows.has(key)) rows.set(key, { ...entry, hash });
  }
  if (rows.size === 0) return 0;
  // Sorted, so that two batches with the same addresses can't deadlock.
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const fresh = await insertSuppressions(tx, sorted, now);
  const added = sorted.filter((row) => fresh.has(`${row.workspaceId} ${row.channel} ${row.hash}`));
  await logChanges(tx, "person.suppressed", added, now);
  return added.length;
}

/**
 * Takes addresses off the list. Returns how many were on it.
 * @param only limits the removal: START by SMS takes back an earlier STOP, but no entry that the workspace made
 */
export async function unsuppress(tx: Tx, targets: Target[], now: Date, only?: RemovalCondition): Promise<number> {
  const asked = targets.map(normalised).flatMap((target) => (target ? [{ ...target, hash: addressHash(target) }] : []));
  if (asked.length === 0) return 0;
  const gone = await removeSuppressions(tx, asked, only);
  const removed = asked.flatMap((target) => {
    const row = gone.find((one) => one.hash === target.hash && one.workspace_id === target.workspaceId);
    return row ? [{ ...target, reason: row.reason, source: row.source }] : [];
  });
  await logChanges(tx, "person.unsuppressed", removed, now);
  return gone.length;
}

async function logChanges(tx: Tx, type: string, entries: NewSuppression[], now: Date): Promise<void> {
  const log: Entry[] = [];
  for (const [channel, list] of Map.groupBy(entries, (entry) => entry.channel)) {
    const holders = await keysOfHolders(tx, channel === "email" ? "email" : "phone", list, MOST_LOGGED);
    for (const { at: i, person_key: personKey } of holders) {
      const { workspaceId, reason, source } = list[i] as NewSuppression;
      log.push({ workspaceId, personKey, type, at: now, data: { channel, reason, source } });
    }
  }
  await record(tx, log);
}
