import type { ServerResponse } from "node:http";
import type { Clock } from "../time/clock.ts";

/** The most bytes of one stream that wait in this process for its reader; the system's own buffer comes on top. */
const MOST_WAITING_BYTES = 64 * 1024;
/** Without this cut, 50 stalled readers held 100 MB. */
const STALLED_MS = 10_000;
const HEARTBEAT_S = 20;
/** Streams end at a random age, so that the reconnects after a deploy spread out over time. */
const LIFETIME_MS = { least: 50 * 60_000, spread: 20 * 60_000 };
const LAST_WORDS_MS = 1_000;
/** A client comes back after a second at the earliest, so that a process that is restarted alone is nearly there, and after 10 s at the latest. */
const BACK_MS = { least: 1_000, spread: 9_000 };
/** Of the streams that end together so many come back each second, as long as all are back within BACK_MS: each opens a connection and syncs. */
const BACK_A_SECOND = 500;

/** Who opens a stream. `key` is the id of the credential. */
export interface StreamOwner {
  key: string;
  /** When the stream ends because its credential does, in ms since 1970. */
  expires?: number | undefined;
}

/** One open stream. It keeps as little as possible, and nothing of the request that opened it. */
export interface EventStream<Owner extends StreamOwner> {
  response: ServerResponse;
  owner: Owner;
  endsAt: number;
  /** The second of the twenty in which it gets its heartbeat: 5,000 heartbeats at once would block the event loop for 50 ms. */
  beat: number;
  /** The time since which bytes wait for the reader; 0 while none wait. */
  waitingSince: number;
}

export interface EventStreamsOptions<Owner extends StreamOwner> {
  clock: Clock;
  /** The most open streams of this process, and of one credential. */
  most: { all: number; ofKey: number };
  /** Is told how many are open. */
  counted(open: number): void;
  /** Is told of each stream that was closed because its reader did not keep up. */
  cut(): void;
  /** Is told of each stream that is no longer open. */
  left(stream: EventStream<Owner>): void;
}

const STREAM = Symbol("stream");
type StreamResponse = ServerResponse & { [STREAM]?: { stream: unknown; of: { leave(stream: unknown): void } } };

/** One listener for all streams: a closure for each stream would keep its request alive. */
function onClose(this: StreamResponse): void {
  const open = this[STREAM];
  open?.of.leave(open.stream);
}

const retry = (least: number, spread: number): string => `retry: ${least + Math.floor(Math.random() * spread)}\n\n`;

/**
 * Open streams of server-sent events, with one timer for all: heartbeats, the cut of readers that do not keep up, the end of streams whose
 * time or credential is over.
 */
export class EventStreams<Owner extends StreamOwner> {
  readonly #options: EventStreamsOptions<Owner>;
  readonly #open = new Set<EventStream<Owner>>();
  readonly #ofKey = new Map<string, number>();
  readonly #ticker = setInterval(() => this.#tick(), 1_000).unref();
  #second = 0;
  #stopping = false;

  constructor(options: EventStreamsOptions<Owner>) {
    this.#options = options;
  }

