import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { address } from "../../platform/mailbox.ts";
import type { Job } from "../../platform/work/jobs.ts";
import { type ConnectedGround, type Held, heldTables, personKey, type Whose } from "../../workspaces/index.ts";
import { announceChanged } from "../profile/changed.ts";
import { lockStates } from "../profile/store.ts";
import { erasedSince, forgetErased, lockErasedMark, markErased } from "./erase-store.ts";

const DAY_MS = 86_400_000;
/** For this long only an explicit call brings an erased person back, and a broadcast can follow a merge. */
const MARKS_MS = 30 * DAY_MS;
/** Longer than a transaction may take. One that began before a person was erased has ended by then. */
const LATE_MS = 15 * 60_000;

/**
 * Erases a person: profile, devices and events are deleted, queued deliveries are not sent, and sent ones keep no content and no
 * address. Each slice erases its own rows. A mark stays for 30 days, because of late data. Returns whether there was such a person.
 */
export async function erasePerson(
  tx: Tx,
  { slices }: Pick<ConnectedGround, "slices">,
  { workspaceId, personId, now }: { workspaceId: string; personId: string; now: Date },
): Promise<boolean> {
  const key = personKey(workspaceId, personId);
  const whose: Whose = { workspaceId, personKey: key, addresses: [] };
  const tables = await heldTables(tx, slices.held);
  await eraseFrom(tx, lockedFirst(tables), whose);
  const person = await lockStates(tx, key);
  if (person) await markErased(tx, workspaceId, key, now);
  await eraseFrom(tx, lockedLater(tables), { ...whose, addresses: person ? addressesOf(person) : [] });
  if (person) await announceChanged(tx, [{ workspaceId, personKey: key, what: "erased" }]);
  return person !== undefined;
}

const lockedFirst = (held: Held[]) => held.filter((one) => one.lockedFirst);
const lockedLater = (held: Held[]) => held.filter((one) => !one.lockedFirst);

async function eraseFrom(tx: Tx, held: Held[], whose: Whose): Promise<void> {
  for (const one of held) await one.erase(tx, whose);
}

/** Returns the addresses as the suppression list stores them: an email with its domain in ASCII. */
export function addressesOf({ email, phone }: { email: string | null; phone: string | null }): string[] {
  return [...(phone === null ? [] : [phone]), ...(email === null ? [] : [address(email) ?? email])];
}

/** The scheduled work of this slice. */
export function jobs(ground: ConnectedGround): Job[] {
  return [
    { name: "people.erase_late.v1", cron: "* * * * *", run: () => eraseLate(ground) },
    { name: "people.forget_erased.v1", cron: "57 3 * * *", run: () => forgetMarks(ground) },
  ];
}

/**
 * Erases the rows of transactions that began before the erasure and committed after it, such as a batch of a broadcast or of events.
 * To prevent such rows, each of these transactions would have to lock each person.
 */
export async function eraseLate({
  workDb,
  clock,
  slices,
}: Pick<ConnectedGround, "workDb" | "clock" | "slices">): Promise<void> {
  for (const { person_key, workspace_id } of await erasedSince(workDb, new Date(clock.now().getTime() - LATE_MS))) {
    await workDb.transaction(async (tx) => {
      if (!(await lockErasedMark(tx, person_key))) return;
      const whose: Whose = { workspaceId: workspace_id, personKey: person_key, addresses: [] };
      const tables = await heldTables(tx, slices.held);
      await eraseFrom(tx, [...lockedFirst(tables), ...lockedLater(tables)], whose);
    });
  }
}

/** Deletes the marks of erased people that are older than 30 days. */
export async function forgetMarks({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - MARKS_MS);
  await forgetErased(workDb, before);
}
