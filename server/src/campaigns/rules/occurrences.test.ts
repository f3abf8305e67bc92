import type { TriggerOf } from "@tidings/contract/campaigns/campaigns";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { datesNear, type DayTrigger, isDueOn, nextMoment, occurrencesBetween } from "./occurrences.ts";

const daily: DayTrigger = {
  type: "recurring",
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  at: "09:00",
  audience_id: "aud_x",
};
const between = (trigger: DayTrigger, zones: string[], from: string, until: string) =>
  occurrencesBetween(
    trigger,
    { zones, workspaceZone: "Europe/Berlin" },
    { from: new Date(from), until: new Date(until) },
  ).map(({ day, dueAt, zones: theirs }) => `${day} ${dueAt.toISOString().slice(0, 16)} ${theirs.join(" ")}`);

describe("occurrences", () => {
  test("are due at the time of day of each zone, and people without a zone are in the workspace's", () => {
    expect(between(daily, ["", "Asia/Tokyo", "no/zone"], "2026-05-16T12:00:00Z", "2026-05-17T12:00:00Z")).toEqual([
      "2026-05-17 2026-05-17T00:00 Asia/Tokyo",
      "2026-05-17 2026-05-17T07:00  no/zone",
    ]);
  });

  test("on the two sides of the date line of one moment are two days", () => {
    const zones = ["Pacific/Kiritimati", "Pacific/Honolulu"];
    expect(between(daily, zones, "2026-05-16T18:59:00Z", "2026-05-16T19:00:00Z")).toEqual([
      "2026-05-16 2026-05-16T19:00 Pacific/Honolulu",
      "2026-05-17 2026-05-16T19:00 Pacific/Kiritimati",
    ]);
  });

  test("are on the days of the week in the person's zone", () => {
    const weekly: DayTrigger = { ...daily, days: ["mon"] };
    expect(between(weekly, ["Asia/Tokyo"], "2026-05-10T00:00:00Z", "2026-05-18T12:00:00Z")).toEqual([
      "2026-05-18 2026-05-18T00:00 Asia/Tokyo",
    ]);
  });

  test("at a skipped time are later by what was skipped, and at a time that comes twice they are at the first", () => {
    const at = (time: string): DayTrigger => ({ ...daily, at: time });
    expect(between(at("02:30"), ["Europe/Berlin"], "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z")).toEqual([
      "2026-03-29 2026-03-29T01:30 Europe/Berlin",
    ]);
    expect(between(at("02:30"), ["Europe/Berlin"], "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z")).toEqual([
      "2026-10-25 2026-10-25T00:30 Europe/Berlin",
    ]);
    // Samoa had no 30 December in 2011.
    expect(between(daily, ["Pacific/Apia"], "2011-12-29T20:00:00Z", "2011-12-31T20:00:00Z")).toEqual([
      "2011-12-31 2011-12-30T19:00 Pacific/Apia",
      "2012-01-01 2011-12-31T19:00 Pacific/Apia",
    ]);
  });

  test("are each in exactly one of two adjoining times, and all at moments at which the campaign is planned", () => {
    const minute = fc.integer({ min: 0, max: 60 * 24 * 60 });
    const zones = ["", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Chatham", "Africa/Cairo"];
    const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
    fc.assert(
      fc.property(
        minute,
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 0, max: 3_000 }),
        time,
        (a, b, c, t) => {
          const at = t.map((part) => String(part).padStart(2, "0")).join(":");
          const start = Date.parse("2026-03-01T00:00:00Z") + a * 60_000;
          const [from, middle, until] = [start, start + b * 60_000, start + (b + c) * 60_000].map((ms) => new Date(ms));
          const found = (times: { from: Date | undefined; until: Date | undefined }) =>
            occurrencesBetween({ ...daily, at }, { zones, workspaceZone: "UTC" }, times as { from: Date; until: Date });
          const parts = [...found({ from, until: middle }), ...found({ from: middle, until })];
          expect(parts).toEqual(found({ from, until }));
          for (const { dueAt } of parts) expect(nextMoment(at, new Date(dueAt.getTime() - 1))).toEqual(dueAt);
        },
      ),
      { numRuns: 100 },
    );
  });
});

