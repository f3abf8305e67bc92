import type { ServerResponse } from "node:http";
import { encodeId } from "../../platform/ids.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Places } from "../../platform/places.ts";
import type { Buckets } from "../../platform/signals/index.ts";
import type { Clock } from "../../platform/time/clock.ts";

/** The most bytes of one stream that wait in this process for its reader; the system's own buffer comes on top. */
const MOST_WAITING_BYTES = 64 * 1024;
/** Without this cut, 50 stalled readers held 100 MB. */
const STALLED_MS = 10_000;
const HEARTBEAT_S = 20;
/** Streams end at a random age, so that the reconnects after a deploy spread out over time. */
const LIFETIME_MS = { least: 50 * 60_000, spread: 20 * 60_000 };
/** The most streams of one person: tabs share one, so these are ten browsers and applications. Another stream closes the oldest. */
const MOST_OF_PERSON = 10;
const QUIET_MS = 250;
const LAST_WORDS_MS = 1_000;

/** One open stream. It keeps as little as possible, and nothing of the request that opened it. */
interface OpenStream {
  response: ServerResponse;
  personKey: string;
  keyId: string;
  /** The person token that opened it, if one did. */
  token: StreamToken | undefined;
  endsAt: number;
  /** The second of the twenty in which it gets its heartbeat: 5,000 heartbeats at once would block the event loop for 50 ms. */
  beat: number;
  /** The time since which bytes wait for the reader; 0 while none wait. */
  waitingSince: number;
}

/** The person token that opened a stream. The stream ends when the token expires. */
export interface StreamToken {
  /** The signing secret, as liveSigners names it. */
  signer: string;
  /** In ms since 1970. */
  expires: number;
}

/** The person who opens a stream, and the key and token that allow it. */
export interface Opener {
  personKey: string;
  keyId: string;
  token?: StreamToken | undefined;
}

const STREAM = Symbol("stream");
type StreamResponse = ServerResponse & { [STREAM]?: { stream: OpenStream; streams: Streams } };

/** One listener for all streams: a closure for each stream would keep its request alive. */
function onClose(this: StreamResponse): void {
  const open = this[STREAM];
  open?.streams.leave(open.stream);
}

export interface StreamOptions {
  clock: Clock;
  metrics: Metrics;
  places: Pick<Places, "streams" | "streamsOfKey">;
  /** Kept up to date with the people who have a stream, so that the node gets signals for them and few others. */
  people?: Buckets;
  /** Tests set it to 0 to fill a reader's buffers. */
  quietMs?: number;
}

const retry = (least: number, spread: number): string => `retry: ${least + Math.floor(Math.random() * spread)}\n\n`;

/** The open streams of one process, with one timer and one map for all. A stream only says when to sync; the table has the truth. */
export class Streams {
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  readonly #places: StreamOptions["places"];
  readonly #quietMs: number;
  readonly #people: Buckets | undefined;
  readonly #byPerson = new Map<string, Set<OpenStream>>();
  /** The number of open streams of each key. */
  readonly #ofKey = new Map<string, number>();
  /** People whose streams got an event less than 250 ms ago, oldest first, with the newest delivery that they have not heard of. */
  readonly #notified = new Map<string, { until: number; next: string | undefined }>();
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

