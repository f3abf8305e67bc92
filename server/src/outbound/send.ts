import { setTimeout as sleep } from "node:timers/promises";
import { record } from "../activity/index.ts";
import { disableDevices } from "../people/index.ts";
import { isRefusal } from "../platform/db/index.ts";
import { gather } from "../platform/gather.ts";
import type { Ground } from "../platform/ground.ts";
import { type Handed, handOver } from "./handover.ts";
import { loadedWith } from "./hold-back.ts";
import type { Job } from "./message.ts";
import type { Opened, Wait } from "./opened.ts";
import type { Registry } from "./registry.ts";
import { type Outcome, waitAfter } from "./retry.ts";
import { NOBODY } from "./give-up.ts";
import { storable } from "./storable.ts";
import { begin, contentOf, type PutBack, putBack, type Settlement, settle, UNDETERMINED } from "./store.ts";

// The life of one delivery, once it is ours:
//   load     its content, where it was too big to come with the claim
//   prepare  what the channel's providers want; what can't be prepared fails
//   hand     to the providers in their order, each within its own share of hand-offs, until one takes or refuses it
//   settle   finalized (sent), failed, or postponed to the next attempt - only if the lease is still ours
// Where nobody could be asked, because all providers rest or a rate leaves no turn, it is put back and that is no attempt.
// A process that dies anywhere here leaves the row leased; after the lease another repeats it, with the same Message-ID.
// `at_most_once` is marked as begun in a commit of its own right before the hand-off. Found so after the lease it is not
// repeated but fails as undetermined: the provider may have it.

/** A delivery in the memory of this process. */
export interface Held {
  job: Job;
  /** Time of performance.now() until which the lease is surely ours. */
  until: number;
  /** The provider may have seen it. */
  begun: boolean;
  /** It has asked for its place at a provider, once for all devices of a push. */
  entering?: Promise<void>;
  /** Gives up that place. */
  leave?: () => void;
  /** No longer ours: another process may have it. */
  gone: boolean;
}

export interface SendDesk {
  /** Never rejects. */
  send(held: Held): Promise<void>;
  /** Waits until nothing is under way, `ms` at the most. */
  finish(ms: number): Promise<void>;
}

/** How long a delivery waits in the table while others of its lane go on; it does not hear of it when its provider is mended. */
const ALONE_MS = 60_000;
/** A hand-off begins only with this much of the lease left; a process that slept must not send what another sends now. */
const MARGIN_MS = 5_000;

/**
 * Sends what it is given.
 * @param registry the open providers
 * @param pause told that the job's lane has to wait, for so many milliseconds
 */
export function sendDesk(ground: Ground, registry: Registry, pause: (job: Job, ms: number) => void): SendDesk {
  const underWay = new Set<Promise<void>>();
  const settleSoon = gather((list: Settlement[]) => settleAll(ground, list), {
    inFlight: 1,
    most: 256,
    retryAlone: isRefusal,
  });

  const beginSoon = gather(
    async (jobs: Job[]) => {
      const ours = await begin(ground.workDb, jobs);
      return jobs.map((job) => ours.has(job.deliveryId));
    },
    { inFlight: 1, most: 256 },
  );
  const putBackSoon = gather(
    async (list: PutBack[]) => {
      await putBack(ground.workDb, list);
      return list.map((): undefined => undefined);
    },
    { inFlight: 1, most: 256 },
  );

  const isOurs = (held: Held) => !held.gone && performance.now() < held.until - MARGIN_MS;

  async function deliver(held: Held): Promise<void> {
    if (!isOurs(held)) return;
    if (held.job.undetermined) return keepTrying(held, verdict(held.job, LEFT_OVER));
    const job = held.job.content ? held.job : await loaded(held.job);
    const { content } = job;
    if (!content) return;
    const providers = await registry.of(job);
    const handed = await handOver(ground, providers, job, content, {
      bulk: job.bulk,
      holds: () => isOurs(held),
      enter: (open) => {
        held.entering ??= open.enter(job.bulk).then(() => {
          held.leave = open.leave;
        });
        return held.entering;
      },
      async begin() {
        if (job.atMostOnce && !held.begun && !(await beginSoon(job))) return false;
        if (!isOurs(held)) return false;
        held.begun = true;
        return true;
      },
    });
    if (!handed) return;
    if (!("waitMs" in handed)) await keepTrying(held, verdict(job, handed));
    else if (handed.why === "resting" && job.overdue) await keepTrying(held, verdict(job, nobody(handed)));
    else await wait(job, handed, providers);
  }

  const loaded = async (job: Job): Promise<Job> => loadedWith(ground.workDb, job, await contentOf(ground.workDb, job));

  /** Should this fail, it comes back with its lease. */
  async function wait(job: Job, { waitMs, why, by }: Wait, providers: Opened[]): Promise<void> {
    // A push to an iPhone waits for APNs while those to Android go on: then it is this one that waits, and not its lane.
    const alone = why === "resting" && providers.some(({ health }) => health.until === undefined);
    // Of those that wait for a rate some are in memory still: its lane is asked for again before they are through.
    if (!alone) pause(job, why === "rate" ? waitMs / 2 : waitMs);
    ground.metrics.postponed.inc({ channel: job.channel, why });
    const reason = why === "rate" ? `waits for the rate of ${by.name}` : `waits until ${by.name} is tried again`;
    await putBackSoon({ job, reason, waitMs: alone ? Math.min(waitMs, ALONE_MS) : 0 });
  }

  /** Writes the end of the attempt. While the database is away the lease can't pass to others either, so it tries on. */
  async function keepTrying(held: Held, settlement: Settlement): Promise<void> {
    for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
      try {
        return await settleSoon(settlement);
      } catch (error) {
        if (held.gone || performance.now() > held.until) {
          ground.log.warn(
            { delivery_id: held.job.deliveryId, err: String(error) },
            "the end of an attempt could not be written",
          );
          return;
        }
        await sleep(wait);
      }
    }
  }

  return {
    send(held) {
      const work = deliver(held)
        .catch((error) => {
          ground.log.warn({ delivery_id: held.job.deliveryId, err: String(error) }, "an attempt failed on our side");
          // Whether the provider has it is not known: the error may have come after its yes.
          const kind = held.begun ? "unknown" : "retry";
          const outcome: Outcome = { kind, reason: "an error on our side; the log has it" };
          return keepTrying(held, verdict(held.job, { outcome, by: undefined }));
        })
        .finally(() => {
          held.leave?.();
          underWay.delete(work);
        });
      underWay.add(work);
      return work;
    },
    async finish(ms) {
      const late = new AbortController();
      await Promise.race([Promise.all(underWay), sleep(ms, undefined, { signal: late.signal }).catch(() => {})]);
      late.abort();
    },
  };
}

