import { newId } from "../../platform/ids.ts";
import { Leases } from "../../platform/work/leases.ts";
import { type Loop, startLoop } from "../../platform/work/loop.ts";
import { WORKSPACES_CHANGED } from "../../workspaces/index.ts";
import { createRegistry, PROVIDERS_CHANGED, type Registry } from "../connection/registry.ts";
import type { Job, Message } from "../message/message.ts";
import { DELIVERIES_DUE, type Dispatcher, type QueueGround } from "../queue/dispatcher.ts";
import { type Lane, laneOf } from "../queue/lane.ts";
import { claim, type Kinds, LEASE_SECONDS, release, renew, takeBack } from "../queue/store.ts";
import { stillWanted } from "../queue/suppression-check.ts";
import { suspendedAmong } from "../queue/suspended-store.ts";
import { showWaiting } from "../queue/waiting.ts";
import { takeOver } from "./handed-over.ts";
import { Held } from "./held.ts";
import { Lanes } from "./lanes.ts";
import { createSend, type Send } from "./send.ts";

/** Deliveries in one claim; each may have 64 KiB. Half a lane, so that a lane that takes part in a claim has room for all of it. */
const BATCH = 64;
/** Polls find retries, deliveries that other processes left, and deliveries whose signal was lost. */
const POLL_MS = 1_000;
/** A poll reads past all deliveries of full lanes, a second for a million. Polls take at most a tenth of the time. */
const POLL_SHARE = 10;
/** How long a stop waits for hand-offs under way; the whole process has 10 s. */
const GRACE_MS = 6_000;

const BOTH: Kinds = { first: true, bulk: true };

/** Starts sending in this process: woken by commits here and elsewhere, and polling as the fallback. */
export function startDispatcher(ground: QueueGround): Dispatch {
  const dispatcher = new Dispatch(ground);
  ground.sending.dispatcher = dispatcher;
  if (ground.otherThread) takeOver(ground.otherThread, dispatcher);
  return dispatcher;
}

class Dispatch implements Dispatcher {
  readonly #ground: QueueGround;
  readonly #registry: Registry;
  readonly #send: Send;
  readonly #lanes = new Lanes();
  readonly #leases: Leases<Job>;
  readonly #loop: Loop;
  /** While a claim is under way, the lanes with deliveries that became due since it began: it may not have seen them. */
  #late: Lane[] | undefined;
  /** The kinds of which deliveries may be due without a lane being marked. A signal marks the lane. */
  #unknown: Kinds = BOTH;
  /** Time of performance.now() of the next poll. */
  #pollAt = 0;
  #told = () => {};

