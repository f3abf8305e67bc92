import { describe, expect, test } from "vitest";
import { outlook, type Pace, paced } from "./pace.ts";

describe("the pace", () => {
  const at = (seconds: number) => new Date(seconds * 1_000);
  const way = { status: "sending", total: 10_000, waiting: false };
  /** 100 people each second. */
  const after = (seconds: number): Pace => {
    let pace: Pace | null = null;
    for (let s = 0; s <= seconds; s++) pace = paced(pace, at(s), s * 100);
    return pace as Pace;
  };

  test("is unknown at first, then the recent one, from which the time of the rest follows", () => {
    const outlookAt = (seconds: number) => outlook({ ...way, done: seconds * 100, pace: after(seconds) }, at(seconds));
    expect(outlookAt(1)).toEqual({ people_per_second: null, seconds_left: null });
    expect(outlookAt(5)).toEqual({ people_per_second: 100, seconds_left: 95 });
    expect(outlookAt(25)).toEqual({ people_per_second: 100, seconds_left: 75 });
  });

  test("falls while nothing is done, and is unknown while the broadcast is not sending", () => {
    const pace = after(20);
    const slow = outlook({ ...way, done: 2_100, pace }, at(200));
    expect(slow.people_per_second).toBeLessThan(10);
    expect(outlook({ ...way, done: pace.from.done, pace }, at(200))).toEqual({
      people_per_second: 0,
      seconds_left: null,
    });
    for (const status of ["paused", "draft", "scheduled", "canceled", "failed"])
      expect(outlook({ ...way, status, done: 2_100, pace }, at(21))).toEqual({
        people_per_second: null,
        seconds_left: null,
      });
    expect(outlook({ ...way, status: "sent", done: 10_000, pace }, at(21)).seconds_left).toBe(0);
  });

  test("tells no end while the audience is collected or local times are still to come", () => {
    for (const unknown of [{ total: null }, { waiting: true }])
      expect(outlook({ ...way, ...unknown, done: 2_100, pace: after(20) }, at(21)).seconds_left).toBeNull();
  });
});
