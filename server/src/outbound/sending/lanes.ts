import { Room, type Sharer } from "../../platform/work/room.ts";
import type { Job, Message } from "../message/message.ts";
import { isBulk, type Lane, nameOf } from "../queue/lane.ts";

/** Deliveries in the memory of this process. */
const MOST = 2_048;
/** Of one lane; a stalled server's lane fills, is left out of the claims, and the others go on. */
const MOST_IN_LANE = 128;
const LEAST_IN_LANE = 4;

/** A lane as this process has it. */
interface LaneState extends Lane, Sharer {
  /** Something of it waits in the table: later ones must not overtake it in memory. */
  behind: boolean;
  /** Time of performance.now() until which nothing of it is claimed: its providers rest, or are behind their rate. */
  paused: number;
}

/** The lanes of a process: how much of each is in its memory, and what may come. */
export class Lanes {
  readonly #lanes = new Map<string, LaneState>();
  readonly #room = new Room({ most: MOST, each: MOST_IN_LANE, least: LEAST_IN_LANE });

  #of(lane: Lane): LaneState {
    const key = nameOf(lane);
    let state = this.#lanes.get(key);
    if (!state) {
      const { workspaceId, channel, bulk } = lane;
      state = { workspaceId, channel, bulk, held: 0, behind: false, paused: 0 };
      this.#lanes.set(key, state);
    }
    return state;
  }

  /** How many deliveries the memory has room for. */
  room(): number {
    return this.#room.free();
  }

  #hasEnough(lane: LaneState): boolean {
    return isPaused(lane) || this.#room.hasEnough(lane);
  }

  /** Lanes that nothing is claimed for now. */
  full(): Lane[] {
    return [...this.#lanes.values()].filter((lane) => this.#hasEnough(lane));
  }

  /** Whether a lane of this kind has room for something of it that waits in the table. */
  waits(bulk: boolean): boolean {
    for (const lane of this.#lanes.values())
      if (lane.bulk === bulk && lane.behind && !this.#hasEnough(lane)) return true;
    return false;
  }

  /** Whether a claimed delivery may stay. */
  takes(job: Job): boolean {
    const lane = this.#of(job);
    return !isPaused(lane) && this.#room.takes(lane);
  }

  /** Says that a delivery is in memory. */
  enter(job: Job): void {
    this.#room.enter(this.#of(job));
  }

  /** Says that it is there no more. Gives whether more of its lane is to be claimed. */
  leave(job: Job): boolean {
    const lane = this.#of(job);
    this.#room.leave(lane);
    if (lane.held === 0 && !lane.behind) this.#lanes.delete(nameOf(lane));
    return lane.behind && !this.#hasEnough(lane);
  }

  /** Something of this lane waits in the table. */
  fallBehind(lane: Lane): void {
    this.#of(lane).behind = true;
  }

  /** Nothing was claimed for these: what of them waits is not known. Those that have gone meanwhile are empty. */
  passedOver(full: Lane[]): void {
    for (const lane of full) {
      const state = this.#lanes.get(nameOf(lane));
      if (state) state.behind = true;
    }
  }

  /** The poll looks again after it. */
  pause(lane: Lane, ms: number): void {
    const state = this.#of(lane);
    state.paused = Math.max(state.paused, performance.now() + ms);
    state.behind = true;
  }

  /** What these workspaces waited for has changed. */
  resume(workspaces: string[]): void {
    for (const lane of this.#lanes.values()) if (workspaces.includes(lane.workspaceId)) lane.paused = 0;
  }

  /** The table had nothing more for the lanes that were asked for, of those that are bulk or of the others. */
  forgetIdle(full: Lane[], bulk: boolean): void {
    const left = new Set(full.map(nameOf));
    for (const [key, lane] of this.#lanes) {
      if (lane.bulk !== bulk || left.has(key) || isPaused(lane)) continue;
      lane.behind = false;
      if (lane.held === 0) this.#lanes.delete(key);
    }
  }

  /** Which messages of a batch may be sent at once from memory. Those of a lane that is not may not overtake what waits. */
  accept(batch: Message[]): boolean[] {
    const taken = new Map<LaneState, number>();
    return batch.map((message) => {
      // What is at most once is claimed first and marked as begun then, each in its own commit: see `begin` in store.ts.
      if (message.status !== "queued" || message.dueAt !== undefined || isHeavy(message)) return false;
      if (message.atMostOnce) return false;
      const { workspaceId, channel, source } = message;
      const lane = this.#of({ workspaceId, channel, bulk: isBulk(source) });
      const more = taken.get(lane) ?? 0;
      if (lane.behind || isPaused(lane) || !this.#room.takes(lane, more)) {
        lane.behind = true;
        return false;
      }
      taken.set(lane, more + 1);
      return true;
    });
  }
}

const isPaused = (lane: LaneState): boolean => performance.now() < lane.paused;

/** Attachments go through the table: 20 MiB each must not wait in memory. */
const isHeavy = (message: Message): boolean => "attachments" in message.content;
