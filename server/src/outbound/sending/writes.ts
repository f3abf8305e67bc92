import { RECORDED } from "../../activity/index.ts";
import { disableDevices } from "../../people/index.ts";
import { isRefusal } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { gather } from "../../platform/work/gather.ts";
import { type NewSuppression, suppress } from "../../subscriptions/index.ts";
import type { Job } from "../message/message.ts";
import { begin, type PutBack, putBack, type Settlement, settle } from "../queue/store.ts";
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
async function settleAll({ workDb, clock, signals }: Ground, list: Settlement[]): Promise<undefined[]> {
  const now = clock.now();
  const dead = list.flatMap(({ job, dead }) => dead.map((id) => ({ personKey: job.personKey, id })));
  const gone = list.flatMap(deadAddressOf);
  if (dead.length + gone.length === 0) await settle(workDb, list, now);
  else {
    await workDb.transaction(async (tx) => {
      await settle(tx, list, now);
      await disableDevices(tx, dead, now);
      await suppress(tx, gone, now);
    });
  }
  signals.publish(RECORDED, [...new Set(list.map(({ job }) => job.workspaceId))]);
  return list.map(() => undefined);
}
