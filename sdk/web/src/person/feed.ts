import type { InteractionResults, Message } from "../shapes.ts";
import type { Calls } from "../service/calls.ts";
import type { Answer, Environment } from "../browser/environment.ts";
import type { Queue } from "../service/queue.ts";

/** The most that the service returns; with a lower limit, many inbox cards would push out the messages after them. */
const LIMIT = 50;
/** A displayed message stays while its delivery has one of these states. Any other is an end: dismissed elsewhere, recalled, expired. */
const LIVE_STATES = ["queued", "shown"];

export interface FeedOptions {
  env: Environment;
  calls: Calls;
  queue: Queue;
  personId: string;
  /** Deliveries that have ended. A dismissed one never comes back, even if an older answer still lists it. */
  gone: Set<string>;
  changed: (messages: readonly Message[]) => void;
}

/** The messages of one person on one screen. */
export class Feed {
  /** The screen that messages are asked for. */
  screen: string | null = null;
  /** It stays the same array until something changes. */
  messages: readonly Message[] = [];
  readonly #of: FeedOptions;
  #etag: string | undefined;
  #listed: Message[] = [];
  /** The impression reports of the displayed messages, by delivery id. */
  #displayed = new Map<string, Record<string, unknown>>();
  /** A new object for each visit of a screen: an answer is used only in the visit that asked for it. */
  #visit = {};
  #running: Promise<void> | undefined;
  #repeat = false;

  constructor(options: FeedOptions) {
    this.#of = options;
  }

  /** Drops everything and asks for another screen from now on. Answers to earlier requests are thrown away. */
  go(screen: string | null): void {
    this.screen = screen;
    this.#visit = {};
    this.#running = undefined;
    this.#etag = undefined;
    this.#listed = [];
    this.#displayed = new Map();
    this.#show([]);
  }

  /** Syncs. While a sync runs, a further call makes it sync once more. Rejects when the service can't be reached. */
  sync(): Promise<void> {
    if (this.#running) {
      this.#repeat = true;
      return this.#running;
    }
    const mine: Promise<void> = this.#rounds(this.#visit).finally(() => {
      if (this.#running === mine) this.#running = undefined;
    });
    this.#running = mine;
    return mine;
  }

  /** Notes that the message became visible, with its report. Returns false where that was reported before. */
  display(deliveryId: string, report: Record<string, unknown>): boolean {
    if (this.#displayed.has(deliveryId)) return false;
    this.#displayed.set(deliveryId, report);
    return true;
  }

  /** Removes the messages whose deliveries have ended. */
  refresh(): void {
    this.#show([...this.messages]);
  }

  #show(next: Message[]): void {
    const shown = next.filter(({ delivery_id }) => !this.#of.gone.has(delivery_id));
    // An equal list must not make the page render again.
    if (JSON.stringify(shown) === JSON.stringify(this.messages)) return;
    this.messages = Object.freeze(shown);
    this.#of.changed(this.messages);
  }

  async #rounds(visit: object): Promise<void> {
    do {
      this.#repeat = false;
      await this.#syncOnce(visit);
    } while (this.#repeat && this.#visit === visit);
  }

  async #syncOnce(visit: object): Promise<void> {
    const { queue, gone } = this.#of;
    // Reports go first: the service would list a one-time message again whose impression it does not have yet.
    if (queue.holdsUp()) await queue.flush();
    if (this.#visit !== visit) return;
    const answer = await this.#request();
    const same = answer.status === 304;
    const list = same ? this.#listed : (JSON.parse(await answer.text()) as Message[]);
    if (this.#visit !== visit) return;
    const ended = await this.#endedOf(list);
    if (this.#visit !== visit) return;
    for (const id of ended) gone.add(id);
    if (!same) this.#etag = answer.headers.get("etag") ?? undefined;
    this.#listed = list;
    const displayed = this.messages.filter(({ delivery_id }) => this.#displayed.has(delivery_id));
    this.#show(merged(list, displayed));
  }

  #request(): Promise<Answer> {
    const { env, calls, personId } = this.#of;
    return calls.send({
      path: "in-app/messages/sync",
      query: {
        person_id: personId,
        screen: this.screen ?? undefined,
        timezone: env.zone(),
        tz_offset_minutes: env.offset(),
        limit: LIMIT,
      },
      ...(this.#etag && { headers: { "if-none-match": this.#etag } }),
    });
  }

  /**
   * Returns the displayed messages that have ended. The service also stops listing a message because it was just shown, and
   * that one must stay. So the impression is sent again with the same event_id: it is not counted, and its answer has the
   * state of the delivery.
   */
  async #endedOf(list: Message[]): Promise<string[]> {
    const { calls, personId } = this.#of;
    const ids = new Set(list.map(({ delivery_id }) => delivery_id));
    const items = this.messages.flatMap(({ delivery_id: id }) => {
      const report = this.#displayed.get(id);
      return report && !ids.has(id) ? [report] : [];
    });
    if (items.length === 0) return [];
    const body = JSON.stringify({ person_id: personId, items });
    const answer = await calls.send({ method: "POST", path: "in-app/messages/interactions", body });
    const { results } = JSON.parse(await answer.text()) as InteractionResults;
    return items.flatMap(({ event_id, delivery_id }) => {
      const status = results.find((result) => result.event_id === event_id)?.status;
      return status && LIVE_STATES.includes(status) ? [] : String(delivery_id);
    });
  }
}

/** Adds the displayed messages that the service no longer lists to its list, by priority; of equal ones the displayed comes first. */
function merged(list: Message[], displayed: Message[]): Message[] {
  const result = [...list];
  for (const message of displayed.slice().reverse()) {
    if (list.some(({ delivery_id }) => delivery_id === message.delivery_id)) continue;
    const at = result.findIndex(({ priority }) => priority <= message.priority);
    result.splice(at < 0 ? result.length : at, 0, message);
  }
  return result;
}
