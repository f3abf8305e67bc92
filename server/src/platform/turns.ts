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