  /**
   * Takes the response over. Ends it at once, with a hint when to reconnect, where the node or the key has no room, or the node
   * stops.
   */
  open(response: ServerResponse, headers: Record<string, string>, { personKey, keyId, token }: Opener): void {
    response.writeHead(200, {
      ...headers,
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    response.write(": connected\n\n");
    const endsAt = performance.now() + LIFETIME_MS.least + Math.random() * LIFETIME_MS.spread;
    const stream: OpenStream = { response, personKey, keyId, token, endsAt, beat: this.#second, waitingSince: 0 };
    // A native EventSource never reconnects after an error status, so a refusal must look like a stream that ended.
    if (this.#stopping || this.#isFull(keyId)) {
      this.#finish(stream);
      return;
    }
    response.write(retry(1_000, 4_000));
    (response as StreamResponse)[STREAM] = { stream, streams: this };
    response.on("close", onClose);
    const ofPerson = this.#byPerson.get(personKey);
    if (ofPerson) {
      ofPerson.add(stream);
    } else {
      this.#byPerson.set(personKey, new Set([stream]));
      this.#people?.add(personKey);
    }
    this.#ofKey.set(keyId, this.#openOf(keyId) + 1);
    this.#metrics.streams.set(++this.#size);
    const [oldest] = ofPerson ?? [];
    if (ofPerson && oldest && ofPerson.size > MOST_OF_PERSON) this.#finish(oldest);
  }

  #openOf(keyId: string): number {
    return this.#ofKey.get(keyId) ?? 0;
  }

  #isFull(keyId: string): boolean {
    return this.#size >= this.#places.streams || this.#openOf(keyId) >= this.#places.streamsOfKey;
  }

  /** Sends a sync event to the streams of these people, for each "person_key:delivery_id". */
  notify(items: string[]): void {
    if (this.#size === 0) return;
    const now = performance.now();
    for (const item of items) {
      const personKey = item.slice(0, 36);
      if (!this.#byPerson.has(personKey)) continue;
      const recent = this.#notified.get(personKey);
      if (recent) recent.next = item.slice(37);
      else this.#send(personKey, item.slice(37), now);
    }
  }

  /** The keys of the open streams, and the signing secrets of their person tokens. */
  rights(): { keys: string[]; signers: string[] } {
    const signers = new Set<string>();
    for (const ofPerson of this.#byPerson.values())
      for (const { token } of ofPerson) if (token) signers.add(token.signer);
    return { keys: [...this.#ofKey.keys()], signers: [...signers] };
  }

  /** Ends the streams of keys and signing secrets that were revoked. */
  endStreamsOf(revoked: Set<string>): void {
    if (revoked.size === 0) return;
    for (const ofPerson of this.#byPerson.values())
      for (const stream of ofPerson)
        if (revoked.has(stream.keyId) || (stream.token && revoked.has(stream.token.signer))) this.#finish(stream);
  }

  /** Ends all streams with a hint when to reconnect, and every later one too. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#ticker);
    clearTimeout(this.#sweeper);
    const all = [...this.#byPerson.values()].flatMap((ofPerson) => [...ofPerson]);
    const closed = all.map((stream) => new Promise((resolve) => stream.response.once("close", resolve)));
    for (const stream of all) this.#finish(stream);
    await Promise.all(closed);
  }

  /** Forgets a stream whose connection is gone. */
  leave(stream: OpenStream): void {
    const ofPerson = this.#byPerson.get(stream.personKey);
    if (!ofPerson?.delete(stream)) return;
    if (ofPerson.size === 0) {
      this.#byPerson.delete(stream.personKey);
      this.#people?.remove(stream.personKey);
    }
    const left = this.#openOf(stream.keyId) - 1;
    if (left > 0) this.#ofKey.set(stream.keyId, left);
    else this.#ofKey.delete(stream.keyId);
    this.#metrics.streams.set(--this.#size);
  }

  /**
   * Once a second: sends heartbeats to a twentieth of the streams, cuts stalled readers, and ends streams whose life or token
   * is over.
   */
  #tick(): void {
    this.#second = (this.#second + 1) % HEARTBEAT_S;
    const now = performance.now();
    const date = this.#clock.now().getTime();
    for (const ofPerson of this.#byPerson.values()) for (const stream of ofPerson) this.#check(stream, now, date);
  }

  #check(stream: OpenStream, now: number, date: number): void {
    if (stream.response.writableLength === 0) stream.waitingSince = 0;
    else if (stream.waitingSince === 0) stream.waitingSince = now;
    if (stream.waitingSince !== 0 && now - stream.waitingSince > STALLED_MS) this.#cut(stream);
    else if (now > stream.endsAt || (stream.token && date >= stream.token.expires)) this.#finish(stream);
    else if (stream.beat === this.#second) this.#write(stream, ": hb\n\n");
  }

  #send(personKey: string, deliveryId: string, now: number): void {
    const ofPerson = this.#byPerson.get(personKey);
    if (!ofPerson) return;
    const text = `event: sync\ndata: {"delivery_id":"${encodeId("dlv", deliveryId)}","ts":"${this.#clock.now().toISOString()}"}\n\n`;
    for (const stream of ofPerson) this.#write(stream, text);
    if (this.#quietMs === 0) return;
    this.#notified.set(personKey, { until: now + this.#quietMs, next: undefined });
    this.#sweeper ??= setTimeout(() => this.#sweep(), this.#quietMs);
  }

  /**
   * Sends the last event of a burst: people who got an event less than 250 ms ago hear of the newest delivery when that time is
   * over.
   */
  #sweep(): void {
    this.#sweeper = undefined;
    const now = performance.now();
    for (const [personKey, { until, next }] of this.#notified) {
      if (until > now) {
        this.#sweeper ??= setTimeout(() => this.#sweep(), until - now);
        break;
      }
      this.#notified.delete(personKey);
      if (next !== undefined) this.#send(personKey, next, now);
    }
  }

  #write(stream: OpenStream, text: string): void {
    stream.response.write(text);
    if (stream.response.writableLength > MOST_WAITING_BYTES) this.#cut(stream);
  }

  #cut(stream: OpenStream): void {
    this.#metrics.streamsCut.inc();
    this.leave(stream);
    stream.response.destroy();
  }

  #finish(stream: OpenStream): void {
    this.leave(stream);
    const { response } = stream;
    const { socket } = response;
    // A reader that reads nothing would never get the last bytes, and would keep its connection for ever.
    const late = setTimeout(() => response.destroy(), LAST_WORDS_MS);
    response.once("close", () => clearTimeout(late));
    // Otherwise the connection would stay open for the keep-alive time and delay a shutdown.
    response.end(retry(1_000, 9_000), () => socket?.destroySoon());
  }
}
