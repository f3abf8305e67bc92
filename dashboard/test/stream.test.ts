import type { Event } from "@tidings/contract/webhooks";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import {
  beginning,
  emptyFeed,
  type Feed,
  type FeedEntry,
  MOST_ROWS,
  released,
  withLive,
  withNewest,
  withOlder,
} from "../src/activity/log/feed.ts";
import { isShown, logFiltersOf } from "../src/activity/log/filters.ts";
import { isConcerned, ofActivity, ofChange, ofProgress } from "../src/live/concerns.ts";
import { createParser, type SentEvent } from "../src/live/parser.ts";
import { createRefresher } from "../src/live/refresher.ts";
import { behind } from "../src/platform/call/behind.ts";
import { type Mark, marked, secondsLeft } from "../src/tasks/pace.ts";

afterEach(() => vi.useRealTimers());

const STREAM = `: connected

retry: 2840

id: one

id: two
event: activity
data: {"a":"Grüße"}

: hb

event: changed
data: {"b":
data: 1}

`;

test("the stream says the same wherever its text is cut", () => {
  const read = (parts: string[]) => {
    const heard: (SentEvent | string | number)[] = [];
    const parse = createParser({
      event: (sent) => heard.push(sent),
      position: (id) => heard.push(id),
      retry: (ms) => heard.push(ms),
    });
    for (const part of parts) parse(part);
    return heard;
  };
  const whole = [
    2840,
    "one",
    { event: "activity", data: '{"a":"Grüße"}', id: "two" },
    "two",
    { event: "changed", data: '{"b":\n1}', id: undefined },
  ];
  expect(read([STREAM])).toEqual(whole);
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
      expect(read(at.map((from, i) => STREAM.slice(from, at[i + 1])))).toEqual(whole);
    }),
  );
});

const data = {
  person_id: "ada/1",
  delivery_id: "dlv_1",
  channel: "email",
  source: "broadcast",
  source_id: "bc_1",
  step_id: null,
  variant: null,
  message_id: null,
  recipient: null,
  details: {},
} satisfies Event["data"];

test.each([
  [ofActivity({ type: "email.sent", data }), "/deliveries", true],
  [ofActivity({ type: "email.sent", data }), "/deliveries/dlv_1", true],
  [ofActivity({ type: "email.sent", data }), "/deliveries/dlv_2", false],
  [ofActivity({ type: "email.sent", data }), "/outbox", true],
  [ofActivity({ type: "email.opened", data }), "/outbox", false],
  [ofActivity({ type: "email.sent", data }), "/broadcasts/bc_1/metrics", true],
  [ofActivity({ type: "email.sent", data }), "/broadcasts/bc_1", false],
  [ofActivity({ type: "email.sent", data }), "/people/ada%2F1/timeline", true],
  [ofActivity({ type: "email.sent", data }), "/people/ada%2F1", false],
  [ofActivity({ type: "email.sent", data }), "/people", false],
  [ofActivity({ type: "person.identified", data: { ...data, delivery_id: null } }), "/people/ada%2F1/devices", true],
  [ofActivity({ type: "person.identified", data: { ...data, delivery_id: null } }), "/people/ada", false],
  [ofActivity({ type: "person.identified", data: { ...data, delivery_id: null } }), "/people", true],
  [ofChange({ type: "topics", id: "top_1" }), "/topics", true],
  [ofChange({ type: "topics", id: "top_1" }), "/topics/top_1/x", true],
  [ofChange({ type: "topics", id: "top_1" }), "/topics/top_10", false],
  [ofChange({ type: "topics", id: null }), "/topics/top_10", true],
  [ofChange({ type: "topics", id: null }), "/audit", true],
  [ofProgress({ type: "broadcasts", id: "bc_1", status: "sending", progress: null }), "/broadcasts", true],
  [ofProgress({ type: "broadcasts", id: "bc_1", status: "sending", progress: null }), "/broadcasts/bc_2", false],
])("%j concerns %s: %s", ({ exact, below }, path, concerned) => {
  expect(isConcerned(path, new Set(exact), new Set(below))).toBe(concerned);
});

