import { type Calls, TidingsError } from "./calls.ts";
import type { Environment, Store } from "../browser/environment.ts";
import type { BatchResult, InteractionResults } from "../shapes.ts";

/** A report that waits to be sent. `to` names its route; neighbours with the same route travel in one call. */
export interface Entry {
  to: "interactions" | "batch" | "read" | "unread";
  item: Record<string, unknown>;
}

/** An entry under its key in storage. */
interface Kept {
  key: string;
  entry: Entry;
  bytes: number;
}

/** The service takes this many interactions at once. */
const MOST_AT_ONCE = 100;
/** Browsers refuse `keepalive` beyond 64 KiB for all calls under way together. */
const MOST_BYTES = 28_000;
/** A device that is offline for weeks must not fill the storage of the application's page. */
const MOST_KEPT = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Another tab may be frozen while it holds the lock. Sending without the lock is safe, because a repeated event id counts once. */
const LOCK_MS = 2_000;

const mostAtOnce = (to: Entry["to"] | undefined): number =>
  to === "interactions" || to === "batch" ? MOST_AT_ONCE : 1;

export interface QueueOptions {
  env: Environment;
  calls: Calls;
  store: Store;
  /** The prefix of this person's entries in storage. */
  prefix: string;
  personId: string;
  failed: (error: unknown) => void;
  /** Called when interactions were answered: messages that other tabs show may have ended. */
  sent: () => void;
}

/**
 * Keeps the reports of the application, in order, until the service has answered them. Each entry has its own key in storage:
 * tabs share that storage without a lock, and one list under one key would lose entries that two tabs write at once. A repeat
 * (after a reload, from two tabs) carries the same `event_id` and counts once.
 */
export class Queue {
  readonly #of: QueueOptions;
  readonly #onTheWay = new Set<string>();
  #flushing: Promise<void> | undefined;
  #cancelRetry: (() => void) | undefined;
  #failures = 0;
  #last = 0;
  #closed = false;

  constructor(options: QueueOptions) {
    this.#of = options;
  }

  /** Adds an entry and sends it soon. */
  add(entry: Entry): void {
    const { env, store, prefix, failed } = this.#of;
    const text = JSON.stringify(entry);
    const kept = this.#keys();
    // The clock may have been set back since the last entry, here or before a reload.
    const before = Number.parseInt(kept.at(-1)?.slice(prefix.length) ?? "0", 36) || 0;
    this.#last = Math.max(env.now(), this.#last + 1, before + 1);
    store.set(`${prefix}${this.#last.toString(36).padStart(10, "0")}.${env.uuid().slice(0, 8)}`, text);
    const over = kept[MOST_KEPT - 1] && kept[0];
    if (over) {
      store.remove(over);
      failed(new TidingsError(`More than ${MOST_KEPT} entries wait: the oldest was dropped.`, 0, "queue_full"));
    }
    // Entries that are added in the same turn travel in one call.
    env.later(() => void this.flush(), 0);
  }

  /** Whether an entry waits that changes what a sync returns. */
  holdsUp(): boolean {
    return this.#read().some(({ entry }) => entry.to !== "batch");
  }

  /** Returns the items that wait for this route, in order. */
  waiting(to: Entry["to"]): Record<string, unknown>[] {
    return this.#read().flatMap(({ entry }) => (entry.to === to ? [entry.item] : []));
  }

