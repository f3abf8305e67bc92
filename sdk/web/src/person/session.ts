import type { Message } from "../shapes.ts";
import type { Calls } from "../service/calls.ts";
import type { Environment, Store } from "../browser/environment.ts";
import { Feed } from "./feed.ts";
import { Cards } from "./inbox.ts";
import { Queue } from "../service/queue.ts";
import { keepStream } from "../service/stream.ts";
import { joinTabs, type Tabs } from "../browser/tabs.ts";

/** The first sync waits this long for the stream to open; in a tab that follows another, none ever opens. */
const FIRST_SYNC_MS = 250;

export interface SessionOptions {
  env: Environment;
  calls: Calls;
  store: Store;
  pollSeconds: number;
  /** The prefix of all names of storage entries, locks and channels. */
  scope: string;
  personId: string;
  failed: (error: unknown) => void;
  changed: (messages: readonly Message[]) => void;
  /** Whether anybody has asked for the inbox yet. */
  wantsInbox: () => boolean;
  inboxChanged: () => void;
  /** Another tab logged this person out. */
  loggedOut: () => void;
}

/** Everything that belongs to one person, from login to logout. */
export class Session {
  readonly personId: string;
  readonly queue: Queue;
  readonly feed: Feed;
  readonly cards: Cards;
  readonly #of: SessionOptions;
  readonly #name: string;
  /** Deliveries that have ended on this page. */
  readonly #gone = new Set<string>();
  #tabs: Tabs | undefined;
  #stream: ReturnType<typeof keepStream> | undefined;
  #cancelPoll = () => {};
  #synced = false;
  #ended = false;

  constructor(options: SessionOptions) {
    const { env, calls, store, scope, personId, failed } = options;
    this.#of = options;
    this.personId = personId;
    this.#name = `${scope}${encodeURIComponent(personId)}:`;
    const prefix = `${this.#name}q:`;
    this.queue = new Queue({ env, calls, store, personId, failed, prefix, sent: () => this.#tabs?.tell("sync") });
    for (const { type, delivery_id } of this.queue.waiting("interactions"))
      if (type === "dismiss") this.#gone.add(String(delivery_id));
    const shared = { env, calls, queue: this.queue, personId, gone: this.#gone };
    this.feed = new Feed({ ...shared, changed: (messages) => !this.#ended && options.changed(messages) });
    this.cards = new Cards({ ...shared, changed: () => !this.#ended && options.inboxChanged() });
  }

  async sync(): Promise<void> {
    if (this.#ended) return;
    this.#synced = true;
    this.#cancelPoll();
    try {
      await Promise.all([this.feed.sync(), this.#of.wantsInbox() && this.cards.load()]);
    } catch (error) {
      this.#of.failed(error);
    }
    this.#poll();
  }

  /** Goes to another screen. */
  go(screen: string | null): void {
    this.feed.go(screen);
    // Before the first sync nothing is needed: the stream is being opened, and that sync follows it.
    if (this.#synced) void this.sync();
  }

  /** Removes a message for ever. */
  remove(deliveryId: string): void {
    this.#gone.add(deliveryId);
    this.feed.refresh();
    this.cards.refresh();
  }

  /** Joins the other tabs, then syncs and polls. */
  begin(): void {
    if (this.#tabs || this.#ended) return;
    const { env, calls, loggedOut } = this.#of;
    this.#tabs = joinTabs(
      env,
      `${this.#name}stream`,
      (hint) => {
        this.#stream = keepStream(env, calls, this.personId, hint);
        return this.#stream.close;
      },
      (word) => void (word === "logout" ? loggedOut() : this.sync()),
    );
    this.#poll(FIRST_SYNC_MS);
    void this.queue.flush();
  }

  /** Called when the person is back or the device is online again: sends the waiting reports and syncs. */
  wake(): void {
    if (!this.#tabs) return;
    this.#stream?.nudge();
    void this.queue.flush();
    void this.sync();
  }

  /** Leaves the shared stream of the tabs; waiting reports stay. */
  pause(): void {
    this.#cancelPoll();
    this.#tabs?.close();
    this.#tabs = undefined;
    this.#stream = undefined;
  }

  /** Ends the session for good. `forget` also removes it from storage and from the other tabs. */
  end(forget: boolean): void {
    const { store, scope } = this.#of;
    this.#ended = true;
    if (forget) {
      this.#tabs?.tell("logout");
      for (const key of store.keys()) if (key.startsWith(scope)) store.remove(key);
    }
    this.pause();
    this.queue.close();
  }

  #poll(ms?: number): void {
    const { env, pollSeconds } = this.#of;
    this.#cancelPoll();
    if (!this.#tabs) return;
    const wait = ms ?? pollSeconds * 1_000 * (0.8 + env.random() * 0.4);
    // Nobody sees a hidden tab; it syncs when it is visible again.
    this.#cancelPoll = env.later(() => (env.visible() ? void this.sync() : this.#poll()), wait);
  }
}
