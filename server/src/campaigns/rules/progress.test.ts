import { expect, test } from "vitest";
import { type CampaignWork, progressIn } from "./progress.ts";

const began = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number) => new Date(began.getTime() + seconds * 1_000);
const work = (of: Partial<CampaignWork>): CampaignWork => ({
  ending: false,
  settling: true,
  work_total: 1_000,
  work_since: began,
  work_left: 750,
  ...of,
});

test("the rest takes as long as the pace until now says, and nothing is said in the first two seconds", () => {
  expect(progressIn(work({}), after(10))).toEqual({
    kind: "moving",
    total: 1_000,
    done: 250,
    seconds_left: 30,
    started_at: began.toISOString(),
  });
  expect(progressIn(work({}), after(1))?.seconds_left).toBeNull();
  expect(progressIn(work({ work_left: 1_000 }), after(10))).toMatchObject({ done: 0, seconds_left: null });
});

test("an archive ends everybody, also who should have moved", () => {
  expect(progressIn(work({ ending: true }), after(10))).toMatchObject({ kind: "ending", done: 250 });
});

test("without work there is no progress, and more runs than were counted are no negative progress", () => {
  expect(progressIn(work({ settling: false }), after(10))).toBeNull();
  expect(progressIn(work({ work_total: null, work_left: 5 }), after(10))).toMatchObject({ total: 5, done: 0 });
});
