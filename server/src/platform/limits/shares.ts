import type { Db } from "../db/index.ts";
import { type FairShare, fairShare } from "./fair-share.ts";

/** The expensive work of this process. The workspaces share it, so that none of them keeps the others waiting. */
export interface Shares {
  /** Queries over many rows that a person waits for, on connections of their own; see interactiveQuery. */
  interactive: FairShare;
  /** Statements of lists, on connections of their own; see inListTurns. */
  lists: FairShare;
  /** Export files under way; see sendFile. */
  exports: FairShare;
  /** Pages of these files that are read at once: as many as the exports have connections. */
  pages: FairShare;
  /** Contents of deliveries with files in them, from their reading until they are sent. */
  contents: FairShare;
  /** Requests with a large body, from its first byte to the answer; see largeBodiesInTurns. */
  bodies: FairShare;
  /** Images that are received, from the first byte to the answer: each takes up to 10 MB. */
  uploads: FairShare;
  /** Images that are decoded and written anew: each takes a core, and up to 600 MB. */
  images: FairShare;
  /** CSV files that are being read. */
  imports: FairShare;
  /** Transactions of a thousand rows that a request caused (imports, recalls): they leave the senders five of their eight connections. */
  batches: FairShare;
  /** Checks of a domain, which ask its DNS up to 45 questions. */
  lookups: FairShare;
  /** Passwords that are hashed, with turns among the addresses that ask: each takes 32 MiB and a thread. */
  passwords: FairShare;
}

/** Connections for interactive queries. */
export const INTERACTIVE = 4;
/** Connections for lists. */
export const LISTS = 4;
/** Connections for the pages of exports. */
export const PAGES = 2;

/** Returns the senders' pool, whose transactions each wait for the workspace's turn. */
export const inBatchTurns = ({ shares, workDb }: { shares: Shares; workDb: Db }, workspaceId: string): Db => ({
  ...workDb,
  transaction: (work) => shares.batches.run(workspaceId, () => workDb.transaction(work)),
});

export const createShares = (): Shares => ({
  interactive: fairShare({ of: "previews and counts", most: INTERACTIVE, each: 2, held: 10, patienceMs: 20_000 }),
  // A screen asks for several lists at once, and each takes milliseconds: with 200 waiting, nobody looks at the results.
  lists: fairShare({ of: "lists", most: LISTS, each: 2, held: 200, patienceMs: 20_000 }),
  exports: fairShare({ of: "exports", most: 16, each: 2, held: 2, patienceMs: 20_000 }),
  // A page of a file that has begun is never refused: the file would end in the middle.
  pages: fairShare({ of: "pages", most: PAGES, each: 1, held: Number.POSITIVE_INFINITY }),
  contents: fairShare({ of: "large contents", most: 4, each: 2, held: 20, patienceMs: 20_000 }),
  // A body that waits is not read: it takes a connection and no memory. The whole request must arrive within 30 s.
  bodies: fairShare({ of: "large requests", most: 2, each: 1, held: 100, patienceMs: 15_000 }),
  // A slow upload keeps its place for 30 s at most.
  uploads: fairShare({ of: "uploads of images", most: 8, each: 2, held: 8, patienceMs: 20_000 }),
  // An image that was received waits behind 7 others at most, which have 20 s each.
  images: fairShare({ of: "images", most: 1, each: 1, held: Number.POSITIVE_INFINITY }),
  imports: fairShare({ of: "imports", most: 32, each: 4, held: 4, patienceMs: 20_000 }),
  batches: fairShare({ of: "batches", most: 3, each: 1, held: Number.POSITIVE_INFINITY }),
  lookups: fairShare({ of: "checks of domains", most: 8, each: 2, held: 10, patienceMs: 20_000 }),
  // Node has four threads for such work, and file reads and name look-ups need them too.
  passwords: fairShare({ of: "passwords to check", most: 2, each: 1, held: 20, patienceMs: 20_000, among: "address" }),
});
