import { setTimeout as sleep } from "node:timers/promises";

/** Asks until the answer is neither undefined, null nor false, and gives it: tests wait for a condition, never for a time. */
export async function until<T>(
  ask: () => Promise<T> | T,
  what = "the condition",
  ms = 30_000,
): Promise<NonNullable<T>> {
  for (const end = Date.now() + ms; ; await sleep(20)) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer as NonNullable<T>;
    if (Date.now() > end) throw new Error(`${what} did not come true within ${ms} ms`);
  }
}
