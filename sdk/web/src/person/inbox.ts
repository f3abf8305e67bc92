import type { FeedOptions } from "./feed.ts";
import type { InboxItem, InboxPage } from "../shapes.ts";

const PAGE = 20;
/** The most cards that the service returns at once. */
const LARGEST_PAGE = 50;

type CardsOptions = Omit<FeedOptions, "env" | "changed"> & { changed: () => void };

/** The cards of one person. A change made here shows at once; a request that was under way then is repeated. */
export class Cards {
  items: readonly InboxItem[] = [];
  unreadCount = 0;
  hasMore = false;
  readonly #of: CardsOptions;
  #cursor: string | null = null;
  /** Requests run one after the other: an answer from before `more` would remove the page that `more` added. */
  #turn: Promise<unknown> = Promise.resolve();
  /** A load that has not begun yet: callers that arrive meanwhile get its result. */
  #next: Promise<void> | undefined;
  /** Counts the changes made here: an answer to a request from before a change does not contain it. */
  #changes = 0;

  constructor(options: CardsOptions) {
    this.#of = options;
  }

  /** Loads the newest cards, as many as are loaded already: a new card must not shorten a list that somebody reads. */
  load(): Promise<void> {
    this.#next ??= this.#inTurn(async () => {
      this.#next = undefined;
      const wanted = this.items.length;
      const all: InboxItem[] = [];
      let page: InboxPage | undefined;
      do {
        const limit = Math.min(LARGEST_PAGE, Math.max(PAGE, wanted - all.length));
        page = await this.#request(limit, page?.next_cursor);
        all.push(...page.data);
      } while (page.next_cursor && page.data.length > 0 && all.length < wanted);
      return { ...page, data: all };
    });
    return this.#next;
  }

  more(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#cursor) return undefined;
      const page = await this.#request(PAGE, this.#cursor);
      return { ...page, data: [...this.items, ...page.data] };
    });
  }

  /** Marks a card at once, here and in the queue. */
  mark(deliveryId: string, as: "read" | "unread", now: number): void {
    const item = this.items.find(({ delivery_id }) => delivery_id === deliveryId);
    this.#of.queue.add({ to: as, item: { delivery_id: deliveryId } });
    if (!item || (item.read_at !== null) === (as === "read")) return;
    this.#changes++;
    const read_at = as === "read" ? new Date(now).toISOString() : null;
    const next = this.items.map((one) => (one === item ? { ...one, read_at } : one));
    this.#show(next, this.unreadCount + (as === "read" ? -1 : 1));
  }

  /** Removes the cards whose deliveries have ended. */
  refresh(): void {
    this.#changes++;
    this.#show([...this.items], this.unreadCount);
  }

  #inTurn(request: () => Promise<InboxPage | undefined>): Promise<void> {
    const mine = this.#turn.then(() => this.#take(request));
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** Repeats the request until no change was made here while it ran. */
  async #take(request: () => Promise<InboxPage | undefined>): Promise<void> {
    const { queue } = this.#of;
    for (;;) {
      if (queue.holdsUp()) await queue.flush();
      const before = this.#changes;
      const page = await request();
      if (!page) return;
      if (before !== this.#changes) continue;
      this.#cursor = page.next_cursor;
      // A new card pushes another one onto the next page, so that it would be here twice.
      const once = new Map(page.data.map((item) => [item.delivery_id, item]));
      return this.#show([...once.values()], page.unread_count);
    }
  }

  #show(all: InboxItem[], unread: number): void {
    const next = all.filter(({ delivery_id }) => !this.#of.gone.has(delivery_id));
    const count = Math.max(0, unread - all.filter((item) => item.read_at === null && !next.includes(item)).length);
    const hasMore = this.#cursor !== null;
    const same = JSON.stringify(next) === JSON.stringify(this.items);
    if (same && count === this.unreadCount && hasMore === this.hasMore) return;
    if (!same) this.items = Object.freeze(next);
    this.unreadCount = count;
    this.hasMore = hasMore;
    this.#of.changed();
  }

  async #request(limit: number, cursor: string | null | undefined): Promise<InboxPage> {
    const { calls, personId } = this.#of;
    const query = { person_id: personId, limit, cursor: cursor ?? undefined };
    const answer = await calls.send({ path: "in-app/inbox", query });
    return JSON.parse(await answer.text()) as InboxPage;
  }
}
