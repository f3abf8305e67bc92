import type { Ground } from "../../platform/ground.ts";
import { writeEnd } from "../../platform/work/leases.ts";
import type { Connection, Wait } from "../connection/connection.ts";
import type { Registry } from "../connection/registry.ts";
import type { Job } from "../message/message.ts";
import { withLoadedContent } from "../queue/suppression-check.ts";
import type { Outcome } from "../queue/retry.ts";
import { contentOf } from "../queue/store.ts";
import type { Settlement } from "../queue/settle-store.ts";
import { handOver } from "./handover.ts";
import type { Held } from "./held.ts";
import { isExpired, LEFT_BY_DEAD_PROCESS, noProvider, EXPIRED_BEFORE, settlementOf } from "./settlement.ts";
import { type Writes, writesOf } from "./writes.ts";

// The life of one delivery, once it is ours:
//   load     its content, where it was too big to come with the claim
//   prepare  what the channel's providers want; what can't be prepared fails
//   hand     to the providers in their order, each within its own share of hand-offs, until one takes or refuses it
//   settle   finalized (sent), failed, or postponed to the next attempt - only if the lease is still ours
// Where nobody could be asked, because all providers rest or a rate leaves no turn, it is put back and that is no attempt.
// A process that dies anywhere here leaves the row leased; after the lease another repeats it, with the same Message-ID.
// `at_most_once` is marked as begun in a commit of its own right before the hand-off. Found so after the lease it is not
// repeated but fails as undetermined: the provider may have it.

/** Sends a delivery from its claim to its end. Never rejects. */
export type Send = (held: Held) => Promise<void>;

/** How long a delivery waits in the table while others of its lane go on; it does not hear of it when its provider is mended. */
const ALONE_MS = 30_000;

/** What the hand-offs of a process share. */
interface SendContext {
  ground: Ground;
  registry: Registry;
  pause: (job: Job, ms: number) => void;
  writes: Writes;
}

/**
 * Sends what it is given.
 * @param registry the open providers
 * @param pause told that the job's lane has to wait, for so many milliseconds
 */
export function createSend(ground: Ground, registry: Registry, pause: SendContext["pause"]): Send {
  const context: SendContext = { ground, registry, pause, writes: writesOf(ground) };
  return (held) =>
    deliver(context, held)
      .catch((error) => failed(context, held, error))
      .finally(() => held.leave());
}

async function deliver(context: SendContext, held: Held): Promise<void> {
  const { ground, registry, writes } = context;
  if (!held.holds()) return;
  if (held.job.undetermined) return end(context, held, settlementOf(held.job, LEFT_BY_DEAD_PROCESS));
  if (isExpired(held.job)) return end(context, held, settlementOf(held.job, EXPIRED_BEFORE));
  held.job = await loaded(ground, held.job);
  const { job } = held;
  if (!job.content) return;
  const providers = await registry.of(job);
  const handed = await handOver({ ground, providers, begin: writes.begin }, held, job.content);
  if (!handed) return;
  if (!("waitMs" in handed)) await end(context, held, settlementOf(job, handed));
  else if (handed.why === "resting" && job.overdue) await end(context, held, settlementOf(job, noProvider(handed)));
  else await wait(context, job, handed, providers);
}

const loaded = async ({ workDb }: Ground, job: Job): Promise<Job> =>
  job.content ? job : withLoadedContent(workDb, job, await contentOf(workDb, job));

/** Puts it back. Should this fail, it comes back with its lease. */
async function wait(context: SendContext, job: Job, { waitMs, why, by }: Wait, providers: Connection[]): Promise<void> {
  // A push to an iPhone waits for APNs while those to Android go on: then it is this one that waits, and not its lane.
  const alone = why === "resting" && providers.some(({ health }) => health.until === undefined);
  // Of those that wait for a rate some are in memory still: its lane is asked for again before they are through.
  if (!alone) context.pause(job, why === "rate" ? waitMs / 2 : waitMs);
  context.ground.metrics.postponed.inc({ channel: job.channel, why });
  const reason = why === "rate" ? `waits for the rate of ${by.name}` : `waits until ${by.name} is tried again`;
  await context.writes.putBack({ job, reason, waitMs: alone ? Math.min(waitMs, ALONE_MS) : 0 });
}

async function end({ ground, writes }: SendContext, held: Held, settlement: Settlement): Promise<void> {
  try {
    await writeEnd(held.lease, () => writes.settle(settlement));
  } catch (error) {
    const said = { delivery_id: held.job.deliveryId, err: String(error) };
    ground.log.warn(said, "the end of an attempt could not be written");
  }
}

function failed(context: SendContext, held: Held, error: unknown): Promise<void> {
  const said = { delivery_id: held.job.deliveryId, err: String(error) };
  context.ground.log.warn(said, "an attempt failed on our side");
  // Whether the provider has it is not known: the error may have come after its yes.
  const kind = held.lease.begun ? "unknown" : "retry";
  const outcome: Outcome = { kind, reason: "an error on our side; the log has it" };
  return end(context, held, settlementOf(held.job, { outcome, by: undefined }));
}
