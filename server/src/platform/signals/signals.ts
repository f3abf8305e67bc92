import { randomBytes } from "node:crypto";
import type { OtherThread } from "../threads/other-thread.ts";
import type { Buckets } from "./buckets.ts";

/** Receives items of one topic; must not throw. */
export type Hear = (items: string[]) => void;

/**
 * Live hints between processes: "these changed", never the change itself. PostgreSQL's LISTEN/NOTIFY and NATS implement these four
 * functions. A signal may be lost, so no data depends on it: a lost one delays a client until its next poll, and a cache by up to FRESH_MS.
 */
export interface Signals {
  /** Tells this process at once, and the others within 50 ms. Items are short strings (ids). Never throws. */
  publish(topic: string, items: string[]): void;
  /**
   * Calls `hear` with the items that any process publishes, this one included; with `buckets` only with items in a bucket that it
   * has at the moment. Returns the function that ends the subscription.
   */
  subscribe(topic: string, hear: Hear, buckets?: Buckets): () => void;
  /** Whether signals of other processes arrive at the moment. */
  healthy(): boolean;
  close(): Promise<void>;
}

/** The process of these signals. Its two threads have one name, and tell each other directly what they publish: neither hears it a second time. */
export interface Node {
  name: string;
  other: OtherThread | undefined;
}

/** Returns a name for a process that no other one has. */
export const nameOfNode = (): string => randomBytes(6).toString("base64url");
