import { useMemo } from "react";
import { useLocale } from "../../platform/language/format.ts";
import type { Day } from "./dates.ts";

export interface Times {
  /** The hour or day that begins at this instant, as short as an axis needs. */
  short(at: string): string;
  /** The hour or day in full. */
  full(at: string): string;
  /** From one day to another. */
  days(first: Day, last: Day): string;
}

/** Returns the functions that write hours and days as clocks of the workspace's zone show them. */
export function useTimes(zone: string, bucket: "hour" | "day"): Times {
  const locale = useLocale();
  return useMemo(() => {
    const by = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
    const short = by(bucket === "hour" ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short" });
    const full = by(
      bucket === "hour"
        ? { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }
        : { weekday: "short", day: "numeric", month: "short", year: "numeric" },
    );
    const range = new Intl.DateTimeFormat(locale, { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });
    return {
      short: (at) => short.format(new Date(at)),
      full: (at) => full.format(new Date(at)),
      days: (first, last) => range.formatRange(new Date(first), new Date(last)),
    };
  }, [locale, zone, bucket]);
}
