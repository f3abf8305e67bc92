import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { address } from "../../platform/mailbox.ts";
import type { Job } from "../../platform/work/jobs.ts";
import { personKey } from "../../workspaces/index.ts";
import { lockStates } from "../profile/store.ts";
import {
  bury,
  emptyActivity,
  emptyCalls,
  emptyDeliveries,
  erasedSince,
  forgetAddresses,
  forgetAnswers,
  forgetErased,
  stillErased,
} from "./erase-store.ts";
import { forgetMerges } from "./merge-store.ts";
import { deleteRows, personTables } from "./tables-store.ts";

/** Signal that live deliveries of people were canceled or moved, as "person_key:delivery_id". Open applications look again. */
export const LOOK_AGAIN = "people.look_again";

/** Tables whose rows stay, emptied. Of every other table with a person_key the person's rows are deleted. */
const EMPTIED = new Set(["deliveries", "activity", "webhook_deliveries"]);

const DAY_MS = 86_400_000;
/** For so long nothing but an explicit call brings an erased person back, and a broadcast knows who was merged. */
const BURIED_MS = 30 * DAY_MS;
/** Longer than any transaction may take that began before a person was erased. */
const LATE_MS = 15 * 60_000;

/**
 * Erases a person: profile, devices and events are gone, nothing queued reaches them, and what was sent keeps no content and
 * no address. It knows the tables of other slices, because to erase is one promise about all of them. A mark stays for 30
 * days, against what comes late. Gives whether there was such a person.
 */
export async function erasePerson(tx: Tx, workspaceId: string, personId: string, now: Date): Promise<boolean> {
  const key = personKey(workspaceId, personId);
  // Deliveries first, as a worker takes them before it writes the log.
  await emptyAll(tx, workspaceId, key);
  const person = await lockStates(tx, key);
  if (person) {
    await forgetAddresses(tx, workspaceId, addressesOf(person));
    await forgetAnswers(tx, workspaceId, addressesOf(person));
    await bury(tx, workspaceId, key, now);
  }
  await deleteAll(tx, key);
  return person !== undefined;
}

async function emptyAll(tx: Tx, workspaceId: string, key: string): Promise<void> {
  const live = await emptyDeliveries(tx, workspaceId, key);
  await emptyActivity(tx, key);
  await emptyCalls(tx, key);
  if (live.length > 0)
    tx.signal(
      LOOK_AGAIN,
      live.map((id) => `${key}:${id}`),
    );
}

async function deleteAll(tx: Tx, key: string): Promise<void> {
  for (const table of await personTables(tx)) if (!EMPTIED.has(table.name)) await deleteRows(tx, table, key);
}

/** As the suppression list writes them: an email with its domain in ASCII. */
export function addressesOf({ email, phone }: { email: string | null; phone: string | null }): string[] {
  return [...(phone === null ? [] : [phone]), ...(email === null ? [] : [address(email) ?? email])];
}

/** Background work of people. */
export function jobs(ground: Ground): Job[] {
  return [
    { name: "people.erase_late.v1", cron: "* * * * *", run: () => eraseLate(ground) },
    { name: "people.forget_erased.v1", cron: "57 3 * * *", run: () => forgetMarks(ground) },
  ];
}

/**
 * Erases again what a transaction wrote that began before the erasure and was committed after it: a page of a broadcast, a
 * batch of events. To lock against it would cost each of those a lock a person.
 */
export async function eraseLate({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  for (const { person_key, workspace_id } of await erasedSince(workDb, new Date(clock.now().getTime() - LATE_MS))) {
    await workDb.transaction(async (tx) => {
      if (!(await stillErased(tx, person_key))) return;
      await emptyAll(tx, workspace_id, person_key);
      await deleteAll(tx, person_key);
    });
  }
}

export async function forgetMarks({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - BURIED_MS);
  await forgetErased(workDb, before);
  await forgetMerges(workDb, before);
}
