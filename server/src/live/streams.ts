import type { ServerResponse } from "node:http";
import type { LiveKind } from "@tidings/contract/live";
import { ACTIVITY_LOGGED, type Position } from "../activity/index.ts";
import { EventStreams } from "../platform/http/event-streams.ts";
import { PROGRESSED } from "../platform/resources/progress.ts";
import { Buckets } from "../platform/signals/index.ts";
import { type CallerRef, type ConnectedGround, WORKSPACES_CHANGED } from "../workspaces/index.ts";
import { CHANGED, changeOf } from "./changes.ts";
import { type LiveOwner, type LiveStream, Room } from "./room.ts";

const TICK_MS = 250;
/** A revoked key or session must end its streams within 5 s on every node, also where the signal is lost. */
const CHECK_RIGHTS_MS = 3_000;
/** The most streams of one workspace in this process: the dashboards of a hundred people. Another stream closes the oldest. */
const MOST_OF_WORKSPACE = 200;

type Topic = typeof ACTIVITY_LOGGED | typeof PROGRESSED | typeof CHANGED;

/** Who opens a stream, what it shows, and the position to continue after. */
export interface LiveOpener {
  workspaceId: string;
  /** The id of the key or session. */
  key: string;
  expires: number | undefined;
  kinds: Set<LiveKind>;
  from: Position | undefined;
}

/** The live streams of this process. While there is none, nothing runs and no signal is heard. */
export class LiveStreams {
  readonly #ground: ConnectedGround;
  readonly #rooms = new Map<string, Room>();
  readonly #streams: EventStreams<LiveOwner>;
  /** For each topic, the workspaces that have a stream. */
  readonly #heard: Record<Topic, Buckets> = {
    [ACTIVITY_LOGGED]: new Buckets(),
    [PROGRESSED]: new Buckets(),
    [CHANGED]: new Buckets(),
  };
  readonly #unsubscribes: (() => void)[];
  #timers: NodeJS.Timeout[] = [];

  constructor(ground: ConnectedGround) {
    const { clock, metrics, places, signals } = ground;
    this.#ground = ground;
    this.#streams = new EventStreams({
      clock,
      most: { all: places.wideStreams, ofKey: places.wideStreams },
      counted: (open) => metrics.liveStreams.set(open),
      cut: () => metrics.streamsCut.inc(),
      left: (stream) => this.#leave(stream),
    });
    const hear = (topic: Topic, each: (room: Room, item: string) => void) =>
      signals.subscribe(topic, (items) => this.#pass(items, each), this.#heard[topic]);
    this.#unsubscribes = [
      hear(ACTIVITY_LOGGED, (room) => room.logged(performance.now())),
      hear(PROGRESSED, (room, id) => room.moved(id)),
      hear(CHANGED, (room, change) => room.changed(changeOf(change))),
      signals.subscribe(WORKSPACES_CHANGED, () => void this.#checkRights()),
    ];
  }

  /** Takes the response over; see EventStreams. */
  open(response: ServerResponse, headers: Record<string, string>, { from, ...owner }: LiveOpener): void {
    const { workspaceId } = owner;
    const stream = this.#streams.open(response, headers, { ...owner, at: undefined, sending: false });
    if (!stream) return;
    const room = this.#rooms.get(workspaceId) ?? this.#newRoom(workspaceId);
    room.enter(stream, from).catch((error) => {
      this.#ground.log.debug({ err: String(error) }, "a live stream could not begin");
      if (this.#streams.isOpen(stream)) this.#streams.finish(stream);
    });
    const oldest = room.oldestBeyond(MOST_OF_WORKSPACE);
    if (oldest) this.#streams.finish(oldest);
  }

  /** Ends all streams with a hint when to reconnect. */
  stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    this.#rest();
    return this.#streams.stop();
  }

  #newRoom(workspaceId: string): Room {
    const room = new Room(this.#ground, workspaceId, this.#streams);
    this.#rooms.set(workspaceId, room);
    for (const buckets of Object.values(this.#heard)) buckets.add(workspaceId);
    if (this.#timers.length === 0)
      this.#timers = [
        setInterval(() => this.#tick(), TICK_MS).unref(),
        setInterval(() => void this.#checkRights(), CHECK_RIGHTS_MS).unref(),
      ];
    return room;
  }

  #leave(stream: LiveStream): void {
    const { workspaceId } = stream.owner;
    const room = this.#rooms.get(workspaceId);
    room?.leave(stream);
    if (!room?.isEmpty) return;
    this.#rooms.delete(workspaceId);
    for (const buckets of Object.values(this.#heard)) buckets.remove(workspaceId);
    if (this.#rooms.size === 0) this.#rest();
  }

  #rest(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  /** Passes items that begin with a workspace, "workspace" or "workspace:rest", to its room. */
  #pass(items: string[], each: (room: Room, rest: string) => void): void {
    for (const item of items) {
      const room = this.#rooms.get(item.slice(0, 36));
      if (room) each(room, item.slice(37));
    }
  }

  #tick(): void {
    const now = performance.now();
    for (const room of this.#rooms.values()) room.tick(now);
  }

  /** Ends the streams of keys and sessions that were revoked or have expired, and of suspended workspaces. */
  async #checkRights(): Promise<void> {
    const nameOf = ({ workspaceId, id }: CallerRef) => `${workspaceId} ${id}`;
    const refOf = ({ workspaceId, key }: LiveOwner): CallerRef => ({ workspaceId, id: key });
    const callers = new Map(Array.from(this.#streams.owners(), (owner) => [nameOf(refOf(owner)), refOf(owner)]));
    if (callers.size === 0) return;
    const { db, clock, log, slices } = this.#ground;
    try {
      const valid = new Set((await slices.validCallers(db, [...callers.values()], clock.now())).map(nameOf));
      this.#streams.end((owner) => callers.has(nameOf(refOf(owner))) && !valid.has(nameOf(refOf(owner))));
    } catch (error) {
      log.warn({ err: String(error) }, "the keys of the live streams could not be checked");
    }
  }
}
