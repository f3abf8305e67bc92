import { isZone, minuteOfDay } from "../../platform/time/zones.ts";

const DAY = 1_440;
const MINUTE_MS = 60_000;

/** An enabled window, in minutes of the local day. */
export interface QuietWindow {
  /** The zone of the person's device, not of the workspace. */
  device: boolean;
  start: number;
  end: number;
}

/** What says which clock hangs on the wall. */
export interface Where {
  /** As the client sent it: may be no zone at all. */
  timezone: string | undefined;
  offsetMinutes: number | undefined;
  workspaceZone: string;
}

/** "HH:MM" as a minute of the day. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Quiet in [start, end); a start after the end is an overnight window. */
export function isQuiet(window: QuietWindow, minute: number): boolean {
  return window.start < window.end
    ? minute >= window.start && minute < window.end
    : minute >= window.start || minute < window.end;
}

/** The local minute for a window: the device's zone, else its offset, else the workspace's zone, else UTC. The wall clock decides. */
export function localMinute(now: number, device: boolean, where: Where): number {
  if (device) {
    if (where.timezone !== undefined && isZone(where.timezone)) return minuteOfDay(new Date(now), where.timezone);
    if (where.offsetMinutes !== undefined) {
      const minute = (Math.floor(now / MINUTE_MS) + where.offsetMinutes) % DAY;
      return minute < 0 ? minute + DAY : minute;
    }
  }
  return minuteOfDay(new Date(now), isZone(where.workspaceZone) ? where.workspaceZone : "UTC");
}

/**
 * The instant at which a window that is quiet now ends. Steps of half an hour at most, then back minute by minute, because
 * a clock that is put forward inside the last step ends the window early. About 50 looks at the clock; sync never asks.
 */
export function quietUntil(now: number, window: QuietWindow, where: Where): number {
  const quietAt = (at: number) => isQuiet(window, localMinute(at, window.device, where));
  let at = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  while (quietAt(at)) {
    const left = (window.end - localMinute(at, window.device, where) + DAY) % DAY || DAY;
    at += Math.min(left, 30) * MINUTE_MS;
  }
  while (at - MINUTE_MS > now && !quietAt(at - MINUTE_MS)) at -= MINUTE_MS;
  return at;
}
