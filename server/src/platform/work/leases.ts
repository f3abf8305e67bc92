import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../ids.ts";

/** Each lease is renewed three times within its time, so that one failed renewal does no harm. */
const RENEWALS = 3;
/** The time between two attempts to take lost leases back. */
const TAKE_BACK_MS = 1_000;

/** The lease of an item that this process holds. */
export interface Lease<Item> {
  readonly item: Item;
  /** The lease is surely ours until this time (of performance.now()). */
  until: number;
  /** Its work has begun: others may have seen an effect, so that it can't be given back. */
  begun: boolean;
  /** The lease is no longer ours: it was given back, or another process may have it. */
  gone: boolean;
}

export interface LeaseOptions<Item> {
  /** How long a lease lasts without a renewal. The rows of a dead process become free within this time. */
  seconds: number;
  /** Gives items back: they are due at once, and any process may claim them. */
  release(items: Item[]): Promise<unknown>;
  /** Extends leases. Returns the items that are still ours. Without it, work must end within its first lease. */
  renew?(items: Item[]): Promise<Item[]>;
}

/** The leased rows of one process: it claims them, holds and renews them during the work, and gives them back. The SQL is in the slice. */
export class Leases<Item> {
  readonly #options: LeaseOptions<Item>;
  readonly #leaseMs: number;
  readonly #held = new Map<Lease<Item>, Promise<void>>();
  /** Lost leases and when they end: a claim that failed here may still be carried out when the database answers again. */
  readonly #lost = new Map<string, number>();
  #takenBack = Number.NEGATIVE_INFINITY;
  readonly #renewal: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: LeaseOptions<Item>) {
    this.#options = options;
    this.#leaseMs = options.seconds * 1_000;
    if (options.renew) this.#renewal = setInterval(() => void this.#renew().catch(() => {}), this.#leaseMs / RENEWALS);
  }

  /**
   * Claims items with a new lease. If the statement fails, it may have leased rows anyway, so its lease counts as lost. Items that arrive
   * after the stop are given back.
   * @returns the items, and when the claim began (performance.now())
   */
  async claim(claim: (leaseId: string) => Promise<Item[]>): Promise<{ items: Item[]; since: number }> {
    const since = performance.now();
    const leaseId = newId();
    let items: Item[];
    try {
      items = await claim(leaseId);
    } catch (error) {
      this.lose(leaseId);
      throw error;
    }
    if (!this.#stopped) return { items, since };
    if (items.length > 0) await this.#options.release(items);
    return { items: [], since };
  }

  /** Notes a lease that rows may have and that nobody works on. */
  lose(leaseId: string): void {
    this.#lost.set(leaseId, performance.now() + this.#leaseMs);
  }

  /**
   * Releases the rows of lost leases, which would otherwise wait until the leases end. It is tried once a second until then.
   * @param statement releases the rows of these leases
   */
  async takeBack(statement: (leaseIds: string[]) => Promise<unknown>): Promise<void> {
    const now = performance.now();
    if (this.#lost.size === 0 || now - this.#takenBack < TAKE_BACK_MS) return;
    this.#takenBack = now;
    for (const [leaseId, until] of this.#lost) if (now > until) this.#lost.delete(leaseId);
    if (this.#lost.size > 0) await statement([...this.#lost.keys()]);
  }

  /**
   * Holds an item until `work` has ended.
   * @param since when the claim of its lease began (performance.now())
   * @param work must not reject; it sets `begun` before anybody else can see the item
   */
  hold(item: Item, since: number, work: (lease: Lease<Item>) => Promise<void>): void {
    const lease: Lease<Item> = { item, until: since + this.#leaseMs, begun: false, gone: false };
    this.#held.set(
      lease,
      work(lease).finally(() => this.#held.delete(lease)),
    );
  }

  /** Returns the held leases whose work has not begun. */
  idle(): Lease<Item>[] {
    return [...this.#held.keys()].filter(({ begun, gone }) => !begun && !gone);
  }

  /** Gives back those of these leases whose work has not begun. */
  async giveBack(list: Lease<Item>[]): Promise<void> {
    const idle = list.filter(({ begun, gone }) => !begun && !gone);
    for (const lease of idle) lease.gone = true;
    if (idle.length > 0) await this.#options.release(idle.map(({ item }) => item));
  }

  async #renew(): Promise<void> {
    const ours = [...this.#held.keys()].filter(({ gone }) => !gone);
    if (ours.length === 0) return;
    const asked = performance.now();
    const kept = new Set(await this.#options.renew?.(ours.map(({ item }) => item)));
    for (const lease of ours) {
      if (kept.has(lease.item)) lease.until = asked + this.#leaseMs;
      else lease.gone = true;
    }
  }

  /** Stops renewing, gives back the items whose work has not begun, and waits for the others, at most `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#renewal);
    // Items that can't be given back now become free when their lease ends.
    await this.giveBack(this.idle()).catch(() => {});
    await this.finish(graceMs);
  }

  /** Waits until all work has ended, at most `ms`. */
  async finish(ms: number): Promise<void> {
    const over = new AbortController();
    const late = sleep(ms, undefined, { signal: over.signal }).catch(() => {});
    await Promise.race([Promise.all(this.#held.values()), late]);
    over.abort();
  }
}

/** Returns whether an item is surely ours for `marginMs` more: a process that slept must not do work that another process does now. */
export const isOurs = ({ gone, until }: Lease<unknown>, marginMs: number): boolean =>
  !gone && performance.now() < until - marginMs;

/**
 * Writes how an item's work ended. While the database is unreachable no other process can claim the item either, so the write is repeated until the lease ends.
 * @throws the last error
 */
export async function writeEnd<T>(lease: Lease<unknown>, write: () => Promise<T>): Promise<T> {
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    try {
      return await write();
    } catch (error) {
      if (!isOurs(lease, 0)) throw error;
      await sleep(wait);
    }
  }
}
