import type { Ground } from "../../platform/ground.ts";
import type { Job, Message } from "../message/message.ts";

// What the queue knows of who sends: the rooms above it send, so they come to it.

/** Signal that something became due, with the names of its lanes. The table is the truth: a lost one costs a poll's time. */
export const DELIVERIES_DUE = "outbound.due";

export interface Dispatcher {
  /** Leases for messages that this process may send at once, undefined for those that go through the table. */
  accept(batch: Message[]): (string | undefined)[];
  /** Takes over deliveries that were queued with such a lease, asked for at `since` by performance.now(). */
  take(jobs: Job[], since: number): void;
  /** Nobody knows whether what was queued with this lease is there. Where it is, it is sent as soon as the database answers. */
  lost(lease: string): void;
  /** How many providers this process lets rest, for GET /readyz. */
  resting(): number;
  /** Looks for hand-offs that take too long, which it does every few seconds by itself. @param now performance.now() */
  look(now: number): void;
  /** Finishes or releases what is claimed. */
  stop(): Promise<void>;
}

/** The ground of whatever queues. The roof adds the field. */
export interface QueueGround extends Ground {
  /** Who takes over at once what this process queues: undefined where it does not send, or sends no more. */
  readonly sending: { dispatcher: Dispatcher | undefined };
}
