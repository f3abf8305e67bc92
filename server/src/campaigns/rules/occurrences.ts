import type { CampaignDefinition, Trigger, TriggerOf } from "@tidings/contract/campaigns/campaigns";
import { instantOf } from "../../audiences/index.ts";
import { durationMs } from "../../platform/time/duration.ts";
import { instantOfWall, wallOf } from "../../platform/time/wall-clock.ts";
import { minutesOf, weekdayOf, zoneOf } from "../../platform/time/window.ts";

// When people enter a campaign by a date of theirs, or on days of the week. An occurrence is a day of the calendar (2026-05-17), and each
// person is due on this day at the campaign's time of day in their own zone.

const DAY_MS = 86_400_000;
/** The clocks of all time zones differ by quarters of an hour, and so do the moments at which a campaign may be due. */
const QUARTER_MS = 15 * 60_000;
/** After a longer time out of service, older occurrences are not even recorded as missed. */
const MOST_LATE_MS = 7 * DAY_MS;

/** A trigger that lets people in on days, with its time of day. */
export type DayTrigger = (TriggerOf<"date"> & { at: string }) | TriggerOf<"recurring">;

/** Returns the trigger if it lets people in on days. A trigger without a time of day is incomplete and can't be activated. */
export function dayTriggerOf({ trigger }: Pick<CampaignDefinition, "trigger">): DayTrigger | undefined {
  if (trigger.type === "recurring") return trigger;
  return trigger.type === "date" && trigger.at !== undefined ? { ...trigger, at: trigger.at } : undefined;
}

/** Whether a person who stays the same may be let in again and again. */
export const repeats = (trigger: Trigger): boolean =>
  trigger.type === "recurring" || (trigger.type === "date" && trigger.yearly === true);

/** The people of some zones, who are due at one moment on one day of their calendars. */
export interface Occurrence {
  /** The day as a date: 2026-05-17. */
  day: string;
  dueAt: Date;
  /** The zones as people have them; "" stands for people without a zone, who are in the workspace's. */
  zones: string[];
}

/** Returns the next moment at which a campaign with this time of day can be due in any zone. */
export function nextMoment(at: string, now: Date): Date {
  const shift = (minutesOf(at) * 60_000) % QUARTER_MS;
  return new Date((Math.floor((now.getTime() - shift) / QUARTER_MS) + 1) * QUARTER_MS + shift);
}

/**
 * Returns what becomes due after `from` and not after `until`, the earliest first. A time of day that the clocks skip is due later by the
 * skipped time, and one that they show twice is due the first time. A day that a zone skips has no occurrence there.
 */
export function occurrencesBetween(
  trigger: DayTrigger,
  { zones, workspaceZone }: { zones: string[]; workspaceZone: string },
  { from, until }: { from: Date; until: Date },
): Occurrence[] {
  const since = new Date(Math.max(from.getTime(), until.getTime() - MOST_LATE_MS));
  const found = new Map<string, Occurrence>();
  for (const name of zones) {
    const zone = zoneOf(name, workspaceZone);
    for (let day = midnightOf(since, zone); day <= midnightOf(until, zone); day += DAY_MS) {
      if (trigger.type === "recurring" && !trigger.days.includes(weekdayOf(day))) continue;
      const dueAt = instantOfWall(new Date(day + minutesOf(trigger.at) * 60_000), zone);
      if (dueAt <= since || dueAt > until || midnightOf(dueAt, zone) !== day) continue;
      const key = `${dueAt.getTime()} ${day}`;
      const occurrence = found.get(key) ?? { day: dayText(day), dueAt, zones: [] };
      found.set(key, occurrence);
      occurrence.zones.push(name);
    }
  }
  return [...found.values()].sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.day < b.day ? -1 : 1));
}

/** Returns the midnight before an instant, as a wall time in milliseconds. */
const midnightOf = (instant: Date, zone: string): number =>
  Math.floor(wallOf(instant, zone).getTime() / DAY_MS) * DAY_MS;
const dayText = (midnight: number): string => new Date(midnight).toISOString().slice(0, 10);

/** Returns the day that a person's date must be, so that its occurrence is on this day. */
function anchorOf({ offset }: TriggerOf<"date">, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (!offset) return midnight;
  return midnight + durationMs(offset) * (offset.direction === "before" ? 1 : -1);
}

/**
 * Whether a person's value makes them due on this day. A yearly date counts from the value's own year on. Who was born on 29 February is
 * due on 28 February in years that have no 29th.
 */
export function isDueOn(trigger: TriggerOf<"date">, value: unknown, day: string, zone: string): boolean {
  const own = dateIn(value, zone);
  const anchor = dayText(anchorOf(trigger, day));
  if (own === undefined) return false;
  if (!trigger.yearly) return own === anchor;
  if (own > anchor) return false;
  return yearDay(own) === yearDay(anchor) || (yearDay(own) === "02-29" && isLastOfShortFebruary(anchor));
}

/** Returns the date that a value has in a zone; undefined where audiences read no date or time in it. */
function dateIn(value: unknown, zone: string): string | undefined {
  const instant = instantOf(value);
  if (!instant) return undefined;
  return (value as string).length === 10 ? (value as string) : dayText(midnightOf(instant, zone));
}

const yearDay = (date: string): string => date.slice(5);
const isLastOfShortFebruary = (date: string): boolean =>
  yearDay(date) === "02-28" && new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).getUTCDate() === 1;

/**
 * Returns the dates, or without years where the trigger is yearly, with which the values of due people begin: a time with an offset may
 * be two days off in the person's zone.
 */
export function datesNear(trigger: TriggerOf<"date">, day: string): string[] {
  const anchor = anchorOf(trigger, day);
  const near = [-2, -1, 0, 1, 2].map((days) => dayText(anchor + days * DAY_MS));
  if (!trigger.yearly) return near;
  const yearDays = near.map(yearDay);
  return [...new Set(yearDays.includes("02-28") ? [...yearDays, "02-29"] : yearDays)];
}
