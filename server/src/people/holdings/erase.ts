import { setTimeout as sleep } from "node:timers/promises";
import { type Tx, withoutDeadlock } from "../../platform/db/index.ts";
import { address } from "../../platform/mailbox.ts";
import {
  type ConnectedGround,
  type Held,
  heldTables,
  holdInTurns,
  inTurns,
  personKey,
  type Whose,
} from "../../workspaces/index.ts";
import { announceChanged } from "../profile/changed.ts";
import { findPeopleByKeys } from "../profile/find.ts";
import { lockStates } from "../profile/store.ts";
import { markErased } from "./erase-store.ts";
import { mergedKeys } from "./merge-store.ts";

/** To hand a message to its provider takes some 100 ms. A provider that takes longer than all of this holds up no erasure. */
const WAITS_MS = [50, 100, 200, 400, 800];

/** A person to erase. */
interface Erasing {
  workspaceId: string;
  personId: string;
  now: Date;
}

/**
 * Erases a person: profile, devices and events are deleted, queued deliveries are not sent, and sent ones keep no content and no
 * address. Each slice erases its own rows. A mark stays for 30 days, because of late data: for the person, and for those who were merged into
 * the person. It waits up to 1.5 s for messages that are being sent, because what arrives should count as sent. Returns whether there was such a
 * person.
 * @param record writes what belongs to it in the same transaction; called only if there was such a person
 */
export async function erasePerson(
  ground: Pick<ConnectedGround, "db" | "slices">,
  whom: Erasing,
  record?: (tx: Tx) => Promise<unknown>,
): Promise<boolean> {
  const { db, slices } = ground;
  const key = personKey(whom.workspaceId, whom.personId);
  for (let attempt = 0; ; attempt++) {
    const wait = WAITS_MS[attempt];
    const known = await withoutDeadlock(() =>
      db.transaction(async (tx) => {
        const free = await holdInTurns(tx, slices.held, key);
        if (!free && wait !== undefined) return undefined;
        const there = await eraseHeld(tx, slices, whom);
        if (there) await record?.(tx);
        return there;
      }),
    );
    if (known !== undefined || wait === undefined) return known === true;
    await sleep(wait);
  }
}

/** Erases a person whose rows are locked in turns. Returns whether there was such a person. */
async function eraseHeld(
  tx: Tx,
  slices: ConnectedGround["slices"],
  { workspaceId, personId, now }: Erasing,
): Promise<boolean> {
  const key = personKey(workspaceId, personId);
  const whose: Whose = { workspaceId, personKey: key, addresses: [] };
  const tables = await heldTables(tx, slices.held);
  await eraseFrom(tx, inTurns(tables), whose);
  const person = await lockStates(tx, key);
  if (person) for (const one of [key, ...(await goneInto(tx, key))]) await markErased(tx, workspaceId, one, now);
  await eraseFrom(tx, later(tables), { ...whose, addresses: person ? addressesOf(person) : [] });
  if (person) await announceChanged(tx, [{ workspaceId, personKey: key, what: "erased" }]);
  return person !== undefined;
}

/** Returns the keys of those who were merged into a person, without those whom somebody created anew since then. */
async function goneInto(tx: Tx, key: string): Promise<string[]> {
  const keys = await mergedKeys(tx, key);
  const anew = keys.length > 0 ? await findPeopleByKeys(tx, keys) : new Map();
  return keys.filter((one) => !anew.has(one));
}

/** Erases all rows with this person's key. */
export async function eraseAll(
  tx: Tx,
  slices: ConnectedGround["slices"],
  whose: Pick<Whose, "workspaceId" | "personKey">,
): Promise<void> {
  await holdInTurns(tx, slices.held, whose.personKey);
  const tables = await heldTables(tx, slices.held);
  await eraseFrom(tx, [...inTurns(tables), ...later(tables)], { ...whose, addresses: [] });
}

const later = (held: Held[]) => held.filter(({ lockedFirst }) => lockedFirst === undefined);

async function eraseFrom(tx: Tx, tables: Held[], whose: Whose): Promise<void> {
  for (const one of tables) await one.erase(tx, whose);
}

/** Returns the addresses as the suppression list stores them: an email with its domain in ASCII. */
export function addressesOf({ email, phone }: { email: string | null; phone: string | null }): string[] {
  return [...(phone === null ? [] : [phone]), ...(email === null ? [] : [address(email) ?? email])];
}
