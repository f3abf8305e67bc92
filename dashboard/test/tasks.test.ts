import type { Task as ListedTask } from "@tidings/contract/live";
import { expect, test } from "vitest";
import { next } from "../src/tasks/list.ts";
import { isPaused, isRunning, leftOf, moved, ofListed, shareOf } from "../src/tasks/task.ts";

// What takes long, as the bar at the top shows it.

const start = Date.parse("2026-03-01T12:00:00Z");
const listed = (of: Pick<ListedTask, "type" | "status" | "progress">): ListedTask => ({
  id: "id",
  name: "name",
  target: null,
  started_at: new Date(start).toISOString(),
  ...of,
});
const counts = { total: 100, done: 25, seconds_left: null };

test.each([
  ["broadcasts", "sending", counts, true],
  ["broadcasts", "paused", counts, false],
  ["campaigns", "active", { kind: "moving", ...counts }, true],
  ["campaigns", "archived", { kind: "ending", ...counts }, true],
  ["imports", "running", { bytes: 100, bytes_read: 25 }, true],
  ["webhooks", "running", counts, true],
] as const)("%s that are %s are a quarter done", (type, status, progress, runs) => {
  const task = ofListed(listed({ type, status, progress }), start + 10_000);
  expect([isRunning(task), isPaused(task), shareOf(task)]).toEqual([runs, status === "paused", 0.25]);
});

test("the pace since the beginning says how long the rest takes, also to who has just come", () => {
  const import_ = { type: "imports", status: "running", progress: { bytes: 100, bytes_read: 25 } } as const;
  expect(leftOf(ofListed(listed(import_), start + 10_000), start + 10_000)).toBe(30);
});

test("that of a broadcast says nothing, because it may have been paused", () => {
  const task = ofListed(listed({ type: "broadcasts", status: "sending", progress: counts }), start + 10_000);
  expect(leftOf(task, start + 10_000)).toBeUndefined();
});

test("a campaign without progress has moved everybody", () => {
  const before = ofListed(
    listed({ type: "campaigns", status: "active", progress: { kind: "moving", ...counts } }),
    start + 10_000,
  );
  const after = moved(before, { type: "campaigns", id: "id", status: "active", progress: null }, start + 20_000);
  expect([after.state, after.done, shareOf(after), isRunning(after)]).toEqual(["done", 100, 1, false]);
});

test("a task that the list lacks before the stream tells its end is shown until then, and not for longer than 5 s", () => {
  const sending = ofListed(listed({ type: "broadcasts", status: "sending", progress: counts }), start);
  const before = next([], { listed: [sending], now: start });
  const gone = next(before, { listed: [], now: start + 100 });
  expect(gone).toMatchObject([{ state: "sending", done: 25 }]);
  const told = { type: "broadcasts", id: "id", status: "canceled", progress: counts } as const;
  const ended = next(gone, { told, now: start + 900 });
  expect(next(ended, { expired: start + 60_000 })).toMatchObject([{ state: "canceled", done: 25 }]);
  expect(next(ended, { dismissed: "id" })).toEqual([]);
  expect(next(gone, { expired: start + 4_000 })).toHaveLength(1);
  expect(next(gone, { expired: start + 6_000 })).toEqual([]);
});

test("a campaign whose people are moved again after the first move has ended begins anew", () => {
  const moving = { kind: "moving", total: 100, done: 90, seconds_left: null };
  const first = ofListed(listed({ type: "campaigns", status: "active", progress: moving }), start);
  const told = { type: "campaigns", id: "id", status: "active", progress: null } as const;
  const ended = next([first], { told, now: start + 1_000 });
  const again = { ...moving, total: 20, done: 5 };
  const second = ofListed(listed({ type: "campaigns", status: "active", progress: again }), start + 60_000);
  expect(next(ended, { listed: [second], now: start + 60_000 })).toMatchObject([
    { state: "moving", done: 5, total: 20 },
  ]);
});
