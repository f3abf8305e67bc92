import { setImmediate } from "node:timers/promises";

// One thread serves all workspaces: long work is done in pieces, and other work has its turn between them.

/** How many ms of one turn of the event loop all work that asks here may take together. */
const SHARE_MS = 10;
let since: number | undefined;

/** Waits until all other work had its turn. */
export const nextTurn = (): Promise<void> => setImmediate();

/**
 * Returns whether such work has used up its share of this turn. Call it directly before each of many pieces of work, such as the
 * items of a batch: `while (turnIsOver()) await nextTurn();`. With an await between the call and the work, all of the pieces would
 * hear at once that there is time.
 */
export function turnIsOver(): boolean {
  if (since !== undefined) return performance.now() - since > SHARE_MS;
  since = performance.now();
  void setImmediate().then(() => {
    since = undefined;
  });
  return false;
}

/** Returns the result of `make` for each item; other work has its turn between them. */
export async function inTurns<T>(list: Iterable<T>, make: (one: T) => string): Promise<string[]> {
  const made: string[] = [];
  for (const one of list) {
    while (turnIsOver()) await nextTurn();
    made.push(make(one));
  }
  return made;
}

const PIECE = 64 * 1024;

/** Yields long texts in pieces; other work has its turn between them. To encode and write 20 MiB at once takes 40 ms. */
export async function* inPieces(...texts: string[]): AsyncGenerator<string> {
  for (const text of texts) {
    for (let at = 0; at < text.length; ) {
      while (turnIsOver()) await nextTurn();
      // A character of two UTF-16 units is not split: each half alone would be encoded as U+FFFD.
      const last = text.charCodeAt(at + PIECE - 1);
      const end = at + PIECE + (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
      yield text.slice(at, end);
      at = end;
    }
  }
}
