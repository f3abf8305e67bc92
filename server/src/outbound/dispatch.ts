import { setTimeout as sleep } from "node:timers/promises";
import type { Ground } from "../platform/ground.ts";
import { newId } from "../platform/ids.ts";
import { stillWanted } from "./hold-back.ts";
import { isBulk, type Lane } from "./lane.ts";
import type { Job, Message } from "./message.ts";
import { createRegistry, PROVIDERS_CHANGED } from "./registry.ts";
import { type Held, type SendDesk, sendDesk } from "./send.ts";
import { claim, LEASE_SECONDS, release, renew } from "./store.ts";

/** Signal that something became due. It carries nothing else: the table is the truth. */
export const DUE = "outbound.due";

/** Deliveries in one claim; each may carry 64 KiB. Half a lane: one that is asked for has room for all that come. */
const BATCH = 64;
/** Deliveries in the memory of this process. */
const MOST_HELD = 2_048;
/** Of one lane; a stalled server's lane fills, is left out of the claims, and the others go on. */
const MOST_IN_LANE = 128;
/** For retries, for what other processes left, and for lost signals. */
const POLL_MS = 1_000;
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
/** How long a stop waits for hand-offs under way; the whole process has 10 s. */
const GRACE_MS = 6_000;

export interface Dispatcher {
  /** Leases for messages that this process may send at once, undefined for those that go through the table. */
  accept(batch: Message[]): (string | undefined)[];
  /** Takes over deliveries that were queued with such a lease, asked for at `since` by performance.now(). */
  take(jobs: Job[], since: number): void;
  /** Finishes or releases what is claimed. */
  stop(): Promise<void>;
}

interface LaneState extends Lane {
  held: number;
  /** Something of it waits in the table: later ones must not overtake it in memory. */
  behind: boolean;
  /** Time of performance.now() until which nothing of it is claimed: its providers rest, or are behind their rate. */
  paused: number;
}

// The dispatcher of a process, for `queue`. Under the ground, because that is what one process stands on.
const dispatchers = new WeakMap<Ground, Dispatcher>();
export const dispatcherOf = (ground: Ground): Dispatcher | undefined => dispatchers.get(ground);

