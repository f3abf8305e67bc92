import type { Db } from "../db/index.ts";
import { type FairShare, fairShare } from "./fair-share.ts";

/** What is dear in this process and shared out among the workspaces, so that none of them keeps the others waiting. */
export interface Shares {
  /** Questions over many rows, on connections of their own; see askBriefly. */
  questions: FairShare;
  /** Statements of lists, on connections of their own; see inListTurns. */
  lists: FairShare;
  /** Files under way; see sendFile. */
  exports: FairShare;
  /** Pages of these files that are asked for at once: as many as they have connections. */
  pages: FairShare;
  /** Files that are being read in. */
  imports: FairShare;
  /** Transactions of a thousand rows that somebody asked for (imports, recalls): they leave the senders five of their eight connections. */
  batches: FairShare;
}

/** Connections for questions over many rows. */
export const QUESTIONS = 4;
/** Connections for lists. */
export const LISTS = 4;
/** Connections for the pages of exports. */
export const PAGES = 2;

/** The senders' connections for a batch at a time, each in the workspace's turn. */
export const inBatchTurns = ({ shares, workDb }: { shares: Shares; workDb: Db }, workspaceId: string): Db => ({
  ...workDb,
  transaction: (work) => shares.batches.run(workspaceId, () => workDb.transaction(work)),
});

export const createShares = (): Shares => ({
  questions: fairShare({ of: "previews and counts", most: QUESTIONS, each: 2, held: 10, patienceMs: 20_000 }),
  // A screen asks for several at once, and each takes milliseconds: who has 200 waiting does not look at them.
  lists: fairShare({ of: "lists", most: LISTS, each: 2, held: 200, patienceMs: 20_000 }),
  exports: fairShare({ of: "exports", most: 16, each: 2, held: 2, patienceMs: 20_000 }),
  // A file that was begun is never refused a page: it would end in the middle.
  pages: fairShare({ of: "pages", most: PAGES, each: 1, held: Number.POSITIVE_INFINITY }),
  imports: fairShare({ of: "imports", most: 32, each: 4, held: 4, patienceMs: 20_000 }),
  batches: fairShare({ of: "batches", most: 3, each: 1, held: Number.POSITIVE_INFINITY }),
});
