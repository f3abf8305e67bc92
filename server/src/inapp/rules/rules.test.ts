import type { InAppDefinition } from "@tidings/contract/inapp/definition";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateGates, NOT_COMPUTED, passes, rulesOf, type SyncContext } from "./gates.ts";
import { isQuiet, type LocalClock, localMinute, minuteOf, quietUntil } from "./quiet-hours.ts";
import { compilePattern, fits, onScreen } from "./screens.ts";

describe("pages", () => {
  test("a pattern matches the same screens as the equivalent regular expression", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "/", "."), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (wild, screen) => {
        const regular = new RegExp(`^${wild.split("*").join("[^]*")}$`);
        expect(fits(compilePattern(wild), screen)).toBe(regular.test(screen));
      }),
      { numRuns: 3_000 },
    );
  });

  test("a pattern that would take a regular expression exponential time is matched fast", () => {
    const pattern = compilePattern(`${"*a".repeat(90)}*b`);
    const start = process.threadCpuUsage();
    expect(fits(pattern, "a".repeat(1_000))).toBe(false);
    // It takes 0.1 ms; as a regular expression it would take longer than the universe has had.
    expect(process.threadCpuUsage(start).user).toBeLessThan(500_000);
  });

  test("exclude wins; a sync without a screen returns only messages for all screens", () => {
    const [all, pay] = [compilePattern("checkout/*"), compilePattern("checkout/pay")];
    expect(onScreen([all], [pay], "checkout/pay")).toBe(false);
    expect(onScreen([all], [pay], "checkout/cart")).toBe(true);
    expect(onScreen([], [pay], undefined)).toBe(true);
    expect(onScreen([all], [], undefined)).toBe(false);
  });
});

describe("quiet hours", () => {
  const device = (timezone: string | undefined, offsetMinutes?: number): LocalClock => ({
    timezone,
    offsetMinutes,
    workspaceZone: "America/New_York",
  });
  const at = (instant: string) => Date.parse(instant);

  test("a window from 22:00 to 08:00 is quiet from 22:00 through 07:59", () => {
    const window = { device: true, start: minuteOf("22:00"), end: minuteOf("08:00") };
    expect(["21:59", "22:00", "00:00", "07:59", "08:00"].map((time) => isQuiet(window, minuteOf(time)))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test("the zone falls back to the offset, then to the workspace's zone", () => {
    const noon = at("2026-07-01T12:00:00Z");
    expect(localMinute(noon, true, device("Asia/Kolkata", 0))).toBe(minuteOf("17:30"));
    expect(localMinute(noon, true, device("Mars/Olympus", -90))).toBe(minuteOf("10:30"));
    expect(localMinute(noon, true, device(undefined, 780))).toBe(minuteOf("01:00"));
    expect(localMinute(noon, true, device(undefined))).toBe(minuteOf("08:00"));
    expect(localMinute(noon, false, device("Asia/Kolkata"))).toBe(minuteOf("08:00"));
    expect(localMinute(noon, false, { ...device("Asia/Kolkata"), workspaceZone: "gone" })).toBe(minuteOf("12:00"));
  });

  test.each([
    ["an ordinary night", "2026-07-01T22:00:00Z", "22:00", "08:00", "2026-07-02T06:00:00.000Z"],
    ["put forward inside the window", "2026-03-28T22:30:00Z", "22:00", "08:00", "2026-03-29T06:00:00.000Z"],
    ["the end is in the hour that is left out", "2026-03-28T23:30:00Z", "22:00", "02:30", "2026-03-29T01:00:00.000Z"],
    ["put back inside the window", "2026-10-24T21:00:00Z", "22:00", "08:00", "2026-10-25T07:00:00.000Z"],
  ])("quiet hours end by the wall clock: %s", (...[, now, start, end, ends]) => {
    const window = { device: true, start: minuteOf(start), end: minuteOf(end) };
    expect(new Date(quietUntil(at(now), window, device("Europe/Berlin"))).toISOString()).toBe(ends);
  });
});

describe("gates", () => {
  const definition = (over: Partial<InAppDefinition>): InAppDefinition => ({
    name: "n",
    render_type: "modal",
    title: null,
    body: "b",
    image_url: null,
    cta: null,
    priority: 50,
    expiry: null,
    screens: { include: [], exclude: [] },
    quiet_hours: null,
    persistence: { mode: "persistent_until_dismissed", per: "person", max_impressions: null, min_interval: null },
    ...over,
  });
  const contextOf = (now: number, screen?: string, cappedUntil = 0): SyncContext => ({
    now,
    screen,
    timezone: undefined,
    offsetMinutes: undefined,
    workspaceZone: "UTC",
    deviceMinute: NOT_COMPUTED,
    workspaceMinute: NOT_COMPUTED,
    cappedUntil,
  });

  test("a message passes exactly when every verdict does", () => {
    const hour = 3_600_000;
    fc.assert(
      fc.property(
        fc.record({
          now: fc.integer({ min: 0, max: 48 }),
          seen: fc.integer({ min: 0, max: 3 }),
          last: fc.option(fc.integer({ min: 0, max: 48 })),
          expires: fc.option(fc.integer({ min: 0, max: 48 })),
          most: fc.option(fc.integer({ min: 1, max: 3 })),
          pause: fc.option(fc.integer({ min: 1, max: 9 })),
          include: fc.constantFrom<string[]>([], ["home"], ["c*"]),
          screen: fc.constantFrom(undefined, "home", "cart"),
          quiet: fc.boolean(),
          held: fc.integer({ min: 0, max: 48 }),
          priority: fc.constantFrom(50, 100),
        }),
        ({ now, seen, last, expires, most, pause, include, screen, quiet, held, priority }) => {
          const rules = rulesOf(
            definition({
              priority,
              screens: { include, exclude: [] },
              quiet_hours: quiet ? { enabled: true, timezone_mode: "device", start: "22:00", end: "08:00" } : null,
              persistence: {
                mode: "persistent_until_dismissed",
                per: "person",
                max_impressions: most,
                min_interval: pause === null ? null : { amount: pause, unit: "hours" },
              },
            }),
          );
          const delivery = {
            impressions: seen,
            last_impression_at: last === null ? null : last * hour,
            expires_at: expires === null ? null : expires * hour,
          };
          const all = evaluateGates(rules, delivery, contextOf(now * hour, screen, held * hour));
          expect(passes(rules, delivery, contextOf(now * hour, screen, held * hour))).toBe(
            all.every((verdict) => verdict.pass),
          );
          for (const { pass, nextEligibleAt } of all) {
            if (nextEligibleAt) expect([pass, nextEligibleAt.getTime() > now * hour]).toEqual([false, true]);
          }
        },
      ),
    );
  });
});
