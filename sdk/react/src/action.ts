import type { Message } from "@tidings/web";

/**
 * Handles the button of a message. Where `onDeepLink` returns `false`, the browser follows the link.
 */
export type MessageAction = (value: string, message: Message) => unknown;

/** These schemes would run text of the message as code in the page, or show it as a page of the same origin. */
const DANGEROUS = ["javascript:", "data:", "vbscript:", "blob:", "filesystem:"];

/**
 * Returns the address of a deep link as a browser reads it, without tabs, line breaks and leading control characters: so
 * `java\nscript:` is refused too. Undefined for an address that a message must not open.
 */
export function deepLink(value: string | undefined, base: string): string | undefined {
  const url = parsed(value, base);
  return url && !DANGEROUS.includes(url.protocol) ? url.href : undefined;
}

/** Returns the address of an image; undefined where it must not be loaded. */
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
