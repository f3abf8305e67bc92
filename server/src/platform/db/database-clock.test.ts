import { expect, test } from "vitest";
import { databaseClock } from "./database-clock.ts";

/** A database whose clock is so many ms ahead of ours, and whose answer takes a while to come. */
const database = (ahead: () => number) => ({
  distributed: false,
  query: async () => [{ at: Date.now() + ahead() }] as never[],
  execute: async () => 0,
});

test("a process whose clock is wrong uses the database's clock, otherwise its own", async () => {
  let ahead = 0;
  let own = 0;
  const clock = databaseClock(
    database(() => ahead),
    () => Date.now() + own,
  );
  const off = () => clock.now().getTime() - (Date.now() + ahead);
  for (const [theirs, ours] of [
    [0, 0],
    [0, 300_000],
    [0, -300_000],
    [120_000, 60_000],
    [0, 0],
  ] as const) {
    [ahead, own] = [theirs, ours];
    await clock.compare();
    expect(Math.abs(off())).toBeLessThan(1_000);
  }
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(Date.now() - 10);
  clock.stop();
});

test("without an answer it stays as it was", async () => {
  const clock = databaseClock({
    distributed: false,
    query: () => Promise.reject(new Error("silent")),
    execute: async () => 0,
  });
  await expect(clock.compare()).rejects.toThrow("silent");
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1_000);
  clock.stop();
});
