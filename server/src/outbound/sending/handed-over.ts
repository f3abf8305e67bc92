import { newId } from "../../platform/ids.ts";
import { fromShared, type OtherThread, type Told, toShared } from "../../platform/threads/other-thread.ts";
import type { Started } from "../../workspaces/index.ts";
import type { Job, Message } from "../message/message.ts";
import type { Dispatcher, QueueGround } from "../queue/dispatcher.ts";
import { type Lane, laneOf, nameOf } from "../queue/lane.ts";
import { Lanes } from "./lanes.ts";

// Requests queue in one thread, and the other thread sends. What a request queues is handed over in memory all the same: it is inserted with a lease and
// told to the other thread after the commit, which saves a claim. The thread of requests counts what it handed over, so that a lane
// whose server stalls fills only its share, and knows from the other one which lanes have deliveries in the table. It may know so a moment too
// late: a delivery can go past one that was queued a millisecond before it. Across processes it always could.

const TAKEN: Told<{ jobs: Job[]; since: number }> = "outbound.taken";
const LOST: Told<string> = "outbound.lost";
/** The lanes of deliveries that were handed over and are not held any more. */
const LEFT: Told<string[]> = "outbound.left";
const STATE: Told<State> = "outbound.state";
const STATE_ASKED: Told<undefined> = "outbound.state asked";

interface State {
  /** The names of the lanes that are behind or paused. */
  closed: string[];
  resting: number;
}

/** Hands over what this thread queues to the thread that sends. */
export function startHandOver(ground: QueueGround, other: OtherThread): Started {
  ground.sending.dispatcher = new HandOver(other);
  return {
    async stop() {
      ground.sending.dispatcher = undefined;
    },
  };
}

class HandOver implements Dispatcher {
  readonly #other: OtherThread;
  readonly #lanes = new Lanes();
  #resting = 0;

  constructor(other: OtherThread) {
    this.#other = other;
    other.on(STATE, ({ closed, resting }) => {
      this.#lanes.closeOnly(new Set(closed));
      this.#resting = resting;
    });
    other.on(LEFT, (names) => {
      for (const name of names) this.#lanes.leave(laneOf(name));
    });
    other.tell(STATE_ASKED, undefined);
  }

  accept(batch: Message[]): (string | undefined)[] {
    const lease = newId();
    return this.#lanes.accept(batch).map((accepted) => (accepted ? lease : undefined));
  }

  take(jobs: Job[], since: number): void {
    for (const job of jobs) this.#lanes.enter(job);
    this.#other.tell(TAKEN, { jobs: jobs.map((job) => within(job, toShared)), since: toShared(since) });
  }

  lost(lease: string): void {
    this.#other.tell(LOST, lease);
  }

  resting(): number {
    return this.#resting;
  }
}

/** The dispatcher of the thread that sends. */
interface Sending extends Pick<Dispatcher, "lost" | "resting"> {
  take(jobs: Job[], since: number, left: (job: Job) => void): void;
  closed(): Lane[];
  watch(told: () => void): void;
}

/** Takes over what the other thread queues. */
export function takeOver(other: OtherThread, dispatcher: Sending): void {
  let left: string[] = [];
  const leave = (job: Job) => {
    // Those of one turn of the event loop travel together.
    if (left.length === 0) {
      setImmediate(() => {
        other.tell(LEFT, left);
        left = [];
      });
    }
    left.push(nameOf(job));
  };
  other.on(TAKEN, ({ jobs, since }) =>
    dispatcher.take(
      jobs.map((job) => within(job, fromShared)),
      fromShared(since),
      leave,
    ),
  );
  other.on(LOST, (lease) => dispatcher.lost(lease));
  let last = "";
  let asked = false;
  const tell = () => {
    asked = false;
    const state: State = { closed: dispatcher.closed().map(nameOf), resting: dispatcher.resting() };
    const now = JSON.stringify(state);
    if (now === last) return;
    last = now;
    other.tell(STATE, state);
  };
  // A thousand signals of one turn are told once.
  const ask = () => {
    if (!asked) setImmediate(tell);
    asked = true;
  };
  other.on(STATE_ASKED, () => {
    last = "";
    ask();
  });
  dispatcher.watch(ask);
}

/** Returns a job with the time of its end on the clock of the other side. */
const within = (job: Job, turn: (ms: number) => number): Job =>
  job.expiresBy === undefined ? job : { ...job, expiresBy: turn(job.expiresBy) };
