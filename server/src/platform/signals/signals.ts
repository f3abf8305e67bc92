import type { Buckets } from "./buckets.ts";

/** Hears items of one topic; must not throw. */
export type Hear = (items: string[]) => void;

/**
 * Live hints between processes: "these changed", never the change itself. The seam of four verbs that PostgreSQL's
 * LISTEN/NOTIFY and NATS fill. Nothing that must not be lost travels this way: a lost hint delays a client to its next
 * poll, and a cache to its 5 s.
 */
export interface Signals {
  /** Tells this process at once, and the others within 50 ms. Items are short strings (ids). Never throws. */
  publish(topic: string, items: string[]): void;
  /**
   * Hears of every item published anywhere, this process included; with `buckets` only of those in a bucket that it
   * has at the moment. Gives the function that stops it.
   */
  subscribe(topic: string, hear: Hear, buckets?: Buckets): () => void;
  /** Whether hints from other processes arrive just now. */
  healthy(): boolean;
  close(): Promise<void>;
}
