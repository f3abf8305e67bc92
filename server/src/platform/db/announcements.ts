import type { Tx } from "./sql.ts";

/** A kind of facts, `T`, that are announced in batches of about 1,000 at most, inside the transaction that writes them. */
export interface Announced<T> {
  name: string;
  /** Never set: it carries the type. */
  one?: T;
}

export const announced = <T>(name: string): Announced<T> => ({ name });

/**
 * A listener that takes part in the transaction: its writes and the announced facts are committed together or not at all, so that its
 * failure fails the caller. It must be quick, because a caller waits for it.
 */
export interface InTransaction<T> {
  hears: "in the transaction";
  /** Decides in memory whether the listener wants a fact. Where it does not know, it returns true. */
  cares(one: T): boolean;
  /** Receives the facts that it cares about, in their order; at least one. It may call `commitBehind` when its last statements are under way. */
  take(tx: Tx, batch: T[]): Promise<void>;
}

/**
 * A listener that works later, from rows that the announcing transaction writes anyway, such as the log. It keeps its own position in
 * them, so that its failures are tried again and fail nothing else. A signal with the workspaces wakes it after the commit; a lost signal
 * delays it until its poll.
 */
export interface ByQueuedRow {
  hears: "by a queued row";
  /** The signal that wakes its loop. */
  wakes: string;
}

/** A listener with the kind of facts that it listens to. */
export interface Heard {
  to: string;
  // biome-ignore lint/suspicious/noExplicitAny: the list holds listeners to facts of every type; `listen` checks each.
  listener: InTransaction<any> | ByQueuedRow;
}

export const listen = <T>(to: Announced<T>, listener: InTransaction<T> | ByQueuedRow): Heard => ({
  to: to.name,
  listener,
});

/** The listeners of one process. The connection pools hold them, so that every transaction can announce. */
export class Announcements {
  readonly #takers = new Map<string, InTransaction<unknown>[]>();
  readonly #wakes = new Map<string, string[]>();

  /** Connects the listeners. The roof calls it once, when the ground that listeners need is complete. */
  connect(heard: Heard[]): void {
    for (const { to, listener } of heard) {
      if (listener.hears === "in the transaction") this.#takers.set(to, [...(this.#takers.get(to) ?? []), listener]);
      // Listeners that follow the same rows share one signal.
      else this.#wakes.set(to, [...new Set([...(this.#wakes.get(to) ?? []), listener.wakes])]);
    }
  }

  /** Whether a listener takes part in transactions that announce this kind, and cares about one of the batch. */
  isTaken<T>(to: Announced<T>, batch: () => T[]): boolean {
    const takers = this.#takers.get(to.name);
    return takers !== undefined && batch().some((one) => takers.some((taker) => taker.cares(one)));
  }

  /** Returns the signals to send after the commit. */
  wakes(to: Announced<unknown>): string[] {
    return this.#wakes.get(to.name) ?? [];
  }

  /**
   * Calls the listeners in the transaction; undefined if none cares. `batch` is called only if there is a listener.
   * @param written which of the batch were written, where they are announced before PostgreSQL has said so
   */
  take<T>(tx: Tx, to: Announced<T>, batch: () => T[], written?: Written<T>): Promise<void> | undefined {
    const takers = this.#takers.get(to.name);
    if (!takers) return undefined;
    const all = batch();
    const wanted = takers
      .map((taker) => ({ taker, mine: all.filter((one) => taker.cares(one)) }))
      .filter(({ mine }) => mine.length > 0);
    if (wanted.length === 0) return undefined;
    return (async () => {
      const isWritten = await written?.();
      const theirs = isWritten
        ? wanted
            .map(({ taker, mine }) => ({ taker, mine: mine.filter(isWritten) }))
            .filter(({ mine }) => mine.length > 0)
        : wanted;
      // One after the other, because each sees the writes of the listener before it. So only the last one may send the commit.
      for (const [i, { taker, mine }] of theirs.entries())
        await taker.take(i + 1 < theirs.length ? { ...tx, commitBehind() {} } : tx, mine);
    })();
  }
}

/** Resolves to which of a batch were written. It is called only if there is a listener. */
export type Written<T> = () => Promise<(one: T) => boolean>;
