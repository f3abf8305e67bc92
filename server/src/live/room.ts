import type { LiveChanged, LiveKind } from "@tidings/contract/live";
import { endOfFeed, type Position } from "../activity/index.ts";
import type { EventStream, EventStreams, StreamOwner } from "../platform/http/event-streams.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import type { ConnectedGround } from "../workspaces/index.ts";
import { idOf, inOrder, MOST_READ, readPart, Tail, type Written } from "./log.ts";

/** The time between two reads of a workspace's log. */
const READ_MS = 1_000;
/** Asking takes at most a tenth of the time: to count what is left of a large campaign reads an index entry for each of its runs. */
const ASK_SHARE = 10;
/** Without a signal: the read that replaces a lost one. */
const POLL_MS = 5_000;
/** For so long after a signal the log is read each second: an entry is readable only when older transactions have ended. */
const EAGER_MS = 5_000;
/** Entries that a stream reads at once for itself while it is behind. */
const CAUGHT_UP = 200;
const CHUNK = 16 * 1024;
/** Resources of one kind that are named one by one; beyond it, one event tells that several changed. */
const MOST_NAMED = 50;

export interface LiveOwner extends StreamOwner {
  workspaceId: string;
  kinds: Set<LiveKind>;
  /** The position after the last entry that it was sent. */
  at: Position | undefined;
  /** Whether it is being sent entries now. */
  sending: boolean;
}
export type LiveStream = EventStream<LiveOwner>;

const textOf = (event: LiveKind, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** The streams of one workspace in this process. It reads the log once for all of them. */
export class Room {
  readonly #ground: ConnectedGround;
  readonly #workspaceId: string;
  readonly #streams: EventStreams<LiveOwner>;
  readonly #members = new Set<LiveStream>();
  readonly #changed = new Map<string, LiveChanged>();
  readonly #moved = new Set<string>();
  #tail: Tail | undefined;
  #readAt = 0;
  #askAt = 0;
  #eagerUntil = 0;
  #reading = false;
  #asking = false;

  constructor(ground: ConnectedGround, workspaceId: string, streams: EventStreams<LiveOwner>) {
    this.#ground = ground;
    this.#workspaceId = workspaceId;
    this.#streams = streams;
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  /** Adds a stream, which continues after `from`, or begins with what happens from now on. */
  async enter(stream: LiveStream, from: Position | undefined): Promise<void> {
    this.#members.add(stream);
    if (!stream.owner.kinds.has("activity")) return;
    const end = await endOfFeed(this.#queries());
    if (!this.#anyFollows()) this.#tail = new Tail(end);
    // A database that was restored from a backup has given out later positions than it has now.
    stream.owner.at = from && inOrder(from, end) <= 0 ? from : end;
    // With an id and no data: a client that gets nothing before it reconnects continues here.
    this.#streams.write(stream, `id: ${idOf(stream.owner.at)}\n\n`);
    this.#follow(stream);
  }

  /** The stream that was opened first, if there are more than `most`. */
  oldestBeyond(most: number): LiveStream | undefined {
    const [oldest] = this.#members;
    return this.#members.size > most ? oldest : undefined;
  }

  leave(stream: LiveStream): void {
    this.#members.delete(stream);
  }

  /** The log has new entries. */
  logged(now: number): void {
    this.#eagerUntil = now + EAGER_MS;
  }

  /** A resource changed. */
  changed({ type, id }: LiveChanged): void {
    const named = this.#changed.size < MOST_NAMED ? id : null;
    this.#changed.set(`${type}:${named}`, { type, id: named });
  }

  /** The work of a resource moved on. */
  moved(id: string): void {
    if (this.#moved.size >= MOST_NAMED) return;
    for (const { owner } of this.#members) if (owner.kinds.has("progress")) return void this.#moved.add(id);
  }

  /** Sends what is due, a few times a second. */
  tick(now: number): void {
    for (const change of this.#changed.values()) this.#tell("changed", change);
    this.#changed.clear();
    if (this.#moved.size > 0 && now >= this.#askAt) void this.#askProgress(now);
    const wait = now < this.#eagerUntil ? READ_MS : POLL_MS;
    if (this.#tail && now - this.#readAt >= wait && this.#anyFollows()) void this.#read(this.#tail, now);
  }

  #queries() {
    return inListTurns(this.#ground, this.#workspaceId);
  }

  #anyFollows(): boolean {
    for (const { owner } of this.#members) if (owner.at) return true;
    return false;
  }

  #tell(kind: LiveKind, data: object): void {
    const text = textOf(kind, data);
    for (const stream of this.#members) if (stream.owner.kinds.has(kind)) this.#streams.write(stream, text);
  }

  async #read(tail: Tail, now: number): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    this.#readAt = now;
    try {
      const part = await readPart(this.#queries(), this.#workspaceId, { after: tail.end, limit: MOST_READ });
      tail.add(part);
      // A busy log is read again at the next tick.
      if (part.more) this.#readAt = 0;
      for (const stream of this.#members) if (stream.owner.at) this.#follow(stream);
    } catch (error) {
      this.#ground.log.debug({ err: String(error) }, "the log was not read for live streams");
    } finally {
      this.#reading = false;
    }
  }

  async #askProgress(now: number): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const start = performance.now();
    const ids = [...this.#moved];
    this.#moved.clear();
    const { slices, clock } = this.#ground;
    try {
      for (const id of ids) {
        const progress = await slices.progressOf(this.#queries(), this.#workspaceId, id, clock.now());
        if (progress) this.#tell("progress", progress);
      }
    } catch (error) {
      this.#ground.log.debug({ err: String(error) }, "progress was not read for live streams");
    } finally {
      this.#asking = false;
      this.#askAt = now + Math.max(READ_MS, ASK_SHARE * (performance.now() - start));
    }
  }

  #follow(stream: LiveStream): void {
    if (stream.owner.sending) return;
    stream.owner.sending = true;
    this.#send(stream)
      .catch((error) => {
        // It reconnects and continues after the last entry that it got.
        this.#ground.log.debug({ err: String(error) }, "a live stream could not follow the log");
        if (this.#streams.isOpen(stream)) this.#streams.finish(stream);
      })
      .finally(() => {
        stream.owner.sending = false;
      });
  }

  /** Sends a stream all entries that it has not got, as fast as its reader takes them. */
  async #send(stream: LiveStream): Promise<void> {
    const { owner } = stream;
    for (;;) {
      const at = owner.at;
      if (!at || !this.#streams.isOpen(stream)) return;
      const own = { after: at, limit: CAUGHT_UP };
      const part = this.#tail?.after(at) ?? (await readPart(this.#queries(), this.#workspaceId, own));
      for (const { text, last } of inChunks(part.entries)) {
        owner.at = last;
        await this.#streams.taken(stream, text);
        if (!this.#streams.isOpen(stream)) return;
      }
      if (part.entries.length === 0 && !part.more && inOrder(part.next, at) <= 0) return;
      owner.at = part.next;
    }
  }
}

/** Joins the texts of entries to a few. A stream has one of them waiting for its reader, beside hints and heartbeats. */
function* inChunks(entries: Written[]): Generator<{ text: string; last: Written }> {
  let text = "";
  for (const [i, last] of entries.entries()) {
    text += last.text;
    if (text.length < CHUNK && i + 1 < entries.length) continue;
    yield { text, last };
    text = "";
  }
}
