import { RECORDED } from "../../activity/index.ts";
import { disableDevices } from "../../people/index.ts";
import { isRefusal } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { gather } from "../../platform/work/gather.ts";
import { type NewSuppression, suppress } from "../../subscriptions/index.ts";
import type { Job } from "../message/message.ts";
import { begin, type PutBack, putBack } from "../queue/store.ts";
import { type Settlement, settle, endOf } from "../queue/settle-store.ts";
import type { Held } from "./held.ts";

/** What is written of single deliveries, each together with the others of its moment. */
export interface Writes {
  /** Called right before a provider may have it; false where it is not ours any more. `at_most_once` is marked in the table. */
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
    settle: gather((list: Settlement[]) => settleAll(ground, list), { ...together, retryAlone: isRefusal }),
  };
}

/** The address that gets nothing more, where the provider says so of it. */
function deadAddressOf({ job, deadAddress, provider }: Settlement): NewSuppression[] {
  const { workspaceId, channel, recipient } = job;
  if (!deadAddress || channel === "push") return [];
  const address = channel === "email" ? (mailbox(recipient)?.address ?? recipient) : recipient;
  return [{ workspaceId, channel, address, reason: "hard_bounce", source: provider ?? "feedback" }];
}

/** All that ended at about the same time, at once: in a transaction where a dead token or address is to be written with it. */
async function settleAll({ workDb, clock }: Ground, list: Settlement[]): Promise<undefined[]> {
  const now = clock.now();
  const dead = list.flatMap(({ job, dead }) => dead.map((id) => ({ personKey: job.personKey, id })));
  const gone = list.flatMap(deadAddressOf);
  const workspaceIds = [...new Set(list.map(({ job }) => job.workspaceId))];
  if (dead.length + gone.length === 0 && !workDb.isTaken(RECORDED)) {
    await settle(workDb, list, now);
    workDb.wake(RECORDED, workspaceIds);
    return list.map(() => undefined);
  }
  await workDb.transaction(async (tx) => {
    const settled = await settle(tx, list, now);
    await tx.announce(RECORDED, workspaceIds, () =>
      list.flatMap((one) => (settled.has(one.job.deliveryId) ? [entryOf(one, now)] : [])),
    );
    await disableDevices(tx, dead, now);
    await suppress(tx, gone, now);
  });
  return list.map(() => undefined);
}

/** What the log says of it; its data is known to the statement. */
const entryOf = (one: Settlement, at: Date) => ({
  workspaceId: one.job.workspaceId,
  personKey: one.job.personKey,
  deliveryId: one.job.deliveryId,
  type: endOf(one),
  at,
});
