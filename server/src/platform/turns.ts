import { setImmediate } from "node:timers/promises";

// One thread serves all workspaces: what takes its time is done in pieces, and between them others have their turn.

/** Of one turn of the event loop, in ms, for all work that asks here. */
const SHARE_MS = 10;
let since: number | undefined;

/** Waits until all others had theirs. */
export const nextTurn = (): Promise<void> => setImmediate();

/**
 * Whether such work has had its share of this turn. Asked right before each piece of work that comes in numbers, such as the
 * items of a batch, and without an await between, in which all of them would be told at once that there is time:
 * `while (turnIsOver()) await nextTurn();`
 */
export function turnIsOver(): boolean {
  if (since !== undefined) return performance.now() - since > SHARE_MS;
  since = performance.now();
  void setImmediate().then(() => {
    since = undefined;
  });
  return false;
}

/** What `make` makes of each, with turns for others between them. */
export async function inTurns<T>(list: Iterable<T>, make: (one: T) => string): Promise<string[]> {
  const made: string[] = [];
  for (const one of list) {
    while (turnIsOver()) await nextTurn();
    made.push(make(one));
  }
  return made;
}

const PIECE = 64 * 1024;

/** Long texts in pieces, with turns for others between them: to encode and write 20 MiB in one go takes 40 ms. */
export async function* inPieces(...texts: string[]): AsyncGenerator<string> {
  for (const text of texts) {
    for (let at = 0; at < text.length; ) {
      while (turnIsOver()) await nextTurn();
      // A character of two units stays whole: each half by itself would be encoded as U+FFFD.
      const last = text.charCodeAt(at + PIECE - 1);
      const end = at + PIECE + (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
      yield text.slice(at, end);
      at = end;
    }
  }
}
