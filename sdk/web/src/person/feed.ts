import type { InteractionResults, Message } from "../shapes.ts";
import type { Calls } from "../service/calls.ts";
import type { Answer, Environment } from "../browser/environment.ts";
import type { Queue } from "../service/queue.ts";

/** The service gives at most this many; with fewer, many cards of the inbox would hide what comes after them. */
const LIMIT = 50;
/** What a displayed message may be by the service, and stay. Anything else is an end: dismissed elsewhere, recalled, expired. */
const STAYS = ["queued", "shown"];

export interface FeedOptions {
  env: Environment;
  calls: Calls;
  queue: Queue;
  personId: string;
  /** Deliveries that are over. One that was dismissed never comes back, whatever an answer from before says. */
  gone: Set<string>;
  changed: (messages: readonly Message[]) => void;
}

/** The messages of one person on one screen. */
export class Feed {
  /** The screen that messages are asked for. */
  screen: string | null = null;
  /** The same array until something changes. */
  messages: readonly Message[] = [];
  readonly #of: FeedOptions;
  #etag: string | undefined;
  #listed: Message[] = [];
  /** Reports of the impressions of what is displayed. */
  #displayed = new Map<string, Record<string, unknown>>();
  /** One for each screen that was gone to: an answer belongs to the visit it was asked in. */
  #visit = {};
  #running: Promise<void> | undefined;
  #again = false;

  constructor(options: FeedOptions) {
    this.#of = options;
  }

  /** Drops everything and asks for another screen from now on. Answers that are still on their way are thrown away. */
  go(screen: string | null): void {
    this.screen = screen;
    this.#visit = {};
    this.#running = undefined;
    this.#etag = undefined;
    this.#listed = [];
    this.#displayed = new Map();
    this.#show([]);
  }

  /** Looks for messages; together with one that is under way, once more after it. Rejects when it could not. */
  sync(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    const mine: Promise<void> = this.#rounds(this.#visit).finally(() => {
      if (this.#running === mine) this.#running = undefined;
    });
    this.#running = mine;
    return mine;
  }

  /** The message became visible, by this report. False where that was said before. */
  display(deliveryId: string, report: Record<string, unknown>): boolean {
    if (this.#displayed.has(deliveryId)) return false;
    this.#displayed.set(deliveryId, report);
    return true;
  }

  /** Takes away what is gone since the last look. */
  refresh(): void {
    this.#show([...this.messages]);
  }

  #show(next: Message[]): void {
    const shown = next.filter(({ delivery_id }) => !this.#of.gone.has(delivery_id));
    // What renders it would do so for nothing.
    if (JSON.stringify(shown) === JSON.stringify(this.messages)) return;
    this.messages = Object.freeze(shown);
    this.#of.changed(this.messages);
  }

  async #rounds(visit: object): Promise<void> {
    do {
      this.#again = false;
      await this.#look(visit);
    } while (this.#again && this.#visit === visit);
  }

  async #look(visit: object): Promise<void> {
    const { queue, gone } = this.#of;
    // An impression that the service has not heard of would bring a one-time message back.
    if (queue.holdsUp()) await queue.flush();
    if (this.#visit !== visit) return;
    const answer = await this.#ask();
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

  #ask(): Promise<Answer> {
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
   * Which of the displayed messages are over, of those that the service no longer lists. It leaves one out also because it
   * was just shown; that one stays. The impression is sent again, with the same event_id: it counts nothing, and its answer
   * says how the delivery stands.
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
      return status && STAYS.includes(status) ? [] : String(delivery_id);
    });
  }
}

/** The service's list with what is displayed and no longer on it, at the place of its priority; older ones come first. */
function merged(list: Message[], displayed: Message[]): Message[] {
  const result = [...list];
  for (const message of displayed.slice().reverse()) {
    if (list.some(({ delivery_id }) => delivery_id === message.delivery_id)) continue;
    const at = result.findIndex(({ priority }) => priority <= message.priority);
    result.splice(at < 0 ? result.length : at, 0, message);
  }
  return result;
}
