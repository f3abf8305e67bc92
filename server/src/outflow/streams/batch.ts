import type { DestinationTable } from "@tidings/contract/destinations";
import type { Queries } from "../../platform/db/index.ts";
import type { Body } from "../far-ends/far-end.ts";
import { type StreamPlace, reaches } from "./place.ts";
import { neededFor, type StreamPage, readPage } from "./read.ts";

/** A batch ends with the page that reaches one of these. Four batches at once are in the memory of a process. */
const MOST_ROWS = 10_000;
const MOST_BYTES = 8 * 1024 * 1024;
const PAGE = 1_000;

/** What was read of one batch, and where the next one begins. */
export interface Batch {
  rows: number;
  to: StreamPlace;
  /** Whether more rows can be read now. */
  more: boolean;
  at: Date | undefined;
}

interface BatchRange {
  workspaceId: string;
  table: DestinationTable;
  from: StreamPlace;
  /** The end of a batch that was planned before. */
  to: StreamPlace | undefined;
}

/** The databases to read from: `lagging` may be a replica. */
interface Databases {
  lagging: Queries;
  primary: Queries;
}

/**
 * Reads the next batch of a table into a body: up to a planned end, or else as much as is there and fits. Returns undefined while
 * a transaction from before the stream was added is open: its rows belong to the old ones.
 */
export async function readBatch(
  databases: Databases,
  { workspaceId, table, from, to }: BatchRange,
  body: Pick<Body, "add">,
): Promise<Batch | undefined> {
  const batch: Batch = { rows: 0, to: from, more: true, at: undefined };
  let bytes = 0;
  while (batch.more && (to !== undefined || (batch.rows < MOST_ROWS && bytes < MOST_BYTES))) {
    const page = await caughtUp(databases, { workspaceId, table, from: batch.to, to });
    if (!page) return undefined;
    bytes += await body.add(page.rows);
    batch.rows += page.rows.length;
    Object.assign(batch, { to: page.next, more: page.more, at: page.at ?? batch.at });
  }
  // What was written meanwhile is behind the end of the old rows, in the log.
  if ("log" in batch.to && !("log" in from)) batch.more = true;
  return batch;
}

/** Reads a page from a replica that is far enough, or else from the primary: one that lags must not make a stream skip rows. */
async function caughtUp(
  { lagging, primary }: Databases,
  { workspaceId, table, from, to }: BatchRange,
): Promise<StreamPage | undefined> {
  const needed = neededFor(from, to);
  for (const q of [lagging, primary]) {
    const page = await readPage(q, table, { workspaceId, limit: PAGE }, { from, to });
    if (!needed || reaches(page.xmin, needed)) return page;
  }
  return undefined;
}
