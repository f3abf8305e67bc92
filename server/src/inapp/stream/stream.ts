import type { ServerResponse } from "node:http";
import { encodeId } from "../../platform/ids.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Places } from "../../platform/places.ts";
import type { Buckets } from "../../platform/signals/index.ts";
import type { Clock } from "../../platform/time/clock.ts";

/** What is in a stream's way to its reader at the most, in this process; the system's own buffer comes on top. */
const MOST_WAITING_BYTES = 64 * 1024;
/** 50 readers that stalled held 100 MB before they were cut. */
const STALLED_MS = 10_000;
const HEARTBEAT_S = 20;
/** Streams end by themselves at a random age, so that after a deploy the reconnects do not stay in step for ever. */
const LIFETIME_MS = { least: 50 * 60_000, spread: 20 * 60_000 };
/** Of one person: tabs share one, so these are ten browsers and applications. Another closes the oldest. */
const MOST_OF_PERSON = 10;
const QUIET_MS = 250;
const LAST_WORDS_MS = 1_000;

/** One open stream: as little as possible, and nothing of the request that opened it. */
interface Seat {
  response: ServerResponse;
  personKey: string;
  keyId: string;
  /** Where a person token opened it. */
  token: StreamToken | undefined;
  endsAt: number;
  /** The second of the twenty in which it gets its heartbeat: 5,000 at once would hold the event loop for 50 ms. */
  beat: number;
  /** Since when bytes have been waiting; 0 while none do. */
  waitingSince: number;
}

/** The person token that opened a stream, which lives no longer. */
export interface StreamToken {
  /** What it was signed with, as liveSigners names it. */
  signer: string;
  /** In ms since 1970. */
  expires: number;
}

/** Who opens a stream, and by what right. */
export interface Opener {
  personKey: string;
  keyId: string;
  token?: StreamToken | undefined;
}

const SEAT = Symbol("seat");
type Seated = ServerResponse & { [SEAT]?: { seat: Seat; streams: Streams } };

/** One listener for all streams: a closure for each would keep its request alive. */
function onClose(this: Seated): void {
  const seated = this[SEAT];
  seated?.streams.leave(seated.seat);
}

export interface StreamOptions {
  clock: Clock;
  metrics: Metrics;
  places: Pick<Places, "streams" | "streamsOfKey">;
  /** Kept to the people who are here, so that the node hears of them and of few others. */
  people?: Buckets;
  /** Tests make it 0 to fill a reader's buffers. */
  quietMs?: number;
}

const retry = (least: number, spread: number): string => `retry: ${least + Math.floor(Math.random() * spread)}\n\n`;

/** The open streams of one process: one timer and one map for all. A stream is a hint; the table is the truth. */
export class Streams {
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  readonly #places: StreamOptions["places"];
  readonly #quietMs: number;
  readonly #people: Buckets | undefined;
  readonly #seats = new Map<string, Set<Seat>>();
  /** How many each key has open. */
  readonly #ofKey = new Map<string, number>();
  /** People who were told less than 250 ms ago, the longest ago first, and the newest delivery they have not heard of. */
  readonly #told = new Map<string, { until: number; next: string | undefined }>();
  readonly #ticker = setInterval(() => this.#tick(), 1_000).unref();
  #sweeper: NodeJS.Timeout | undefined;
  #size = 0;
  #second = 0;
  #stopping = false;

  constructor({ clock, metrics, places, people, quietMs = QUIET_MS }: StreamOptions) {
    this.#places = places;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#people = people;
    this.#quietMs = quietMs;
  }