const onDate = (own: Partial<TriggerOf<"date">> = {}): TriggerOf<"date"> => ({
  type: "date",
  attribute: "renews_at",
  at: "09:00",
  ...own,
});
const before7 = { amount: 7, unit: "days", direction: "before" } as const;

describe("a person's date", () => {
  test("is due on its day, or days before or after it", () => {
    expect(isDueOn(onDate(), "2026-05-17", "2026-05-17", "UTC")).toBe(true);
    expect(isDueOn(onDate({ offset: before7 }), "2026-05-17", "2026-05-10", "UTC")).toBe(true);
    expect(isDueOn(onDate({ offset: { ...before7, direction: "after" } }), "2026-05-17", "2026-05-24", "UTC")).toBe(
      true,
    );
    expect(isDueOn(onDate({ offset: before7 }), "2026-05-17", "2026-05-17", "UTC")).toBe(false);
    expect(isDueOn(onDate(), "2025-05-17", "2026-05-17", "UTC")).toBe(false);
  });

  test("with a time is the day that this moment has in the person's zone", () => {
    const value = "2026-05-17T23:30:00Z";
    expect(isDueOn(onDate(), value, "2026-05-18", "Asia/Tokyo")).toBe(true);
    expect(isDueOn(onDate(), value, "2026-05-17", "America/New_York")).toBe(true);
    expect(isDueOn(onDate(), "2026-05-17", "2026-05-17", "Asia/Tokyo")).toBe(true);
  });

  test("comes each year if the trigger is yearly, from its own year on", () => {
    const birthday = onDate({ yearly: true });
    expect(isDueOn(birthday, "1990-05-17", "2026-05-17", "UTC")).toBe(true);
    expect(isDueOn(birthday, "2030-05-17", "2026-05-17", "UTC")).toBe(false);
    expect(isDueOn(onDate({ yearly: true, offset: before7 }), "1990-01-03", "2026-12-27", "UTC")).toBe(true);
  });

  test("of 29 February is 28 February in years that have no 29th", () => {
    const birthday = onDate({ yearly: true });
    const days = ["2027-02-28", "2027-03-01", "2028-02-28", "2028-02-29", "2100-02-28"];
    expect(days.map((day) => isDueOn(birthday, "1992-02-29", day, "UTC"))).toEqual([true, false, false, true, true]);
  });

  test("that is no date or time as audiences read them is never due", () => {
    for (const value of [1_779_000_000, "1779000000", "17 May 2026", "2026-02-30", null, true, "", ["2026-05-17"]])
      expect(isDueOn(onDate(), value, "2026-05-17", "UTC")).toBe(false);
  });

  test("is found by the dates that the statement asks for", () => {
    const day = fc.date({ min: new Date("1970-01-01"), max: new Date("2060-01-01"), noInvalidDate: true });
    const text = (date: Date) => date.toISOString().slice(0, 10);
    const zone = fc.constantFrom("UTC", "Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kathmandu");
    const offset = fc.option(
      fc.record({
        amount: fc.integer({ min: 1, max: 400 }),
        unit: fc.constant("days" as const),
        direction: fc.constantFrom("before" as const, "after" as const),
      }),
      { nil: undefined },
    );
    const suffix = fc.constantFrom("", "T00:00:00+14:00", "T23:59:59-14:00", "T12:00:00Z");
    const years = fc.integer({ min: 0, max: 3 });
    const person = fc.record({ value: day, yearly: fc.boolean(), where: zone, by: offset, time: suffix, years });
    fc.assert(
      fc.property(person, ({ value, yearly, where, by, time, years }) => {
        const trigger = onDate({ yearly, ...(by && { offset: by }) });
        const own = text(value) + time;
        const shift = by ? by.amount * (by.direction === "before" ? -1 : 1) : 0;
        // Days around the one on which the person is due.
        for (let near = -2; near <= 2; near++) {
          const anchor = new Date(
            Date.UTC(value.getUTCFullYear() + (yearly ? years : 0), value.getUTCMonth(), value.getUTCDate() + near),
          );
          const occurs = text(new Date(anchor.getTime() + shift * 86_400_000));
          const begins = yearly ? own.slice(5, 10) : own.slice(0, 10);
          if (isDueOn(trigger, own, occurs, where)) expect(datesNear(trigger, occurs)).toContain(begins);
        }
      }),
    );
  });
});