  constructor(ground: QueueGround) {
    this.#ground = ground;
    this.#registry = createRegistry(ground);
    showWaiting(ground);
    this.#send = createSend(ground, this.#registry, (job, ms) => this.#lanes.pause(job, ms));
    this.#leases = new Leases({
      seconds: LEASE_SECONDS,
      release: (jobs) => this.#release(jobs),
      renew: (jobs) => this.#renew(jobs),
    });
    this.#loop = startLoop(ground, {
      what: "deliveries",
      wakeOn: {
        [DELIVERIES_DUE]: (names) => this.#heard(names.map(laneOf)),
        [PROVIDERS_CHANGED]: (workspaces) => this.#lanes.resume(workspaces),
        // A workspace was suspended or resumed.
        [WORKSPACES_CHANGED]: () => {
          this.#unknown = BOTH;
          void this.#releaseSuspended().catch(() => {});
        },
      },
      round: () => this.#round(),
    });
  }

  accept(batch: Message[]): (string | undefined)[] {
    const lease = newId();
    if (this.#loop.stopping) return batch.map(() => undefined);
    return this.#lanes.accept(batch).map((accepted) => (accepted ? lease : undefined));
  }

  /** @param left is told of each delivery that this process holds no more */
  take(jobs: Job[], since: number, left?: (job: Job) => void): void {
    if (this.#loop.stopping) void this.#release(jobs).catch(() => {});
    else for (const job of jobs) this.#hold(job, since, left);
  }

  /** Returns the lanes that are behind or paused: what is queued now must not go past what waits in the table. */
  closed(): Lane[] {
    return this.#lanes.closed();
  }

  /** Calls `told` after all that may have changed what `closed` or `resting` return. */
  watch(told: () => void): void {
    this.#told = told;
    told();
  }

  lost(lease: string): void {
    this.#leases.lose(lease);
  }

  resting(): number {
    return this.#registry.resting();
  }

  /** Checks for hand-offs that take too long, as it does by itself every few seconds. @param now performance.now() */
  look(now: number): void {
    this.#registry.look(now);
  }

  /** Finishes or releases the claimed deliveries. */
  async stop(): Promise<void> {
    this.#ground.sending.dispatcher = undefined;
    await this.#loop.stop();
    await this.#leases.stop(GRACE_MS);
    this.#registry.close();
    await this.#leases.finish(1_000);
  }

  /** @param since time of performance.now() at which the lease began */
  #hold(job: Job, since: number, left?: (job: Job) => void): void {
    this.#lanes.enter(job);
    this.#leases.hold(job, since, async (lease) => {
      await this.#send(new Held(lease));
      left?.(job);
      if (this.#lanes.leave(job) || isAny(this.#unknown)) this.#loop.wake();
    });
  }

  #heard(due: Lane[]): void {
    for (const lane of due) this.#lanes.fallBehind(lane);
    this.#late?.push(...due);
    this.#told();
  }

  /** Returns the kinds of which deliveries may be due that there is room for. */
  #wanted(): Kinds {
    if (this.#lanes.room() < 1) return { first: false, bulk: false };
    return {
      first: this.#unknown.first || this.#lanes.waits(false),
      bulk: this.#unknown.bulk || this.#lanes.waits(true),
    };
  }

  /** Claims once, if anything may be due. Returns how many milliseconds to wait for the next round. */
  async #round(): Promise<number> {
    const now = performance.now();
    if (now >= this.#pollAt) {
      this.#unknown = BOTH;
      this.#pollAt = now + POLL_MS;
    }
    await this.#leases.takeBack((leaseIds) => takeBack(this.#ground.workDb, leaseIds));
    const kinds = this.#wanted();
    if (isAny(kinds)) await this.#claim(kinds);
    this.#told();
    return isAny(this.#wanted()) ? 0 : this.#pollAt - performance.now();
  }

  /** Claims deliveries of these kinds for all lanes that have room. */
  async #claim(kinds: Kinds): Promise<void> {
    const { workDb } = this.#ground;
    const room = Math.min(BATCH, this.#lanes.room());
    const full = this.#lanes.full();
    const unknown = this.#unknown;
    this.#unknown = { first: unknown.first && !kinds.first, bulk: unknown.bulk && !kinds.bulk };
    const late: Lane[] = [];
    this.#late = late;
    const { items: claimed, since } = await this.#leases
      .claim((leaseId) => claim(workDb, leaseId, room, { full, kinds }))
      .catch((error) => {
        this.#unknown = BOTH;
        throw error;
      })
      .finally(() => {
        this.#late = undefined;
      });
    this.#pollAt = Math.max(this.#pollAt, since + (performance.now() - since) * POLL_SHARE);
    // Bulk is claimed only behind the last single delivery, so a bulk one shows that no more single ones are due.
    const mayHaveMore = claimed.length === room;
    const more = { first: mayHaveMore && claimed.every((job) => !job.bulk), bulk: mayHaveMore };
    for (const kind of ["first", "bulk"] as const) {
      if (!kinds[kind]) continue;
      if (more[kind]) this.#unknown = { ...this.#unknown, [kind]: this.#unknown[kind] || unknown[kind] };
      else this.#lanes.forgetIdle(full, kind === "bulk");
    }
    this.#lanes.passedOver(full);
    for (const lane of late) this.#lanes.fallBehind(lane);
    await this.#takeOver(claimed, more, since);
  }

  /** Holds the claimed deliveries as far as their lanes have room, and gives back the others. */
  async #takeOver(claimed: Job[], more: Kinds, since: number): Promise<void> {
    const lanes = this.#lanes;
    const surplus: Job[] = [];
    for (const job of await this.#stillWanted(claimed)) {
      if (job.bulk ? more.bulk : more.first) lanes.fallBehind(job);
      if (!job.undetermined && (this.#loop.stopping || !lanes.takes(job))) surplus.push(job);
      else this.#hold(job, since);
    }
    if (surplus.length === 0) return;
    for (const job of surplus) lanes.fallBehind(job);
    await this.#release(surplus);
  }

  /** Gives back all but undetermined deliveries. Those only get their end written: given back as queued, they would be sent again. */
  #release(jobs: Job[]): Promise<number> {
    const idle = jobs.filter((job) => !job.undetermined);
    return release(this.#ground.workDb, idle);
  }

  /** Returns the jobs that may still be sent. If the check fails, all go back: none is sent to an address that may be suppressed. */
  async #stillWanted(jobs: Job[]): Promise<Job[]> {
    const { workDb, clock } = this.#ground;
    try {
      return await stillWanted(workDb, jobs, clock.now());
    } catch (error) {
      await this.#release(jobs);
      throw error;
    }
  }

  /** Gives back deliveries of suspended workspaces that have not begun: those that wait here for a place or a rate must not be sent. */
  async #releaseSuspended(): Promise<void> {
    const idle = this.#leases.idle();
    if (idle.length === 0) return;
    const workspaces = new Set(idle.map(({ item }) => item.workspaceId));
    const suspended = await suspendedAmong(this.#ground.workDb, [...workspaces]);
    await this.#leases.giveBack(idle.filter(({ item }) => suspended.has(item.workspaceId)));
  }

  async #renew(jobs: Job[]): Promise<Job[]> {
    // If this check fails, the next renewal repeats it.
    await this.#releaseSuspended().catch(() => {});
    const kept = await renew(this.#ground.workDb, jobs);
    return jobs.filter((job) => kept.has(job.deliveryId));
  }
}

const isAny = ({ first, bulk }: Kinds): boolean => first || bulk;
