import { normalPassword } from "./password.ts";

const LEAST = 12;
const LEAST_DIFFERENT = 5;

/** What people type along: digits, the alphabet, the rows of keyboards. */
const ROWS = [
  "0123456789",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiop",
  "qwertzuiop",
  "asdfghjkl",
  "zxcvbnm",
  "yxcvbnm",
];
/** Words that most lists of stolen passwords begin with. Of the 49,233 entries of a common list only 308 have 12 characters. */
const WORDS =
  "password passwort passw0rd p@ssw0rd p@ssword administrator admin welcome letmein changeme iloveyou qwerty".split(
    " ",
  );

/**
 * Returns why a new password is refused, or undefined. Length is what counts (NIST SP 800-63B); only what is guessed first is refused.
 * @param own words that anybody knows of this member: the address, the name
 */
export function refusedPassword(password: string, own: string[]): string | undefined {
  const text = normalPassword(password);
  if ([...text].length < LEAST) return `must have ${LEAST} characters or more`;
  const lower = text.toLowerCase();
  if (new Set(lower).size < LEAST_DIFFERENT) return "repeats a few characters: use more different ones";
  if (/^(.+?)\1+$/su.test(lower)) return "repeats one piece of text: anybody guesses that early";
  if (ROWS.some((row) => isAlong(lower, row)))
    return "follows the keyboard or the alphabet: anybody guesses that early";
  const known = [...WORDS, "tidings", ...own.flatMap((name) => namesIn(name.toLowerCase()))];
  const rest = known
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, word) => left.replaceAll(word, ""), lower)
    .replaceAll(/[\d\s\p{P}\p{S}]/gu, "");
  if (rest.length < 4 && known.some((word) => lower.includes(word)))
    return "is a well-known word, your name or your address with a few characters more";
  return undefined;
}

/** Whether the text goes along the row, forwards or backwards, perhaps several times. */
function isAlong(text: string, row: string): boolean {
  const line = row.repeat(Math.ceil(text.length / row.length) + 1);
  return line.includes(text) || [...line].toReversed().join("").includes(text);
}

/** The pieces of an address or a name that somebody would build a password from. */
const namesIn = (text: string): string[] => [text, ...text.split(/[@.\s_+-]/)].filter((piece) => piece.length >= 4);
