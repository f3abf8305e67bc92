import type { Channel } from "@tidings/contract/facts/activity";
import type { MarketingLimits } from "@tidings/contract/workspaces";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { windowAt } from "../../platform/time/window.ts";
import { type Held, holdOf, isMoved, limitsFor, type Received, windowFor } from "./limits.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const start = Date.parse("2026-03-27T00:00:00Z");

const channels = fc.constantFrom<Channel>("email", "push", "sms", "in_app");
const most = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });
const caps = fc
  .record({ per_day: most, per_week: most })
  .map((one) => JSON.parse(JSON.stringify(one)) as Pick<MarketingLimits, "per_day" | "per_week">);
const settings = fc
  .record({ all: caps, email: caps, sms: caps })
  .map(({ all, email, sms }): MarketingLimits => ({ ...all, channels: { email, sms } }));
/** Messages that are to be sent, at most six hours apart. */
const wanted = fc.array(fc.record({ channel: channels, after: fc.integer({ min: 0, max: 6 * HOUR }) }), {
  maxLength: 60,
});
const always = (at: Date): Date => at;

/** Returns what a person gets of the wanted messages: those that are held back are dropped. */
function sent(of: MarketingLimits, list: { channel: Channel; after: number }[]): Received[] {
  const received: Received[] = [];
  let at = start;
  for (const { channel, after } of list) {
    at += after;
    const now = new Date(at);
    const limits = limitsFor(of, channel);
    if (!holdOf({ limits, received, now, opens: always })) received.push({ channel, at: now });
  }
  return received;
}

describe("limits", () => {
  test("no span of a day or a week has more messages than they allow, over all channels and by channel", () => {
    fc.assert(
      fc.property(settings, wanted, (of, list) => {
        const received = sent(of, list);
        for (const channel of ["email", "push", "sms", "in_app"] as const)
          for (const limit of limitsFor(of, channel)) {
            const times = received
              .filter((one) => limit.channel === null || one.channel === limit.channel)
              .map(({ at }) => at.getTime());
            for (const from of times)
              expect(times.filter((at) => at >= from && at < from + limit.ms).length).toBeLessThanOrEqual(limit.most);
          }
      }),
    );
  });

  test("a message that is held back may be sent at the time that the answer names, and not a moment earlier", () => {
    fc.assert(
      fc.property(settings, wanted, channels, (of, list, channel) => {
        const received = sent(of, list);
        const now = new Date(start + 2 * DAY);
        const limits = limitsFor(of, channel);
        const ask = (at: Date) => holdOf({ limits, received, now: at, opens: always });
        const held = ask(now);
        if (!held) return;
        expect(held.by).toBe("limit");
        expect(ask(held.until)).toBeUndefined();
        expect(ask(new Date(held.until.getTime() - 1))).toEqual(held);
      }),
    );
  });

  test("without limits nothing is held back", () => {
    fc.assert(
      fc.property(wanted, (list) => {
        expect(sent({}, list)).toHaveLength(list.length);
      }),
    );
  });
});

describe("a window", () => {
  const window = { from: "09:00", to: "20:00" };
  const opens = (at: Date) => windowAt(window, at, "Europe/Zurich");
  const received: Received[] = [{ channel: "email", at: new Date("2026-03-28T10:00:00Z") }];
  const limits = limitsFor({ per_day: 1 }, "email");

  test("that is closed holds back until it opens, over a night in which the clocks go forward", () => {
    const now = new Date("2026-03-28T22:00:00Z");
    expect(holdOf({ limits, received, now, opens })).toEqual({ by: "window", until: new Date("2026-03-29T07:00:00Z") });
  });

  test("also delays a message for which the limit leaves room at night", () => {
    const now = new Date("2026-03-29T07:30:00Z");
    const late = [{ channel: "email", at: new Date("2026-03-28T19:30:00Z") }] satisfies Received[];
    expect(holdOf({ limits, received: late, now, opens })).toEqual({
      by: "limit",
      until: new Date("2026-03-30T07:00:00Z"),
    });
  });

  test("of the workspace holds for all channels except in-app, and a channel's own replaces it", () => {
    const own = { from: "10:00" };
    const of = { window, channels: { sms: { window: own }, push: { window: null } } };
    expect(windowFor(of, "email")).toEqual(window);
    expect(windowFor(of, "in_app")).toBeUndefined();
    expect(windowFor(of, "sms")).toEqual(own);
    expect(windowFor(of, "push")).toBeUndefined();
    expect(windowFor({ channels: { in_app: { window: own } } }, "in_app")).toEqual(own);
  });
});

test.each([
  ["campaign", "wait", "limit", true],
  ["campaign", "wait", "window", true],
  ["campaign", "drop", "window", false],
  ["broadcast", "wait", "window", true],
  ["broadcast", "wait", "limit", false],
  ["broadcast", "drop", "window", false],
] as const)("a message of a %s that shall %s because of the %s is moved: %s", (source, whenHeld, by, moved) => {
  const held: Held = { by, until: new Date(start) };
  expect(isMoved({ source, whenHeld }, held)).toBe(moved);
});
