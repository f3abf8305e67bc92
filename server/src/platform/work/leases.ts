import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../ids.ts";

/** Leases are renewed three times within their time, so that one failure does no harm. */
const RENEWALS = 3;
/** Between two looks for lost leases. */
const TAKE_BACK_MS = 1_000;

/** The lease of an item that this process holds. */
export interface Lease<Item> {
  readonly item: Item;
  /** Time of performance.now() until which the lease is surely ours. */
  until: number;
  /** Its work has begun: others may have seen it, so that it can't be given back. */
  begun: boolean;
  /** No longer ours: it was given back, or another process may have it. */
  gone: boolean;
}

export interface LeaseOptions<Item> {
  /** How long a row is ours without a sign of life. A dead process's rows come back within it. */
  seconds: number;
  /** Gives items back: due at once, for whoever comes first. */
  release(items: Item[]): Promise<unknown>;
  /** Extends leases. Returns the items that are still ours. Without it, work must end within its first lease. */
  renew?(items: Item[]): Promise<Item[]>;
}

/** The leased rows of one process: claimed, held while they are worked on, renewed, and given back. The slice has the SQL. */
export class Leases<Item> {
  readonly #options: LeaseOptions<Item>;
  readonly #leaseMs: number;
  readonly #held = new Map<Lease<Item>, Promise<void>>();
  /** Leases that nobody holds, and until when they last: their statement may still be carried out when the database wakes. */
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
   * Claims under a new lease. Whether a statement that failed leased anything is not known, so its lease counts as lost. What a claim
   * brings after the stop is given back.
   * @returns the items, and when they were asked for by performance.now()
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

  /** Nobody knows whether anything has this lease, and nobody works on it. */
  lose(leaseId: string): void {
    this.#lost.set(leaseId, performance.now() + this.#leaseMs);
  }

  /**
   * Gives back what lost leases hold, which would wait for their end. It is tried once a second while they last.
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
   * @param since when its lease was asked for, by performance.now()
   * @param work must not reject; it sets `begun` before anybody else can see the item
   */
  hold(item: Item, since: number, work: (lease: Lease<Item>) => Promise<void>): void {
    const lease: Lease<Item> = { item, until: since + this.#leaseMs, begun: false, gone: false };
    this.#held.set(
      lease,
      work(lease).finally(() => this.#held.delete(lease)),
    );
  }

  /** What is held and has not begun. */
  idle(): Lease<Item>[] {
    return [...this.#held.keys()].filter(({ begun, gone }) => !begun && !gone);
  }

  /** Gives back what has not begun of these. */
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

  /** Renews nothing more, gives back what has not begun, and waits for the rest, `graceMs` at the most. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#renewal);
    // What can't be given back now comes back with the end of its lease.
    await this.giveBack(this.idle()).catch(() => {});
    await this.finish(graceMs);
  }

  /** Waits until nothing is worked on, `ms` at the most. */
  async finish(ms: number): Promise<void> {
    const over = new AbortController();
    const late = sleep(ms, undefined, { signal: over.signal }).catch(() => {});
    await Promise.race([Promise.all(this.#held.values()), late]);
    over.abort();
  }
}

/** Whether an item is surely ours for so much longer: a process that slept must not do what another does now. */
export const isOurs = ({ gone, until }: Lease<unknown>, marginMs: number): boolean =>
  !gone && performance.now() < until - marginMs;

/**
 * Writes how an item's work ended. While the database is away the lease can't pass to others either, so it tries on until the lease is over.
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
