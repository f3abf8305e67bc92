import type { ServerResponse } from "node:http";
import { type EventStream, EventStreams, type StreamOwner } from "../../platform/http/event-streams.ts";
import { encodeId } from "../../platform/ids.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Places } from "../../platform/places.ts";
import type { Buckets } from "../../platform/signals/index.ts";
import type { Clock } from "../../platform/time/clock.ts";

/** The most streams of one person: tabs share one, so these are ten browsers and applications. Another stream closes the oldest. */
const MOST_OF_PERSON = 10;
const QUIET_MS = 250;

/** The person whose stream it is, and the key that opened it. The stream ends when its person token expires, if it has one. */
export interface Opener extends StreamOwner {
  personKey: string;
  /** The signing secret of the person token, as liveSigners names it. */
  signer?: string | undefined;
}

type PersonStream = EventStream<Opener>;

export interface StreamOptions {
  clock: Clock;
  metrics: Metrics;
  places: Pick<Places, "streams" | "streamsOfKey">;
  /** Kept up to date with the people who have a stream, so that the node gets signals for them and few others. */
  people?: Buckets;
  /** Tests set it to 0 to fill a reader's buffers. */
  quietMs?: number;
}

/** The open streams of people in one process. A stream only says when to sync; the table has the truth. */
export class Streams {
  readonly #clock: Clock;
  readonly #quietMs: number;
  readonly #people: Buckets | undefined;
  readonly #streams: EventStreams<Opener>;
  readonly #byPerson = new Map<string, Set<PersonStream>>();
  /** People whose streams got an event less than 250 ms ago, oldest first, with the newest delivery that they have not heard of. */
  readonly #notified = new Map<string, { until: number; next: string | undefined }>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor({ clock, metrics, places, people, quietMs = QUIET_MS }: StreamOptions) {
    this.#clock = clock;
    this.#people = people;
    this.#quietMs = quietMs;
    this.#streams = new EventStreams({
      clock,
      most: { all: places.streams, ofKey: places.streamsOfKey },
      counted: (open) => metrics.streams.set(open),
      cut: () => metrics.streamsCut.inc(),
      left: (stream) => this.#leave(stream),
    });
  }

  /** Takes the response over; see EventStreams. */
  open(response: ServerResponse, headers: Record<string, string>, opener: Opener): void {
    const stream = this.#streams.open(response, headers, opener);
    if (!stream) return;
    const { personKey } = opener;
    const ofPerson = this.#byPerson.get(personKey);
    if (ofPerson) {
      ofPerson.add(stream);
    } else {
      this.#byPerson.set(personKey, new Set([stream]));
      this.#people?.add(personKey);
    }
    const [oldest] = ofPerson ?? [];
    if (ofPerson && oldest && ofPerson.size > MOST_OF_PERSON) this.#streams.finish(oldest);
  }

  /** Sends a sync event to the streams of these people, for each "person_key:delivery_id". */
  notify(items: string[]): void {
    if (this.#streams.size === 0) return;
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
    const [keys, signers] = [new Set<string>(), new Set<string>()];
    for (const { key, signer } of this.#streams.owners()) {
      keys.add(key);
      if (signer !== undefined) signers.add(signer);
    }
    return { keys: [...keys], signers: [...signers] };
  }

  /** Ends the streams of keys and signing secrets that were revoked. */
  endStreamsOf(revoked: Set<string>): void {
    if (revoked.size === 0) return;
    this.#streams.end(({ key, signer }) => revoked.has(key) || (signer !== undefined && revoked.has(signer)));
  }

  /** Ends all streams with a hint when to reconnect, and every later one too. */
  stop(): Promise<void> {
    clearTimeout(this.#sweeper);
    return this.#streams.stop();
  }

  #leave(stream: PersonStream): void {
    const { personKey } = stream.owner;
    const ofPerson = this.#byPerson.get(personKey);
    ofPerson?.delete(stream);
    if (ofPerson?.size !== 0) return;
    this.#byPerson.delete(personKey);
    this.#people?.remove(personKey);
  }

  #send(personKey: string, deliveryId: string, now: number): void {
    const ofPerson = this.#byPerson.get(personKey);
    if (!ofPerson) return;
    const text = `event: sync\ndata: {"delivery_id":"${encodeId("dlv", deliveryId)}","ts":"${this.#clock.now().toISOString()}"}\n\n`;
    for (const stream of ofPerson) this.#streams.write(stream, text);
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
}