  /**
   * Takes the response over. Where the process or the credential has no room, or the process stops, it ends the stream at once with a hint
   * when to reconnect, and returns undefined.
   */
  open(response: ServerResponse, headers: Record<string, string>, owner: Owner): EventStream<Owner> | undefined {
    response.writeHead(200, {
      ...headers,
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    response.write(": connected\n\n");
    const endsAt = performance.now() + LIFETIME_MS.least + Math.random() * LIFETIME_MS.spread;
    const stream = { response, owner, endsAt, beat: this.#second, waitingSince: 0 };
    // A native EventSource never reconnects after an error status, so a refusal must look like a stream that ended.
    if (this.#stopping || this.#isFull(owner.key)) {
      this.finish(stream);
      return undefined;
    }
    response.write(retry(1_000, 4_000));
    (response as StreamResponse)[STREAM] = { stream, of: this as { leave(stream: unknown): void } };
    response.on("close", onClose);
    this.#open.add(stream);
    this.#ofKey.set(owner.key, this.#openOf(owner.key) + 1);
    this.#options.counted(this.#open.size);
    return stream;
  }

  get size(): number {
    return this.#open.size;
  }

  isOpen(stream: EventStream<Owner>): boolean {
    return this.#open.has(stream);
  }

  /** The owners of the open streams. */
  *owners(): Iterable<Owner> {
    for (const { owner } of this.#open) yield owner;
  }

  /** Ends the streams of these owners. */
  end(which: (owner: Owner) => boolean): void {
    for (const stream of this.#open) if (which(stream.owner)) this.finish(stream);
  }

  /** Sends a text. A reader that has 64 KiB waiting is cut. */
  write(stream: EventStream<Owner>, text: string): void {
    stream.response.write(text);
    if (stream.response.writableLength > MOST_WAITING_BYTES) this.#cut(stream);
  }

  /** Sends a text, and waits until the system has taken it for the reader or the stream is over. */
  taken(stream: EventStream<Owner>, text: string): Promise<void> {
    const { response } = stream;
    return new Promise((resolve) => {
      const done = () => {
        response.off("close", done);
        resolve();
      };
      response.once("close", done);
      response.write(text, done);
      if (response.writableLength > MOST_WAITING_BYTES) this.#cut(stream);
    });
  }

  /** Ends a stream with a hint when to reconnect. */
  finish(stream: EventStream<Owner>, spread = BACK_MS.spread): void {
    this.leave(stream);
    const { response } = stream;
    const { socket } = response;
    // A reader that reads nothing would never get the last bytes, and would keep its connection for ever.
    const late = setTimeout(() => response.destroy(), LAST_WORDS_MS);
    response.once("close", () => clearTimeout(late));
    // Otherwise the connection would stay open for the keep-alive time and delay a shutdown.
    response.end(retry(BACK_MS.least, spread), () => socket?.destroySoon());
  }

  /** Ends all streams with a hint when to reconnect, and every later one too. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#ticker);
    const all = [...this.#open];
    const closed = all.map((stream) => new Promise((resolve) => stream.response.once("close", resolve)));
    const spread = Math.min(BACK_MS.spread, 1_000 + (all.length * 1_000) / BACK_A_SECOND);
    for (const stream of all) this.finish(stream, spread);
    await Promise.all(closed);
  }

  /** Forgets a stream whose connection is gone. */
  leave(stream: EventStream<Owner>): void {
    if (!this.#open.delete(stream)) return;
    const { key } = stream.owner;
    const others = this.#openOf(key) - 1;
    if (others > 0) this.#ofKey.set(key, others);
    else this.#ofKey.delete(key);
    this.#options.counted(this.#open.size);
    this.#options.left(stream);
  }

  #openOf(key: string): number {
    return this.#ofKey.get(key) ?? 0;
  }

  #isFull(key: string): boolean {
    const { all, ofKey } = this.#options.most;
    return this.#open.size >= all || this.#openOf(key) >= ofKey;
  }

  /** Once a second: sends heartbeats to a twentieth of the streams, cuts stalled readers, and ends streams whose time is over. */
  #tick(): void {
    this.#second = (this.#second + 1) % HEARTBEAT_S;
    const now = performance.now();
    const date = this.#options.clock.now().getTime();
    for (const stream of this.#open) this.#check(stream, now, date);
  }

  #check(stream: EventStream<Owner>, now: number, date: number): void {
    const { response, owner } = stream;
    if (response.writableLength === 0) stream.waitingSince = 0;
    else if (stream.waitingSince === 0) stream.waitingSince = now;
    if (stream.waitingSince !== 0 && now - stream.waitingSince > STALLED_MS) this.#cut(stream);
    else if (now > stream.endsAt || (owner.expires !== undefined && date >= owner.expires)) this.finish(stream);
    else if (stream.beat === this.#second) this.write(stream, ": hb\n\n");
  }

  #cut(stream: EventStream<Owner>): void {
    this.#options.cut();
    this.leave(stream);
    stream.response.destroy();
  }
}
