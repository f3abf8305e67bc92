import { hash } from "node:crypto";
import { OLDEST, type Position } from "../../activity/index.ts";

/** The position before all rows of a transaction and of those after it. */
export const beforeAll = (txid: string): Position => ({ txid, id: OLDEST.id });

/** A moment, and the number of the next transaction at that moment: who has read past it has all rows of before. */
export interface Mark {
  txid: string;
  at: string;
}

/** Where a stream is: in the rows from before it was added (`old` is the key of the last one), or in the log. */
export type StreamPlace =
  | { old: string[] | null; then: Position; before: string }
  | { log: Position; mark?: Mark | undefined };

/** The batch under way: where it ends, and the day of its first attempt, which is a part of its name. */
export interface Planned {
  to: StreamPlace;
  day: string;
}

/** Whether all rows up to a position are readable where the oldest open transaction is `xmin`. */
export function reaches(xmin: string, { txid, id }: Position): boolean {
  const [open, last] = [BigInt(xmin), BigInt(txid)];
  return open > last || (open === last && id === OLDEST.id);
}

/** Returns the position behind all that can be read where `xmin` is the oldest open transaction; never one before `after`. */
export const behind = (after: Position, xmin: string): Position =>
  BigInt(after.txid) >= BigInt(xmin) ? after : beforeAll(xmin);

/**
 * Returns the name of a batch: the same for each attempt, another for each other batch, and in the order of the batches.
 * @param number how many batches of this stream were sent before
 */
export function nameOf(
  stream: { destinationId: string; table: string; batches: number },
  from: StreamPlace,
  to: StreamPlace,
): string {
  const range = JSON.stringify([stream.destinationId, stream.table, keyOf(from), keyOf(to)]);
  return `${String(stream.batches).padStart(10, "0")}-${hash("sha256", range, "hex").slice(0, 16)}`;
}

const keyOf = (place: StreamPlace) => ("log" in place ? [place.log.txid, place.log.id] : place.old);