  /** Sends the waiting entries. Resolves when all are sent or one could not be sent; never rejects. */
  flush(): Promise<void> {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    if (this.#keys().length === 0) return this.#flushing ?? Promise.resolve();
    this.#flushing ??= this.#run().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  /** Called when the page is left: hands the entries that are not under way to the browser, which sends them without the page. */
  farewell(): void {
    let rest = this.#read().filter(({ key }) => !this.#onTheWay.has(key));
    for (let group = head(rest); group.length > 0; group = head(rest)) {
      rest = rest.slice(group.length);
      this.#send(group, true).catch(this.#of.failed);
    }
  }

  close(): void {
    this.#closed = true;
    this.#cancelRetry?.();
  }

  #keys(): string[] {
    const { store, prefix } = this.#of;
    const mine = store.keys().filter((key) => key.startsWith(prefix));
    return mine.sort();
  }

  #read(): Kept[] {
    const { store } = this.#of;
    return this.#keys().flatMap((key) => {
      const text = store.get(key);
      try {
        if (text) return { key, entry: JSON.parse(text) as Entry, bytes: bytesOf(text) };
      } catch {
        store.remove(key);
      }
      return [];
    });
  }

  async #run(): Promise<void> {
    const { env, failed } = this.#of;
    const release = await this.#locked().catch(() => () => {});
    try {
      for (let kept = this.#read(); kept.length > 0 && !this.#closed; kept = this.#read())
        await this.#send(head(kept), this.#failures === 0);
      this.#failures = 0;
    } catch (error) {
      failed(error);
      const wait = Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** this.#failures++) * (0.5 + env.random() / 2);
      if (!this.#closed) this.#cancelRetry ??= env.later(() => void this.flush(), wait);
    } finally {
      release();
    }
  }

  /** Lets one tab send at a time: an old identify from a slow tab must not overwrite a newer one. */
  #locked(): Promise<() => void> {
    const { env, prefix } = this.#of;
    return new Promise((resolve) => {
      if (!env.lock) return resolve(() => {});
      let cancel = () => {};
      const release = env.lock(`${prefix}flush`, () => {
        cancel();
        // The lock may be granted before env.lock has returned `release`.
        resolve(() => release());
      });
      cancel = env.later(() => resolve(release), LOCK_MS);
    });
  }

  /**
   * Sends one call and removes the entries that the service answered. It uses `keepalive`, because a click may leave the page;
   * browsers may refuse that, so a repeat after a failure goes without. @throws where the call should be tried again
   */
  async #send(group: Kept[], keepalive: boolean): Promise<void> {
    const { store, failed, sent } = this.#of;
    for (const { key } of group) this.#onTheWay.add(key);
    try {
      await this.#call(group, keepalive);
    } catch (error) {
      const { status = 0 } = error as TidingsError;
      if (status < 400 || status >= 500 || [401, 408, 429].includes(status)) throw error;
      // The service would refuse it each time, so it is not sent again.
      failed(error);
    } finally {
      for (const { key } of group) this.#onTheWay.delete(key);
    }
    for (const { key } of group) store.remove(key);
    if (group[0]?.entry.to !== "batch") sent();
  }

  async #call(group: Kept[], keepalive: boolean): Promise<void> {
    const { calls, personId: person_id, failed } = this.#of;
    const { to, item } = (group[0] as Kept).entry;
    const items = group.map(({ entry }) => entry.item);
    const [path, body] =
      to === "batch"
        ? [to, { items }]
        : to === "interactions"
          ? [`in-app/messages/${to}`, { person_id, items }]
          : [`in-app/messages/${item.delivery_id}/${to}`, { person_id }];
    const answer = await calls.send({ method: "POST", path, body: JSON.stringify(body), keepalive });
    const { results = [] } = JSON.parse(await answer.text()) as Partial<InteractionResults | BatchResult>;
    // The login page of a public network answers 200 to everything.
    if (mostAtOnce(to) > 1 && results.length !== items.length)
      throw new TidingsError("The answer did not come from the service.", 0, "network");
    for (const { code, status } of results)
      if (code) failed(new TidingsError(`The service did not take an entry: ${code}`, Number(status) || 0, code));
  }
}

/** Bytes of a text of JSON in UTF-8: a letter outside of ASCII takes up to three. */
const bytesOf = (text: string): number => text.length + 2 * (text.match(/[^ -~]/g)?.length ?? 0);

/** Returns the first entries that can travel in one call. */
function head(kept: Kept[]): Kept[] {
  const first = kept[0]?.entry.to;
  let bytes = 0;
  const end = kept.findIndex((one, at) => {
    bytes += one.bytes;
    return one.entry.to !== first || at >= mostAtOnce(first) || (bytes > MOST_BYTES && at > 0);
  });
  return end < 0 ? kept : kept.slice(0, end);
}
