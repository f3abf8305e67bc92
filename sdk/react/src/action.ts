import type { Message } from "@tidings/web";

/**
 * What a button of a message leads to. `false` from `onDeepLink` leaves the link to the browser.
 */
export type MessageAction = (value: string, message: Message) => unknown;

/** These would run a text of the message as code in the page, or show it as a page of the same origin. */
const DANGEROUS = ["javascript:", "data:", "vbscript:", "blob:", "filesystem:"];

/**
 * The address of a deep link as a browser reads it, which leaves out tabs, line breaks and leading control characters: so
 * `java\nscript:` is found out too. Undefined where it leads nowhere that a message may.
 */
export function deepLink(value: string | undefined, base: string): string | undefined {
  const url = parsed(value, base);
  return url && !DANGEROUS.includes(url.protocol) ? url.href : undefined;
}

/** The address of an image that may be loaded. */
export function imageAddress(value: string | null, base: string): string | undefined {
  const url = parsed(value ?? undefined, base);
  return url && ["http:", "https:"].includes(url.protocol) ? url.href : undefined;
}

function parsed(value: string | undefined, base: string): URL | undefined {
  if (!value) return undefined;
  try {
    return new URL(value, base);
  } catch {
    return undefined;
  }
}