/** Shows a path of a workspace on a page; counts how often it is read. */
function shown(queries: QueryClient, key: unknown[], answer: unknown = {}) {
  const seen = { reads: 0, end: () => {} };
  const queryFn = async () => {
    seen.reads++;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return answer;
  };
  seen.end = new QueryObserver(queries, { queryKey: key, queryFn, staleTime: 60_000 }).subscribe(() => {});
  return seen;
}

test("a thousand entries a second read what is on the page again a few times, and other things never", async () => {
  vi.useFakeTimers();
  const queries = new QueryClient();
  const refresher = createRefresher(queries, "wsp");
  const [list, other, theirs] = [
    shown(queries, ["wsp", "/deliveries", {}]),
    shown(queries, ["wsp", "/topics", {}]),
    shown(queries, ["another", "/deliveries", {}]),
  ];
  const scrolled = shown(queries, ["wsp", "/deliveries", { q: "x" }], { pages: [1, 2] });
  await vi.advanceTimersByTimeAsync(100);
  for (let i = 0; i < 5_000; i++) {
    refresher.concerned(ofActivity({ type: "email.sent", data: { ...data, delivery_id: `dlv_${i}` } }));
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(list.reads).toBeGreaterThan(2);
  expect(list.reads).toBeLessThan(7);
  await vi.advanceTimersByTimeAsync(3_000);
  const settled = list.reads;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([list.reads, other.reads, theirs.reads]).toEqual([settled, 1, 1]);
  // Somebody reads further down: their rows stay, and they learn that there are newer ones.
  expect([scrolled.reads, behind.has('["wsp","/deliveries",{"q":"x"}]')]).toEqual([1, true]);
  refresher.stop();
  for (const { end } of [list, other, theirs, scrolled]) end();
});

const entry = (n: number, type = "email.sent"): FeedEntry => ({
  id: `act_${n}`,
  type,
  timestamp: "2026-11-23T12:00:00.000Z",
  data,
  cursor: String(n),
});

/** What GET /activity answers while the log has the entries up to `end`, from before `cursor` on. */
const page = (end: number, cursor: string | undefined, limit: number) => {
  const from = cursor === undefined ? end : Number(cursor) - 1;
  const listed = Array.from({ length: Math.min(limit, from) }, (_, i) => ({ ...entry(from - i), cursor: undefined }));
  return { data: listed, next_cursor: from > limit ? String(from - limit + 1) : null };
};

test("whatever comes when, the feed has each entry once, in order and without a gap", () => {
  const step = fc.oneof(
    fc.record({
      is: fc.constant("told" as const),
      count: fc.integer({ min: 1, max: 700 }),
      again: fc.nat(20),
      still: fc.boolean(),
    }),
    fc.record({ is: fc.constantFrom("older" as const, "released" as const, "begun" as const, "answered" as const) }),
  );
  fc.assert(
    fc.property(fc.nat(300), fc.array(step, { maxLength: 12 }), (first, steps) => {
      let end = first;
      let feed: Feed = withNewest(beginning(emptyFeed), page(end, undefined, 100));
      let asked = end;
      const begin = () => {
        asked = end;
        feed = beginning(feed);
      };
      // The service answers with what there was up to the position of the stream when it was asked.
      const read = () => {
        feed = withNewest(feed, page(asked, undefined, 100));
      };
      for (const one of steps) {
        if (one.is === "told") {
          const from = Math.max(end - one.again, 0);
          end += one.count;
          const told = Array.from({ length: end - from }, (_, i) => entry(from + i + 1));
          feed = withLive(feed, told, one.still);
        } else if (one.is === "older" && feed.older && !feed.beginning)
          feed = withOlder(feed, page(end, feed.older, 100));
        else if (one.is === "begun" || (one.is === "released" && feed.gap)) begin();
        else if (one.is === "released") feed = released(feed);
        else if (one.is === "answered" && feed.beginning) read();
        const ids = feed.rows.map(({ id }) => Number(id.slice(4)));
        expect(ids.findIndex((id, i) => id !== (ids[0] as number) - i)).toBe(-1);
        expect(ids.length).toBeLessThanOrEqual(MOST_ROWS + 100);
        if (feed.older === null && ids.length > 0) expect(ids.at(-1)).toBe(1);
      }
      if (feed.gap || feed.beginning) {
        begin();
        read();
      }
      feed = released(feed);
      expect(feed.rows[0]?.id).toBe(end === 0 ? undefined : `act_${end}`);
    }),
  );
});

test("an entry of the stream is shown where the list of the service would have it", () => {
  const of = (filters: object, type = "email.bounced") => isShown({ type, data }, logFiltersOf({ ...filters }));
  expect(of({})).toBe(true);
  expect([of({ type: "email.*" }), of({ type: "email.bounced" }), of({ type: "email.sent" })]).toEqual([
    true,
    true,
    false,
  ]);
  expect([of({ channel: "email" }), of({ channel: "sms" })]).toEqual([true, false]);
  expect([of({ channel: "email" }, "person.suppressed"), of({ source: "campaign" })]).toEqual([false, false]);
  expect([of({ source: "broadcast", source_id: "bc_1" }), of({ source_id: "bc_2" })]).toEqual([true, false]);
  expect([of({ person_id: "ada/1" }), of({ person_id: "ada" })]).toEqual([true, false]);
  // What the address says wrongly filters nothing.
  expect(logFiltersOf({ type: "fax.sent", channel: 7, source: "x", extra: "y" })).toEqual({});
});

test("at an even pace the time left is exact; nobody claims to know it too early or while nothing moves", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 3, max: 90 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (perSecond, seconds, rest) => {
        let marks: readonly Mark[] = [];
        for (let s = 0; s <= seconds; s++) marks = marked(marks, { at: s * 1_000, done: s * perSecond });
        const done = seconds * perSecond;
        expect(secondsLeft(marks, done + rest, seconds * 1_000)).toBe(Math.ceil(rest / perSecond));
        expect(secondsLeft(marks, done, seconds * 1_000)).toBe(0);
        expect(marks.length).toBeLessThanOrEqual(32);
      },
    ),
  );
  expect(secondsLeft([], 10, 0)).toBeUndefined();
  expect(
    secondsLeft(
      [
        { at: 0, done: 1 },
        { at: 500, done: 5 },
      ],
      10,
      500,
    ),
  ).toBeUndefined();
  expect(
    secondsLeft(
      [
        { at: 0, done: 5 },
        { at: 9_000, done: 5 },
      ],
      10,
      9_000,
    ),
  ).toBeUndefined();
});

test("the time left is never negative, grows while work stands still, and forgets a pace of long ago", () => {
  const some = fc.array(fc.record({ wait: fc.integer({ min: 100, max: 20_000 }), more: fc.nat(500) }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(some, fc.nat(5_000), (moves, stands) => {
      let marks: readonly Mark[] = [{ at: 0, done: 0 }];
      let [at, done] = [0, 0];
      for (const { wait, more } of moves) {
        [at, done] = [at + wait, done + more];
        marks = marked(marks, { at, done });
      }
      const [now, later] = [secondsLeft(marks, 100_000, at), secondsLeft(marks, 100_000, at + stands)];
      if (now !== undefined && later !== undefined) expect(later).toBeGreaterThanOrEqual(now);
      expect(now ?? 0).toBeGreaterThanOrEqual(0);
      expect(at - (marks[0] as Mark).at).toBeLessThanOrEqual(30_000 + 20_000);
    }),
  );
  expect(marked([{ at: 0, done: 90 }], { at: 1, done: 3 })).toEqual([{ at: 1, done: 3 }]);
});
