import { setTimeout as sleep } from "node:timers/promises";
import { type Tx, withoutDeadlock } from "../../platform/db/index.ts";
import { address } from "../../platform/mailbox.ts";
import { type ConnectedGround, type Held, heldTables, inTurns, personKey, type Whose } from "../../workspaces/index.ts";
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
 * the person. Messages that are being sent end before, if they take no longer than 2 s: what arrives counts as sent then. Returns whether there was
 * such a person.
 * @param recorded is called in the transaction that erased somebody
 */
export async function erasePerson(
  ground: Pick<ConnectedGround, "db" | "slices">,
  whom: Erasing,
  recorded?: (tx: Tx) => Promise<unknown>,
): Promise<boolean> {
  const { db, slices } = ground;
  const attempt = (waits: boolean) =>
    withoutDeadlock(() =>
      db.transaction(async (tx) => {
        const known = await eraseIn(tx, slices, whom, waits);
        if (known) await recorded?.(tx);
        return known;
      }),
    );
  for (const wait of WAITS_MS) {
    const known = await attempt(true);
    if (known !== undefined) return known;
    await sleep(wait);
  }
  return (await attempt(false)) === true;
}

/** Returns whether there was such a person. With `waits`, undefined if a worker sends something to the person: nothing is changed then. */
async function eraseIn(
  tx: Tx,
  slices: ConnectedGround["slices"],
  { workspaceId, personId, now }: Erasing,
  waits: boolean,
): Promise<boolean | undefined> {
  const key = personKey(workspaceId, personId);
  const whose: Whose = { workspaceId, personKey: key, addresses: [] };
  const tables = await heldTables(tx, slices.held);
  if (!(await hold(tx, tables, key)) && waits) return undefined;
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
  const tables = await heldTables(tx, slices.held);
  await hold(tx, tables, whose.personKey);
  await eraseFrom(tx, [...inTurns(tables), ...later(tables)], { ...whose, addresses: [] });
}

const later = (held: Held[]) => held.filter(({ lockedFirst }) => lockedFirst === undefined);

/** Locks the rows that come before the person. Returns false if a worker has some of them. */
async function hold(tx: Tx, tables: Held[], personKey: string): Promise<boolean> {
  let free = true;
  for (const one of inTurns(tables)) if ((await one.hold?.(tx, personKey, false)) === false) free = false;
  return free;
}

async function eraseFrom(tx: Tx, tables: Held[], whose: Whose): Promise<void> {
  for (const one of tables) await one.erase(tx, whose);
}

/** Returns the addresses as the suppression list stores them: an email with its domain in ASCII. */
export function addressesOf({ email, phone }: { email: string | null; phone: string | null }): string[] {
  return [...(phone === null ? [] : [phone]), ...(email === null ? [] : [address(email) ?? email])];
}
