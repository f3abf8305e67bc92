import type { Ground } from "../../platform/ground.ts";
import type { Job, Message } from "../message/message.ts";

// The queue's view of the part that sends. That is in the rooms above, so they implement this interface.

/** Signal that deliveries became due, with the names of their lanes. A lost one only delays them until the next poll of the table. */
export const DELIVERIES_DUE = "outbound.due";

export interface Dispatcher {
  /** Returns a lease for each message that this process may send at once, and undefined for those that go through the table. */
  accept(batch: Message[]): (string | undefined)[];
  /** Takes over deliveries that were queued with such a lease. @param since time of performance.now() at which it began */
  take(jobs: Job[], since: number): void;
  /** Reports that the commit of deliveries with this lease is unknown. Those that exist are sent as soon as the database answers. */
  lost(lease: string): void;
  /** Returns how many providers rest in this process, for GET /readyz. */
  resting(): number;
}

/** The ground of the code that queues. The roof adds the field. */
export interface QueueGround extends Ground {
  /**
   * Takes over at once what this process queues. The dispatcher is undefined where the process does not send, or sends no more; in the thread that answers
   * requests it is that of the thread that sends.
   */
  readonly sending: { dispatcher: Dispatcher | undefined };
}
