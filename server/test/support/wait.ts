import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, onTestFinished, TestRunner } from "vitest";

/** Repeats a check until its result is neither undefined, null nor false, and returns it: tests wait for a condition, never for a time. */
export async function until<T>(
  ask: () => Promise<T> | T,
  what = "the condition",
  ms = 60_000,
): Promise<NonNullable<T>> {
  for (const end = Date.now() + ms; ; await sleep(20)) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer as NonNullable<T>;
    if (Date.now() > end) throw new Error(`${what} did not come true within ${ms} ms`);
  }
}

/** Ends a resource: with the test if called inside of one, where vitest silently ignores an afterAll, else with the file. */
export function atEnd(end: () => unknown): void {
  const ended = async () => void (await end());
  if (TestRunner.getCurrentTest() === undefined) afterAll(ended);
  else onTestFinished(ended);
}
