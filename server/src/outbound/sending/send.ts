import type { Ground } from "../../platform/ground.ts";
import { encodeId } from "../../platform/ids.ts";
import { traced } from "../../platform/tracing/index.ts";
import { writeEnd } from "../../platform/work/leases.ts";
import type { Connection, Wait } from "../connection/connection.ts";
import type { Registry } from "../connection/registry.ts";
import type { Job } from "../message/message.ts";
import type { Outcome } from "../queue/retry.ts";
import type { Settlement } from "../queue/settle-store.ts";
import { contentOf } from "../queue/store.ts";
import { withLoadedContent } from "../queue/suppression-check.ts";
import { handOver } from "./handover.ts";
import type { Held } from "./held.ts";
import { EXPIRED_BEFORE, isExpired, LEFT_BY_DEAD_PROCESS, noProvider, settlementOf } from "./settlement.ts";
import { type Writes, writesOf } from "./writes.ts";

// How this process sends one delivery that it has leased:
//   load     its content, where it was too big to come with the claim
//   prepare  the message in the form that the channel's providers need; where that is not possible, the delivery fails
//   hand     it to the providers in their order, each within its own places, until one takes or refuses it
//   settle   it: finalized (sent), failed, or postponed to the next attempt - only if the lease is still ours
// Where no provider could be asked, because all rest or a rate leaves no turn, it is put back, which is no attempt.
// A process that dies anywhere here leaves the row leased. After the lease another process repeats it, with the same Message-ID.
// An `at_most_once` delivery is marked as begun in a commit of its own right before the hand-off. If it is found so after the
// lease, it is not repeated but fails as undetermined, because the provider may have it.

/** Sends a delivery from its claim to its end. Never rejects. */
export type Send = (held: Held) => Promise<void>;

/** The longest wait of a delivery whose lane is not paused: unlike a pause, its wait does not end when somebody corrects the provider. */
const ALONE_MS = 30_000;

/** What the hand-offs of a process share. */
interface SendContext {
  ground: Ground;
  registry: Registry;
  pause: (job: Job, ms: number) => void;
  writes: Writes;
}

/**
 * Creates the function that sends deliveries.
 * @param registry the connections of this process
 * @param pause leaves the job's lane out of claims for this number of milliseconds
 */
export function createSend(ground: Ground, registry: Registry, pause: SendContext["pause"]): Send {
  const context: SendContext = { ground, registry, pause, writes: writesOf(ground) };
  return (held) => {
    const { deliveryId, channel } = held.job;
    const attributes = { "tidings.delivery_id": encodeId("dlv", deliveryId), "tidings.channel": channel };
    return traced(ground.traces, ["send delivery", { kind: "consumer", of: deliveryId, attributes }], () =>
      deliver(context, held),
    )
      .catch((error) => fail(context, held, error))
      .finally(() => held.leave());
  };
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

/** Puts a delivery back. If that fails, its lease ends and it is claimed again. */
async function wait(context: SendContext, job: Job, { waitMs, why, by }: Wait, providers: Connection[]): Promise<void> {
  // A push to an iPhone waits for APNs while pushes to Android go on: then this delivery waits alone, and not its lane.
  const alone = why === "resting" && providers.some(({ health }) => health.until === undefined);
  // Deliveries that wait for a rate are still in memory: the lane is claimed again before the last of them is sent.
  if (!alone) context.pause(job, why === "rate" ? waitMs / 2 : waitMs);
  context.ground.metrics.postponed.inc({ channel: job.channel, why });
  const reason = why === "rate" ? `waits for the rate of ${by.name}` : `waits until ${by.name} is tried again`;
  await context.writes.putBack({ job, reason, waitMs: alone ? Math.min(waitMs, ALONE_MS) : 0 });
}

async function end({ ground, writes }: SendContext, held: Held, settlement: Settlement): Promise<void> {
  try {
    await writeEnd(held.lease, () => writes.settle(settlement));
  } catch (error) {
    ground.log.warn(
      { delivery_id: held.job.deliveryId, err: String(error) },
      "the end of an attempt could not be written",
    );
  }
}

function fail(context: SendContext, held: Held, error: unknown): Promise<void> {
  context.ground.log.warn({ delivery_id: held.job.deliveryId, err: String(error) }, "an attempt failed on our side");
  // It is not known whether the provider has the message: the error may have happened after it was accepted.
  const kind = held.lease.begun ? "unknown" : "retry";
  const outcome: Outcome = { kind, reason: "an error on our side; the log has it" };
  return end(context, held, settlementOf(held.job, { outcome, by: undefined }));
}
