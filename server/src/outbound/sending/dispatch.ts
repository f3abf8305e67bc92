import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../platform/ids.ts";
import { WORKSPACES_CHANGED } from "../../workspaces/index.ts";
import { createRegistry, PROVIDERS_CHANGED, type Registry } from "../connection/registry.ts";
import type { Job, Message } from "../message/message.ts";
import { type Dispatcher, DUE, type QueueGround } from "../queue/dispatcher.ts";
import { stillWanted } from "../queue/hold-back.ts";
import { type Lane, laneOf } from "../queue/lane.ts";
import { claim, type Kinds, LEASE_SECONDS, release, renew, takeBack } from "../queue/store.ts";
import { suspendedAmong } from "../queue/suspended-store.ts";
import { showWaiting } from "../queue/waiting.ts";
import { Lanes } from "./lanes.ts";
import { Held } from "./held.ts";
import { type SendDesk, sendDesk } from "./send.ts";

/** Deliveries in one claim; each may carry 64 KiB. Half a lane: one that is asked for has room for all that come. */
const BATCH = 64;
/** For retries, for what other processes left, and for lost signals. */
const POLL_MS = 1_000;
/** A poll reads past all that waits in full lanes, a second for a million. It has at most a tenth of the time. */
const POLL_SHARE = 10;
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3;
/** How long a stop waits for hand-offs under way; the whole process has 10 s. */
const GRACE_MS = 6_000;

/** Starts sending in this process: woken by commits here and elsewhere, and polling as the fallback. */
export function startDispatcher(ground: QueueGround): Dispatcher {
  const dispatcher = new Dispatch(ground);
  ground.sending.dispatcher = dispatcher;
  return dispatcher;
}

class Dispatch implements Dispatcher {
  readonly #ground: QueueGround;
  readonly #registry: Registry;
  readonly #desk: SendDesk;
  readonly #lanes = new Lanes();
  readonly #held = new Map<string, Held>();
  readonly #ends: (() => void)[];
  #claiming: Promise<void> | undefined;
  /** While a claim is under way, the lanes of which something became due: it may not have seen that. */
  #late: Lane[] | undefined;
  /** Whether anything may be due that no lane knows of. What became due with a signal, its lane knows. */
  #unknown: Kinds = { first: true, bulk: true };
  #nextPoll = 0;
  /** Leases that nobody holds, and until when they last: their statement may still be carried out when the database wakes. */
  readonly #lost = new Map<string, number>();
  #stopping = false;

