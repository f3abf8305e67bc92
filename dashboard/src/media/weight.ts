import type { Format } from "../platform/language/format.ts";

/** The size of a file in words. */
export function weightOf(bytes: number, format: Format): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${format.number(Math.round(bytes / 1_000))} kB`;
  return `${format.number(Math.round(bytes / 100_000) / 10)} MB`;
}
