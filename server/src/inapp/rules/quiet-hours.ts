import { isZone, minuteOfDay } from "../../platform/time/zones.ts";

const DAY = 1_440;
const MINUTE_MS = 60_000;

/** Enabled quiet hours, in minutes of the local day. */
export interface QuietWindow {
  /** True: the clock of the person's device decides; false: the workspace's. */
  device: boolean;
  start: number;
  end: number;
}

/** The zones from which the local time is computed. */
export interface LocalClock {
  /** As the client sent it: it may be no valid zone. */
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

/**
 * The local minute of the day for a window, by the device's zone, else its offset, else the workspace's zone, else UTC.
 * Daylight saving time counts.
 */
export function localMinute(now: number, device: boolean, clock: LocalClock): number {
  if (device) {
    if (clock.timezone !== undefined && isZone(clock.timezone)) return minuteOfDay(new Date(now), clock.timezone);
    if (clock.offsetMinutes !== undefined) {
      const minute = (Math.floor(now / MINUTE_MS) + clock.offsetMinutes) % DAY;
      return minute < 0 ? minute + DAY : minute;
    }
  }
  return minuteOfDay(new Date(now), isZone(clock.workspaceZone) ? clock.workspaceZone : "UTC");
}

/**
 * The instant at which a window that is quiet now ends. It goes forward in steps of half an hour at most, then back minute by
 * minute, because a clock that is put forward inside the last step ends the window early. It computes the local time about 50
 * times; sync never calls it.
 */
export function quietUntil(now: number, window: QuietWindow, clock: LocalClock): number {
  const quietAt = (at: number) => isQuiet(window, localMinute(at, window.device, clock));
  let at = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  while (quietAt(at)) {
    const left = (window.end - localMinute(at, window.device, clock) + DAY) % DAY || DAY;
    at += Math.min(left, 30) * MINUTE_MS;
  }
  while (at - MINUTE_MS > now && !quietAt(at - MINUTE_MS)) at -= MINUTE_MS;
  return at;
}
