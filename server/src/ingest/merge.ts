import { setTimeout as sleep } from "node:timers/promises";
import { record } from "../activity/index.ts";
import { lateMerges, mergeLate, mergePeople, type Profile } from "../people/index.ts";
import { isDeadlock, waitedForLock } from "../platform/db/index.ts";
import { Problem } from "../platform/http/index.ts";
import { type Origin, recordChange } from "../platform/resources/changes.ts";
import { type Canceled, type ConnectedGround, personEntry, type Workspace } from "../workspaces/index.ts";

/** Sending a message, or queueing a batch of a broadcast, takes some 100 ms. If it takes longer than all of this, the caller has to wait and repeat. */
const WAITS_MS = [50, 200, 500, 1_000, 2_000];

/** Who is merged into whom. The change is recorded where the product API asks for it; clients of other services report facts. */
interface Merging {
  from: string;
  into: string;
  origin?: Origin;
}

/**
 * Merges one person into another, with an entry in the log of the person who stays. Waits some seconds for deliveries to the other that
 * are being sent. Returns the person who stays. @throws Problem same_person, person_not_found, person_busy
 */
export async function mergeInto(ground: ConnectedGround, workspace: Workspace, whom: Merging): Promise<Profile> {
  let busy: unknown;
  for (const wait of [0, ...WAITS_MS]) {
    await sleep(wait);
    try {
      return await once(ground, workspace, whom);
    } catch (error) {
      if (!isBusy(error)) throw error;
      busy = error;
    }
  }
  throw new Problem("person_busy", BUSY, { headers: { "retry-after": "60" }, cause: busy });
}

const BUSY =
  "Messages are being sent to these people at this moment, or a broadcast to many people. Repeat the call after a minute.";

function isBusy(error: unknown): boolean {
  if (error instanceof Problem) return error.code === "person_busy";
  return isDeadlock(error) || waitedForLock(error);
}

const once = (ground: ConnectedGround, workspace: Workspace, { from, into, origin }: Merging): Promise<Profile> =>
  ground.db.transaction(async (tx) => {
    const at = ground.clock.now();
    const whom = { workspaceId: workspace.id, sourceId: from, targetId: into, now: at };
    const { person, canceled } = await mergePeople(tx, ground, whom);
    const common = { workspaceId: workspace.id, personKey: person.person_key, at };
    await record(tx, [{ ...common, type: "person.merged", data: { from } }, ...canceledEntries(common, canceled)]);
    if (origin) {
      const changes = [{ field: "/into", to: person.person_key }];
      const entry = personEntry("merged", { workspaceId: workspace.id, personId: from });
      await recordChange(tx, origin, { ...entry, changes, now: at });
    }
    return person;
  });

const canceledEntries = (common: { workspaceId: string; personKey: string; at: Date }, canceled: Canceled[]) =>
  canceled.map(({ id, channel }) => ({
    ...common,
    deliveryId: id,
    type: `${channel}.canceled`,
    data: { reason: "merged" },
  }));

/**
 * Gives what was written of a person while somebody merged the person, such as an event, to the person who stayed. What is being sent at this
 * moment waits for the next run.
 */
export async function mergeLateRows(ground: ConnectedGround): Promise<void> {
  for (const merge of await lateMerges(ground)) {
    try {
      await ground.workDb.transaction(async (tx) => {
        const at = ground.clock.now();
        const canceled = await mergeLate(tx, ground, merge, at);
        const common = { workspaceId: merge.workspaceId, personKey: merge.into, at };
        await record(tx, canceledEntries(common, canceled));
      });
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }
}