const LEFT_OVER: Handed = {
  outcome: { kind: "unknown", reason: "the process that was handing it over ended" },
  by: undefined,
};

/** Nobody could be asked for as long as a delivery is repeated: it is over, as for one that was refused to the last. */
const nobody = ({ by }: Wait): Handed => ({
  outcome: { kind: "refused", reason: `${NOBODY}: ${by.name} rests` },
  by: undefined,
});

/** What the row becomes. */
function verdict(job: Job, { outcome, by, devices, dead = [] }: Handed): Settlement {
  const note = { ...job.note, ...(outcome.kind === "sent" && outcome.note), ...(devices && { devices }) };
  const base = { job, provider: by?.provider.kind ?? null, providerMessageId: null, waitMs: null, note, dead };
  if (outcome.kind === "sent") {
    const providerMessageId = outcome.providerMessageId === undefined ? null : storable(outcome.providerMessageId);
    return { ...base, status: "sent", reason: null, providerMessageId };
  }
  const reason = storable(outcome.reason);
  // A one-time code that arrives twice is worse than one that never does: the second would void the first.
  if (outcome.kind === "unknown" && job.atMostOnce)
    return { ...base, status: "failed", reason: `${UNDETERMINED}: ${reason}` };
  const again = outcome.kind === "retry" || outcome.kind === "unknown";
  const afterMs = outcome.kind === "retry" ? outcome.afterMs : undefined;
  const waitMs = again ? waitAfter(job.attempts + 1, Math.random(), afterMs) : undefined;
  if (waitMs === undefined) return { ...base, status: "failed", reason };
  return { ...base, status: "queued", reason, waitMs };
}

/** One transaction for all that ended at about the same time. */
async function settleAll(ground: Ground, list: Settlement[]): Promise<undefined[]> {
  const now = ground.clock.now();
  await ground.workDb.transaction(async (tx) => {
    const ours = await settle(tx, list, now);
    const written = list.filter((settlement) => ours.has(settlement.job.deliveryId));
    const dead = list.flatMap(({ job, dead }) => dead.map((id) => ({ personKey: job.personKey, id })));
    if (dead.length > 0) await disableDevices(tx, dead, now);
    await record(
      tx,
      written.map(({ job, status, reason, provider, providerMessageId, waitMs, note }) => ({
        workspaceId: job.workspaceId,
        personKey: job.personKey,
        deliveryId: job.deliveryId,
        type: `${job.channel}.${status === "queued" ? "attempt" : status}`,
        at: now,
        data: {
          ...note,
          attempt: job.attempts + 1,
          ...(provider !== null && { provider }),
          ...(providerMessageId !== null && { provider_message_id: providerMessageId }),
          ...(reason !== null && { reason }),
          ...(waitMs !== null && { next_attempt_in_seconds: Math.round(waitMs / 1_000) }),
        },
      })),
    );
  });
  return list.map(() => undefined);
}
