import { Room, type Sharer } from "../../platform/work/room.ts";
import type { Job, Message } from "../message/message.ts";
import { isBulk, type Lane, laneOf, nameOf } from "../queue/lane.ts";

/** Deliveries in the memory of this process. */
const MOST = 2_048;
/** Deliveries of one lane. The lane of a stalled server fills and is left out of the claims, and the others go on. */
const MOST_IN_LANE = 128;
const LEAST_IN_LANE = 4;

/** The state of a lane in this process. */
interface LaneState extends Lane, Sharer {
  /** Deliveries of it wait in the table: later ones must not overtake them in memory. */
  behind: boolean;
  /** Time of performance.now() until which it is left out of claims: its providers rest, or are behind their rate. */
  paused: number;
}

/** The lanes of a process: how many deliveries of each are in its memory, and which may be added. */
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

  /** Returns how many more deliveries may be in memory. */
  room(): number {
    return this.#room.free();
  }

  #hasEnough(lane: LaneState): boolean {
    return isPaused(lane) || this.#room.hasEnough(lane);
  }

  /** Returns the lanes that claims leave out for now. */
  full(): Lane[] {
    return [...this.#lanes.values()].filter((lane) => this.#hasEnough(lane));
  }

  /** Returns the lanes that are behind or paused. */
  closed(): Lane[] {
    return [...this.#lanes.values()].filter((lane) => lane.behind || isPaused(lane));
  }

  /** Takes over which lanes are closed elsewhere. */
  closeOnly(names: Set<string>): void {
    for (const [key, lane] of this.#lanes) {
      lane.behind = names.has(key);
      if (!lane.behind && lane.held === 0) this.#lanes.delete(key);
    }
    for (const name of names) this.fallBehind(laneOf(name));
  }

  /** Whether a lane of this kind has deliveries in the table and room for them. */
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

  /** Counts a delivery that is now in memory. */
  enter(job: Job): void {
    this.#room.enter(this.#of(job));
  }

  /** Counts a delivery that has left the memory. Returns whether to claim more of its lane. */
  leave(job: Lane): boolean {
    const lane = this.#of(job);
    this.#room.leave(lane);
    if (lane.held === 0 && !lane.behind) this.#lanes.delete(nameOf(lane));
    return lane.behind && !this.#hasEnough(lane);
  }

  /** Marks a lane that has deliveries in the table. */
  fallBehind(lane: Lane): void {
    this.#of(lane).behind = true;
  }

  /** Marks lanes that a claim left out, because it is not known whether they have deliveries in the table. Deleted lanes are empty. */
  passedOver(full: Lane[]): void {
    for (const lane of full) {
      const state = this.#lanes.get(nameOf(lane));
      if (state) state.behind = true;
    }
  }

  /** Leaves a lane out of claims for this time. */
  pause(lane: Lane, ms: number): void {
    const state = this.#of(lane);
    state.paused = Math.max(state.paused, performance.now() + ms);
    state.behind = true;
  }

  /** Ends the pauses of these workspaces, because their providers changed. */
  resume(workspaces: string[]): void {
    for (const lane of this.#lanes.values()) if (workspaces.includes(lane.workspaceId)) lane.paused = 0;
  }

  /** Unmarks the lanes of one kind for which a claim found all that was due. @param full the lanes that the claim left out */
  forgetIdle(full: Lane[], bulk: boolean): void {
    const left = new Set(full.map(nameOf));
    for (const [key, lane] of this.#lanes) {
      if (lane.bulk !== bulk || left.has(key) || isPaused(lane)) continue;
      lane.behind = false;
      if (lane.held === 0) this.#lanes.delete(key);
    }
  }

  /** Returns for each message whether it may be sent at once from memory. It may not where deliveries of its lane wait in the table. */
  accept(batch: Message[]): boolean[] {
    const taken = new Map<LaneState, number>();
    return batch.map((message) => {
      // An `at_most_once` message is claimed first and then marked as begun, each in its own commit: see `begin` in store.ts.
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
