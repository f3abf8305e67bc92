import { decodeId, type Prefix } from "../ids.ts";

/**
 * Returns a regular expression of PostgreSQL that finds this text in any case; no character of it is a wildcard. Both cases of each letter are
 * written out, because a database with the locale C, such as the embedded one, knows no case of letters beyond ASCII.
 */
export const anyCase = (text: string): string => Array.from(text, bothCases).join("");

function bothCases(character: string): string {
  const cases = [character, character.toLowerCase(), character.toUpperCase()];
  // "ß" becomes "SS", which is no single character.
  const single = new Set(cases.filter((one) => Array.from(one).length === 1));
  if (single.size > 1) return `[${[...single].join("")}]`;
  return /[0-9A-Za-z]|\P{ASCII}/u.test(character) ? character : `\\${character}`;
}

const DIGITS = 26;

/** Returns the first and the last UUID whose id begins with this text, which has at least one digit after the prefix; undefined for other texts. */
export function idsFrom(prefix: Prefix, text: string): [first: string, last: string] | undefined {
  const typed = text.toLowerCase();
  if (typed.length <= prefix.length + 1) return undefined;
  const whole = prefix.length + 1 + DIGITS;
  const [first, last] = ["0", "z"].map((digit) => decodeId(prefix, typed.padEnd(whole, digit)));
  return first && last ? [first, last] : undefined;
}

/** Returns what somebody typed to search for, without spaces around it; undefined for nothing. */
export const searched = (q: string | undefined): string | undefined => q?.trim() || undefined;
