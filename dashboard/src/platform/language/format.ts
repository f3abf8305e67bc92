import { useLanguage } from "./language.ts";

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

export interface Format {
  /** A date with the time of day, in the reader's zone or in another one. */
  instant(iso: string, zone?: string): string;
  /** The time of day with seconds. */
  time(iso: string): string;
  date(iso: string): string;
  /** How long ago, or in how long: "3 minutes ago". */
  ago(iso: string, now?: number): string;
  number(value: number): string;
  /** A part of 1, such as "12.5 %". */
  percent(part: number): string;
  /** A length of time between two instants, such as "1.2 s". */
  between(from: string, to: string): string;
  /** Takes the time in milliseconds. */
  length(ms: number): string;
  /** A size such as "1.2 MB". */
  bytes(value: number): string;
}

const formats = new Map<string, Format>();

/** Returns the functions that write dates and numbers as the chosen language does: the same ones to all, because making them takes 1 ms. */
export function useFormat(): Format {
  const locale = useLocale();
  const known = formats.get(locale) ?? formatIn(locale);
  formats.set(locale, known);
  return known;
}

/** Returns the chosen language in the form of the reader's own country, where they read the language of it. */
export function useLocale(): string {
  const language = useLanguage();
  return navigator.languages.find((one) => one.startsWith(language)) ?? language;
}

function formatIn(locale: string): Format {
  const instant = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  const length = (ms: number): string => {
    if (ms < 1_000) return `${ms} ms`;
    if (ms < 60_000) return `${(ms / 1000).toLocaleString(locale, { maximumFractionDigits: 1 })} s`;
    if (ms < 3_600_000) return `${Math.round(ms / 60_000).toLocaleString(locale)} min`;
    return `${(ms / 3_600_000).toLocaleString(locale, { maximumFractionDigits: 1 })} h`;
  };
  return {
    instant(iso, zone) {
      const there =
        zone && new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: zone });
      return (there || instant).format(new Date(iso));
    },
    time: (iso) => time.format(new Date(iso)),
    date: (iso) => date.format(new Date(iso)),
    ago(iso, now = Date.now()) {
      const seconds = (Date.parse(iso) - now) / 1000;
      const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
      return relative.format(Math.trunc(seconds / length), unit);
    },
    number: (value) => value.toLocaleString(locale),
    percent: (part) =>
      part.toLocaleString(locale, { style: "percent", maximumFractionDigits: Math.abs(part) < 0.1 ? 1 : 0 }),
    between: (from, to) => length(Date.parse(to) - Date.parse(from)),
    length,
    bytes(value) {
      const power = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), 3);
      const number = (value / 1_000 ** power).toLocaleString(locale, { maximumFractionDigits: power === 0 ? 0 : 1 });
      return `${number} ${["B", "KB", "MB", "GB"][power]}`;
    },
  };
}