/** Starts sending in this process: woken by commits here and elsewhere, and polling as the fallback. */
export function startDispatcher(ground: Ground): Dispatcher {
  const registry = createRegistry(ground);
  const desk: SendDesk = sendDesk(ground, registry, (job, ms) => pause(laneOf(job), ms));
  const lanes = new Map<string, LaneState>();
  const held = new Map<string, Held>();
  let claiming: Promise<void> | undefined;
  let again = false;
  let stopping = false;

  function laneOf(lane: Lane): LaneState {
    const key = nameOf(lane);
    let state = lanes.get(key);
    if (!state) {
      const { workspaceId, channel, bulk } = lane;
      state = { workspaceId, channel, bulk, held: 0, behind: false, paused: 0 };
      lanes.set(key, state);
    }
    return state;
  }

  // With many stalled lanes each new one gets less, so that a few hundred of them still leave room for the rest.
  const share = () => Math.min(MOST_IN_LANE, Math.max(4, Math.floor((MOST_HELD - held.size) / 8)));
  const isFull = (lane: LaneState) => lane.held >= share();
  const isPaused = (lane: LaneState) => performance.now() < lane.paused;
  // Asked for again at half: at every place that falls free a claim would lease a batch to keep one and give back the rest.
  const hasEnough = (lane: LaneState) => isPaused(lane) || lane.held > share() / 2;

  /** The poll looks again after it. */
  function pause(lane: LaneState, ms: number): void {
    lane.paused = Math.max(lane.paused, performance.now() + ms);
    lane.behind = true;
  }

  /** @param since when the lease was asked for, by performance.now() */
  function hold(job: Job, lane: LaneState, since: number): void {
    const entry: Held = { job, until: since + LEASE_SECONDS * 1_000, begun: job.undetermined, gone: false };
    held.set(job.deliveryId, entry);
    lane.held++;
    void desk.send(entry).finally(() => {
      held.delete(job.deliveryId);
      lane.held--;
      if (lane.held === 0 && !lane.behind) lanes.delete(nameOf(lane));
      if (lane.behind && !hasEnough(lane)) wake();
    });
  }

  /** The table had nothing more for the lanes that were asked for, of those that are bulk or of the others. */
  function forgetIdle(full: LaneState[], bulk: boolean): void {
    for (const [key, lane] of lanes) {
      if (lane.bulk !== bulk || full.includes(lane) || isPaused(lane)) continue;
      lane.behind = false;
      if (lane.held === 0) lanes.delete(key);
    }
  }

  async function round(): Promise<void> {
    const room = Math.min(BATCH, MOST_HELD - held.size);
    if (room < 1) return;
    const full = [...lanes.values()].filter(hasEnough);
    const since = performance.now();
    const claimed = await claim(ground.workDb, newId(), room, full);
    const mayHaveMore = claimed.length === room;
    // Bulk is claimed only behind the last of the others: one of it says that there is no more of them.
    const moreFirst = mayHaveMore && claimed.every((job) => !job.bulk);
    if (mayHaveMore) again = true;
    else forgetIdle(full, true);
    if (!moreFirst) forgetIdle(full, false);
    for (const lane of full) lane.behind = true;
    const jobs = await wanted(claimed);
    const surplus: Job[] = [];
    for (const job of jobs) {
      const lane = laneOf(job);
      if (job.bulk ? mayHaveMore : moreFirst) lane.behind = true;
      // What is undetermined only has its end written: given back as queued, it would be sent again.
      if (!job.undetermined && (stopping || isPaused(lane) || isFull(lane))) surplus.push(job);
      else hold(job, lane, since);
    }
    if (surplus.length > 0) {
      for (const job of surplus) laneOf(job).behind = true;
      await release(ground.workDb, surplus);
    }
  }

  /** What may still be sent. Where that can't be asked it goes back: nothing is sent to an address that may be suppressed. */
  async function wanted(jobs: Job[]): Promise<Job[]> {
    try {
      return await stillWanted(ground.workDb, jobs, ground.clock.now());
    } catch (error) {
      const idle = jobs.filter((job) => !job.undetermined);
      await release(ground.workDb, idle);
      throw error;
    }
  }

  function wake(): void {
    again = true;
    claiming ??= (async () => {
      while (again && !stopping) {
        again = false;
        await round().catch((error) => ground.log.debug({ err: String(error) }, "deliveries could not be claimed"));
      }
    })().finally(() => {
      claiming = undefined;
      if (again && !stopping) wake();
    });
  }

  async function keepLeases(): Promise<void> {
    const ours = [...held.values()].filter((entry) => !entry.gone);
    if (ours.length === 0) return;
    const asked = performance.now();
    const kept = await renew(
      ground.workDb,
      ours.map((entry) => entry.job),
    ).catch(() => undefined);
    if (!kept) return;
    for (const entry of ours) {
      if (kept.has(entry.job.deliveryId)) entry.until = asked + LEASE_SECONDS * 1_000;
      else entry.gone = true;
    }
  }

  const unsubscribe = ground.signals.subscribe(DUE, wake);
  const unpause = ground.signals.subscribe(PROVIDERS_CHANGED, (workspaces) => {
    for (const lane of lanes.values()) if (workspaces.includes(lane.workspaceId)) lane.paused = 0;
    wake();
  });
  const poll = setInterval(wake, POLL_MS);
  const renewal = setInterval(() => void keepLeases(), RENEW_MS);
  wake();

  async function stop(): Promise<void> {
    stopping = true;
    dispatchers.delete(ground);
    unsubscribe();
    unpause();
    clearInterval(poll);
    clearInterval(renewal);
    // A database that hangs must not hold the stop: what it still claims comes back with its lease.
    await Promise.race([claiming, sleep(2_000, undefined, { ref: false })]);
    const idle = [...held.values()].filter((entry) => !entry.begun);
    for (const entry of idle) entry.gone = true;
    if (idle.length > 0)
      await release(
        ground.workDb,
        idle.map((entry) => entry.job),
      ).catch(() => {});
    await desk.finish(GRACE_MS);
    registry.close();
    await desk.finish(1_000);
  }

  const dispatcher: Dispatcher = {
    accept(batch) {
      const lease = newId();
      const taken = new Map<LaneState, number>();
      return batch.map((message) => {
        // What is at most once is claimed first and marked as begun then, each in its own commit: see `begin` in store.ts.
        if (stopping || message.status !== "queued" || message.dueAt !== undefined || isHeavy(message))
          return undefined;
        if (message.atMostOnce) return undefined;
        const lane = laneOf({
          workspaceId: message.workspaceId,
          channel: message.channel,
          bulk: isBulk(message.source),
        });
        const more = taken.get(lane) ?? 0;
        if (lane.behind || isPaused(lane) || lane.held + more >= share()) {
          lane.behind = true;
          return undefined;
        }
        taken.set(lane, more + 1);
        return lease;
      });
    },
    take(jobs, since) {
      if (stopping) void release(ground.workDb, jobs).catch(() => {});
      else for (const job of jobs) hold(job, laneOf(job), since);
    },
    stop,
  };
  dispatchers.set(ground, dispatcher);
  return dispatcher;
}

const nameOf = ({ workspaceId, channel, bulk }: Lane): string => `${workspaceId} ${channel}${bulk ? " bulk" : ""}`;

/** Attachments go through the table: 20 MiB each must not wait in memory. */
const isHeavy = (message: Message): boolean => "attachments" in message.content;
