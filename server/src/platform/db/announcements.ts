import type { Tx } from "./sql.ts";

/** A kind of thing that is announced in batches of at most some 1,000, inside the transaction that did it. `T` is one of a batch. */
export interface Announced<T> {
  name: string;
  /** Never there: it ties the kind to its type. */
  one?: T;
}

export const announced = <T>(name: string): Announced<T> => ({ name });

/**
 * Takes part in the transaction: what it writes is there if and only if what was announced is there, and where it fails, what was
 * announced fails with it. It must be quick, because a caller waits for it.
 */
export interface InTransaction<T> {
  hears: "in the transaction";
  /** Asked of each one, in memory. It may say yes too often, never no where it does not know. */
  cares(one: T): boolean;
  /** The ones it cares about, in their order; never none. */
  take(tx: Tx, batch: T[]): Promise<void>;
}

/**
 * Works later, from rows that the announcing transaction wrote anyway, such as the log: it has its own place in them, so what it fails at
 * is tried again and fails nothing else. After the commit it is woken by a signal with the workspaces; a lost one delays it until it polls.
 */
export interface ByQueuedRow {
  hears: "by a queued row";
  /** The signal that its loop is woken by. */
  wakes: string;
}

/** A listener with what it listens to. */
export interface Heard {
  to: string;
  // biome-ignore lint/suspicious/noExplicitAny: a list holds listeners to things of every type; `listen` has checked each.
  listener: InTransaction<any> | ByQueuedRow;
}

export const listen = <T>(to: Announced<T>, listener: InTransaction<T> | ByQueuedRow): Heard => ({
  to: to.name,
  listener,
});

/** Who listens to what, in one process. The pools of connections have it, so that whoever has a transaction can announce. */
export class Announcements {
  readonly #takers = new Map<string, InTransaction<unknown>[]>();
  readonly #wakes = new Map<string, string[]>();

  /** The roof calls it once, when there are the things that listeners work with. */
  connect(heard: Heard[]): void {
    for (const { to, listener } of heard) {
      if (listener.hears === "in the transaction") this.#takers.set(to, [...(this.#takers.get(to) ?? []), listener]);
      else this.#wakes.set(to, [...(this.#wakes.get(to) ?? []), listener.wakes]);
    }
  }

  /** Whether somebody takes part in the transactions that announce this. */
  isTaken(to: Announced<unknown>): boolean {
    return this.#takers.has(to.name);
  }

  /** The signals to send after the commit. */
  wakes(to: Announced<unknown>): string[] {
    return this.#wakes.get(to.name) ?? [];
  }

  /** What listeners do in the transaction, or undefined where none cares. The batch is made only where somebody may care. */
  take<T>(tx: Tx, to: Announced<T>, batch: () => T[]): Promise<void> | undefined {
    const takers = this.#takers.get(to.name);
    if (!takers) return undefined;
    const all = batch();
    const wanted = takers
      .map((taker) => ({ taker, mine: all.filter((one) => taker.cares(one)) }))
      .filter(({ mine }) => mine.length > 0);
    if (wanted.length === 0) return undefined;
    return (async () => {
      // One after the other: each sees what the one before it wrote.
      for (const { taker, mine } of wanted) await taker.take(tx, mine);
    })();
  }
}
