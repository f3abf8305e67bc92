import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that never waits, such as a render, would otherwise block the process until the last item is done. */
const LONGEST_TURN_MS = 5;

/**
 * Does `work` for each item, at most `most` at once, and returns the results in the order of the items. Requests and sockets have
 * their turn in between. After an error no further item is begun. @throws the first error, once the items under way have ended
 */
export async function atMost<T, R>(most: number, items: T[], work: (item: T, i: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  let failed = false;
  let since = performance.now();
  async function lane(): Promise<void> {
    for (const [i, item] of left) {
      if (performance.now() - since > LONGEST_TURN_MS) {
        await nextTurn();
        since = performance.now();
      }
      if (failed) return;
      try {
        results[i] = await work(item, i);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, lane));
  const fault = ends.find((end) => end.status === "rejected");
  if (fault) throw fault.reason;
  return results;
}