  /** Takes the response over. Ends it at once, with a hint when to come again, where the node or the key is full, or the node stops. */
  open(response: ServerResponse, headers: Record<string, string>, { personKey, keyId, token }: Opener): void {
    response.writeHead(200, {
      ...headers,
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    response.write(": connected\n\n");
    const endsAt = performance.now() + LIFETIME_MS.least + Math.random() * LIFETIME_MS.spread;
    const seat: Seat = { response, personKey, keyId, token, endsAt, beat: this.#second, waitingSince: 0 };
    // A native EventSource gives up for ever on an error status: "later" must look like a stream that ended.
    if (this.#stopping || this.#isFull(keyId)) {
      this.#finish(seat);
      return;
    }
    response.write(retry(1_000, 4_000));
    (response as Seated)[SEAT] = { seat, streams: this };
    response.on("close", onClose);
    const mine = this.#seats.get(personKey);
    if (mine) {
      mine.add(seat);
    } else {
      this.#seats.set(personKey, new Set([seat]));
      this.#people?.add(personKey);
    }
    this.#ofKey.set(keyId, this.#openOf(keyId) + 1);
    this.#metrics.streams.set(++this.#size);
    const [oldest] = mine ?? [];
    if (mine && oldest && mine.size > MOST_OF_PERSON) this.#finish(oldest);
  }

  #openOf(keyId: string): number {
    return this.#ofKey.get(keyId) ?? 0;
  }

  #isFull(keyId: string): boolean {
    return this.#size >= this.#places.streams || this.#openOf(keyId) >= this.#places.streamsOfKey;
  }

  /** Tells the streams of these people, "person_key:delivery_id" each. */
  tell(items: string[]): void {
    if (this.#size === 0) return;
    const now = performance.now();
    for (const item of items) {
      const personKey = item.slice(0, 36);
      if (!this.#seats.has(personKey)) continue;
      const recent = this.#told.get(personKey);
      if (recent) recent.next = item.slice(37);
      else this.#say(personKey, item.slice(37), now);
    }
  }

  /** The keys that opened what is open now, and what their person tokens were signed with. */
  rights(): { keys: string[]; signers: string[] } {
    const signers = new Set<string>();
    for (const mine of this.#seats.values()) for (const { token } of mine) if (token) signers.add(token.signer);
    return { keys: [...this.#ofKey.keys()], signers: [...signers] };
  }

  /** Ends the streams of those keys and signers that give no right any more. */
  endThoseOf(gone: Set<string>): void {
    if (gone.size === 0) return;
    for (const mine of this.#seats.values())
      for (const seat of mine)
        if (gone.has(seat.keyId) || (seat.token && gone.has(seat.token.signer))) this.#finish(seat);
  }

  /** Ends all of them with a hint when to come again, and every later one too. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#ticker);
    clearTimeout(this.#sweeper);
    const all = [...this.#seats.values()].flatMap((mine) => [...mine]);
    const closed = all.map((seat) => new Promise((resolve) => seat.response.once("close", resolve)));
    for (const seat of all) this.#finish(seat);
    await Promise.all(closed);
  }

  /** Forgets a stream whose connection is gone. */
  leave(seat: Seat): void {
    const mine = this.#seats.get(seat.personKey);
    if (!mine?.delete(seat)) return;
    if (mine.size === 0) {
      this.#seats.delete(seat.personKey);
      this.#people?.remove(seat.personKey);
    }
    const left = this.#openOf(seat.keyId) - 1;
    if (left > 0) this.#ofKey.set(seat.keyId, left);
    else this.#ofKey.delete(seat.keyId);
    this.#metrics.streams.set(--this.#size);
  }

  /** Once a second: heartbeats of a twentieth of the streams, readers that stall, lives and tokens that are over. */
  #tick(): void {
    this.#second = (this.#second + 1) % HEARTBEAT_S;
    const now = performance.now();
    const date = this.#clock.now().getTime();
    for (const mine of this.#seats.values()) for (const seat of mine) this.#look(seat, now, date);
  }

  #look(seat: Seat, now: number, date: number): void {
    if (seat.response.writableLength === 0) seat.waitingSince = 0;
    else if (seat.waitingSince === 0) seat.waitingSince = now;
    if (seat.waitingSince !== 0 && now - seat.waitingSince > STALLED_MS) this.#cut(seat);
    else if (now > seat.endsAt || (seat.token && date >= seat.token.expires)) this.#finish(seat);
    else if (seat.beat === this.#second) this.#write(seat, ": hb\n\n");
  }

  #say(personKey: string, deliveryId: string, now: number): void {
    const mine = this.#seats.get(personKey);
    if (!mine) return;
    const text = `event: sync\ndata: {"delivery_id":"${encodeId("dlv", deliveryId)}","ts":"${this.#clock.now().toISOString()}"}\n\n`;
    for (const seat of mine) this.#write(seat, text);
    if (this.#quietMs === 0) return;
    this.#told.set(personKey, { until: now + this.#quietMs, next: undefined });
    this.#sweeper ??= setTimeout(() => this.#sweep(), this.#quietMs);
  }

  /** The trailing one: who was told less than 250 ms ago hears of the newest delivery when that time is over. */
  #sweep(): void {
    this.#sweeper = undefined;
    const now = performance.now();
    for (const [personKey, { until, next }] of this.#told) {
      if (until > now) {
        this.#sweeper ??= setTimeout(() => this.#sweep(), until - now);
        break;
      }
      this.#told.delete(personKey);
      if (next !== undefined) this.#say(personKey, next, now);
    }
  }

  #write(seat: Seat, text: string): void {
    seat.response.write(text);
    if (seat.response.writableLength > MOST_WAITING_BYTES) this.#cut(seat);
  }

  #cut(seat: Seat): void {
    this.#metrics.streamsCut.inc();
    this.leave(seat);
    seat.response.destroy();
  }

  #finish(seat: Seat): void {
    this.leave(seat);
    const { response } = seat;
    const { socket } = response;
    // A reader that takes nothing would never hear the last words, and keep its connection for ever.
    const late = setTimeout(() => response.destroy(), LAST_WORDS_MS);
    response.once("close", () => clearTimeout(late));
    // Without this the connection would stay for the keep-alive time and hold a shutdown up.
    response.end(retry(1_000, 9_000), () => socket?.destroySoon());
  }
}
