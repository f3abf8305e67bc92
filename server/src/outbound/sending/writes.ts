import { RECORDED } from "../../activity/index.ts";
import { disableDevices } from "../../people/index.ts";
import { hadNoEffect } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { gather } from "../../platform/work/gather.ts";
import { type NewSuppression, suppress } from "../../subscriptions/index.ts";
import type { Job } from "../message/message.ts";
import { endOf, type Settlement, settle } from "../queue/settle-store.ts";
import { begin, type PutBack, putBack } from "../queue/store.ts";
import type { Held } from "./held.ts";

/** Writes for single deliveries. Each is gathered with the others of the same moment into one statement. */
export interface Writes {
  /** Called right before a provider may have the delivery; false where the lease is lost. Marks `at_most_once` in the table. */
  begin(held: Held): Promise<boolean>;
  putBack(one: PutBack): Promise<void>;
  settle(one: Settlement): Promise<void>;
}

export function writesOf(ground: Ground): Writes {
  const together = { inFlight: 1, most: 256 };
  const mark = gather(async (jobs: Job[]) => {
    const ours = await begin(ground.workDb, jobs);
    return jobs.map((job) => ours.has(job.deliveryId));
  }, together);
  return {
    async begin(held) {
      if (held.job.atMostOnce && !held.lease.begun && !(await mark(held.job))) return false;
      if (!held.holds()) return false;
      held.lease.begun = true;
      return true;
    },
    putBack: gather(async (list: PutBack[]) => {
      await putBack(ground.workDb, list);
      return list.map((): undefined => undefined);
    }, together),
    settle: gather((list: Settlement[]) => settleAll(ground, list), { ...together, retryAlone: hadNoEffect }),
  };
}

/** Returns the suppression of an address that the provider reports as dead, or an empty list. */
function deadAddressOf({ job, deadAddress, provider }: Settlement): NewSuppression[] {
  const { workspaceId, channel, recipient } = job;
  if (!deadAddress || channel === "push") return [];
  const address = channel === "email" ? (mailbox(recipient)?.address ?? recipient) : recipient;
  return [{ workspaceId, channel, address, reason: "hard_bounce", source: provider ?? "feedback" }];
}

/** Settles attempts together. This takes a transaction only where dead tokens or addresses, or announcements, are written with them, and in shards. */
async function settleAll({ workDb, clock }: Ground, list: Settlement[]): Promise<undefined[]> {
  const now = clock.now();
  const dead = list.flatMap(({ job, dead }) => dead.map((id) => ({ personKey: job.personKey, id })));
  const gone = list.flatMap(deadAddressOf);
  const workspaceIds = [...new Set(list.map(({ job }) => job.workspaceId))];
  const entries = () => list.map((one) => entryOf(one, now));
  if (dead.length + gone.length === 0 && !workDb.distributed && !workDb.isTaken(RECORDED, entries)) {
    await settle(workDb, list, now);
    workDb.wake(RECORDED, workspaceIds);
    return list.map(() => undefined);
  }
  await workDb.transaction(async (tx) => {
    const settled = await settle(tx, list, now);
    await tx.announce(RECORDED, workspaceIds, () =>
      list.flatMap((one) => (settled.has(one.job.deliveryId) ? [entryOf(one, now)] : [])),
    );
    if (dead.length > 0) await disableDevices(tx, dead, now);
    await suppress(tx, gone, now);
  });
  return list.map(() => undefined);
}

/** The log entry, as it is announced; the statement of `settle` writes its data. */
const entryOf = (one: Settlement, at: Date) => ({
  workspaceId: one.job.workspaceId,
  personKey: one.job.personKey,
  deliveryId: one.job.deliveryId,
  type: endOf(one),
  at,
});