  constructor(ground: QueueGround) {
    this.#ground = ground;
    this.#registry = createRegistry(ground);
    showWaiting(ground);
    this.#desk = sendDesk(ground, this.#registry, (job, ms) => this.#lanes.pause(job, ms));
    const poll = setInterval(() => this.#poll(), POLL_MS);
    const renewal = setInterval(() => void this.#keepLeases(), RENEW_MS);
    this.#ends = [
      ground.signals.subscribe(DUE, (names) => this.#heard(names.map(laneOf))),
      ground.signals.subscribe(PROVIDERS_CHANGED, (workspaces) => {
        this.#lanes.resume(workspaces);
        this.#wake();
      }),
      // Suspended, or resumed.
      ground.signals.subscribe(WORKSPACES_CHANGED, () => {
        this.#unknown = { first: true, bulk: true };
        this.#wake();
        void this.#holdBack().catch(() => {});
      }),
      () => clearInterval(poll),
      () => clearInterval(renewal),
    ];
    this.#wake();
  }

  accept(batch: Message[]): (string | undefined)[] {
    const lease = newId();
    if (this.#stopping) return batch.map(() => undefined);
    return this.#lanes.accept(batch).map((accepted) => (accepted ? lease : undefined));
  }

  take(jobs: Job[], since: number): void {
    if (this.#stopping) void release(this.#ground.workDb, jobs).catch(() => {});
    else for (const job of jobs) this.#hold(job, since);
  }

  lost(lease: string): void {
    this.#lost.set(lease, performance.now() + LEASE_SECONDS * 1_000);
  }

  resting(): number {
    return this.#registry.resting();
  }

  look(now: number): void {
    this.#registry.look(now);
  }

  async stop(): Promise<void> {
    const { workDb } = this.#ground;
    this.#stopping = true;
    this.#ground.sending.dispatcher = undefined;
    for (const end of this.#ends) end();
    // A database that hangs must not hold the stop: what it still claims comes back with its lease.
    await Promise.race([this.#claiming, sleep(2_000, undefined, { ref: false })]);
    const idle = [...this.#held.values()].filter((entry) => !entry.begun);
    for (const entry of idle) entry.gone = true;
    const jobs = idle.map((entry) => entry.job);
    if (jobs.length > 0) await release(workDb, jobs).catch(() => {});
    await this.#desk.finish(GRACE_MS);
    this.#registry.close();
    await this.#desk.finish(1_000);
  }

  /** @param since when the lease was asked for, by performance.now() */
  #hold(job: Job, since: number): void {
    const entry = new Held(job, since + LEASE_SECONDS * 1_000);
    this.#held.set(job.deliveryId, entry);
    this.#lanes.enter(job);
    void this.#desk.send(entry).finally(() => {
      // Given back and claimed again meanwhile, it is another one.
      if (this.#held.get(job.deliveryId) === entry) this.#held.delete(job.deliveryId);
      if (this.#lanes.leave(job) || this.#unknown.first || this.#unknown.bulk) this.#wake();
    });
  }

  #heard(due: Lane[]): void {
    for (const lane of due) this.#lanes.fallBehind(lane);
    this.#late?.push(...due);
    this.#wake();
  }

  #poll(): void {
    if (performance.now() < this.#nextPoll) return;
    this.#unknown = { first: true, bulk: true };
    this.#wake();
  }

  #wake(): void {
    if (this.#claiming || this.#stopping) return;
    const failed = (error: unknown) => {
      // Tried again at the next poll, or when a place falls free.
      this.#ground.log.debug({ err: String(error) }, "deliveries could not be claimed");
      return false;
    };
    const rounds = this.#rounds().then(() => true, failed);
    this.#claiming = rounds.then((well) => {
      this.#claiming = undefined;
      // Something may have become due between the last look and now.
      if (well && isAny(this.#wanted())) this.#wake();
    });
  }

  /** The kinds of which something may be due that there is room for. */
  #wanted(): Kinds {
    if (this.#lanes.room() < 1) return { first: false, bulk: false };
    return {
      first: this.#unknown.first || this.#lanes.waits(false),
      bulk: this.#unknown.bulk || this.#lanes.waits(true),
    };
  }

  /** Claims for as long as something is wanted. */
  async #rounds(): Promise<void> {
    if (this.#lost.size > 0) await this.#takeBack();
    for (let kinds = this.#wanted(); isAny(kinds) && !this.#stopping; kinds = this.#wanted()) {
      await this.#round(Math.min(BATCH, this.#lanes.room()), kinds);
    }
  }

  /** What a silent connection took with it would wait for the end of its lease. */
  async #takeBack(): Promise<void> {
    for (const [lease, until] of this.#lost) if (performance.now() > until) this.#lost.delete(lease);
    await takeBack(this.#ground.workDb, [...this.#lost.keys()]);
  }

  /** Claims once, for all lanes of these kinds that have not enough. */
  async #round(room: number, kinds: Kinds): Promise<void> {
    const since = performance.now();
    const full = this.#lanes.full();
    const unknown = this.#unknown;
    this.#unknown = { first: unknown.first && !kinds.first, bulk: unknown.bulk && !kinds.bulk };
    const late: Lane[] = [];
    this.#late = late;
    const lease = newId();
    const claimed = await claim(this.#ground.workDb, lease, room, full, kinds)
      .catch((error) => {
        this.lost(lease);
        throw error;
      })
      .finally(() => {
        this.#late = undefined;
      });
    this.#nextPoll = since + (performance.now() - since) * POLL_SHARE;
    // Bulk is claimed only behind the last of the others: one of it says that there is no more of them.
    const mayHaveMore = claimed.length === room;
    const more = { first: mayHaveMore && claimed.every((job) => !job.bulk), bulk: mayHaveMore };
    for (const kind of ["first", "bulk"] as const) {
      if (!kinds[kind]) continue;
      if (more[kind]) this.#unknown[kind] ||= unknown[kind];
      else this.#lanes.forgetIdle(full, kind === "bulk");
    }
    this.#lanes.passedOver(full);
    for (const lane of late) this.#lanes.fallBehind(lane);
    await this.#takeOver(claimed, more, since);
  }

  /** Holds what was claimed, as far as its lane has room, and gives back the rest. */
  async #takeOver(claimed: Job[], more: Kinds, since: number): Promise<void> {
    const lanes = this.#lanes;
    const surplus: Job[] = [];
    for (const job of await this.#stillWanted(claimed)) {
      if (job.bulk ? more.bulk : more.first) lanes.fallBehind(job);
      // What is undetermined only has its end written: given back as queued, it would be sent again.
      if (!job.undetermined && (this.#stopping || !lanes.takes(job))) surplus.push(job);
      else this.#hold(job, since);
    }
    if (surplus.length === 0) return;
    for (const job of surplus) lanes.fallBehind(job);
    await release(this.#ground.workDb, surplus);
  }

  /** What may still be sent. Where that can't be asked it goes back: nothing is sent to an address that may be suppressed. */
  async #stillWanted(jobs: Job[]): Promise<Job[]> {
    const { workDb, clock } = this.#ground;
    try {
      return await stillWanted(workDb, jobs, clock.now());
    } catch (error) {
      const idle = jobs.filter((job) => !job.undetermined);
      await release(workDb, idle);
      throw error;
    }
  }

  /** Gives back what has not begun of workspaces that are suspended by now: what waits here for its place or its rate must not go out. */
  async #holdBack(): Promise<void> {
    const idle = [...this.#held.values()].filter((entry) => !entry.begun && !entry.gone);
    if (idle.length === 0) return;
    const { workDb } = this.#ground;
    const suspended = await suspendedAmong(workDb, [...new Set(idle.map(({ job }) => job.workspaceId))]);
    const held = idle.filter((entry) => !entry.begun && suspended.has(entry.job.workspaceId));
    for (const entry of held) entry.gone = true;
    const jobs = held.map((entry) => entry.job);
    if (jobs.length > 0) await release(workDb, jobs);
  }

  async #keepLeases(): Promise<void> {
    // What can't be asked is asked again with the next leases.
    await this.#holdBack().catch(() => {});
    const ours = [...this.#held.values()].filter((entry) => !entry.gone);
    if (ours.length === 0) return;
    const asked = performance.now();
    const jobs = ours.map((entry) => entry.job);
    const kept = await renew(this.#ground.workDb, jobs).catch(() => undefined);
    if (!kept) return;
    for (const entry of ours) {
      if (kept.has(entry.job.deliveryId)) entry.until = asked + LEASE_SECONDS * 1_000;
      else entry.gone = true;
    }
  }
}

const isAny = ({ first, bulk }: Kinds): boolean => first || bulk;
