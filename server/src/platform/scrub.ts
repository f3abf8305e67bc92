import { LRUCache } from "lru-cache";
// A remote server's answer may contain the credentials that we sent: an error may repeat the request, a server may echo it. Code that
// stores, logs or shows such a text must first pass it through a scrubber of these credentials.

/** Replaces secrets in a text, in all forms in which they may appear. */
export type Scrub = (text: string) => string;

const MASK = "***";
/** Shorter ones would make holes in any sentence; no API hands out a key of three letters. */
const SHORTEST = 4;
/** A secret of at least this many bytes is found in the base64 of a longer text. A shorter one would match unrelated words by chance. */
const SHORTEST_CORE = 8;
/** Lines of a PEM key from this length on are secrets by themselves. */
const SHORTEST_LINE = 16;

/**
 * Returns a scrubber of these secrets. It finds them as they are, escaped for JSON, a URL or HTML, and in base64, alone or together with
 * other text (`user:password`, `\0user\0password`).
 * @param secrets an object whose texts are secret, such as a provider's credentials
 * @param beside texts that may be encoded together with a short secret, such as the settings with their user
 */
export function scrubber(secrets: object, beside: object = {}): Scrub {
  const values = textsIn(secrets).flatMap(partsOf);
  let forms: { plain: RegExp | undefined; core: RegExp | undefined } | undefined;
  return (text) => {
    forms ??= { plain: anyOf(plainForms(values, textsIn(beside))), core: anyOf(values.flatMap(coresOf)) };
    const { plain, core } = forms;
    // Each run of base64 is searched once: a pattern for the text around a core would read a long run many times.
    const without = core ? text.replaceAll(RUN, (run) => (run.search(core) >= 0 ? MASK : run)) : text;
    return plain ? without.replaceAll(plain, MASK) : without;
  };
}

/** Replaces these secrets once, in plain and escaped form: for a secret of a single call, such as its token. */
export function scrubbed(text: string, secrets: string[]): string {
  const forms = anyOf(secrets.filter((secret) => secret.length >= SHORTEST).map(escaped));
  return forms ? text.replaceAll(forms, MASK) : text;
}

/** Base64 of both alphabets, also where it is escaped in a URL or in JSON. */
const RUN = /[A-Za-z0-9+/_=%\\-]{8,}/g;

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A secret of several lines is found by its lines: a server that quotes a key may break the lines elsewhere. */
function partsOf(secret: string): string[] {
  if (secret.length < SHORTEST) return [];
  const lines = secret.split(/\r?\n|\\n/).filter((line) => line.length >= SHORTEST_LINE && !line.startsWith("---"));
  return lines.length > 1 ? lines : [secret];
}

function plainForms(values: string[], beside: string[]): string[] {
  const base64 = (text: string) => Buffer.from(text).toString("base64").replace(/=+$/, "");
  const short = values.filter((value) => Buffer.byteLength(value) < SHORTEST_CORE);
  const pairs = short.flatMap((value) =>
    [...beside, "api"].flatMap((user) => [`${user}:${value}`, `\0${user}\0${value}`, `${user}\0${user}\0${value}`]),
  );
  return [...[...short, ...pairs].map(base64).map(inBase64), ...values.map(escaped)];
}

/** Returns the base64 that every text with this secret has in common, for each of the three offsets at which the secret may begin. */
function coresOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < SHORTEST_CORE) return [];
  return [0, 1, 2].map((before) => {
    const from = before === 0 ? 0 : 3 - before;
    const whole = bytes.subarray(from, from + Math.floor((bytes.length - from) / 3) * 3);
    return inBase64(whole.toString("base64"));
  });
}

const inBase64 = (base64: string): string =>
  base64.replaceAll("+", "(?:[+-]|%2[bB])").replaceAll("/", "(?:\\\\?/|_|%2[fF])");

/** Sorts the longest first: if two begin alike, the shorter one would leave the rest of the longer one. */
function anyOf(patterns: string[]): RegExp | undefined {
  if (patterns.length === 0) return undefined;
  return new RegExp([...new Set(patterns)].sort((a, b) => b.length - a.length).join("|"), "g");
}

/** Returns a pattern for a text: each character matches as it is and in its escaped forms. */
const escaped = (text: string): string => [...text].map((letter) => LETTERS.get(letter) ?? patternOf(letter)).join("");

const LETTERS = new LRUCache<string, string>({ max: 1_000 });
const NAMED: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
const SHORT: Record<string, string> = { "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f" };

function patternOf(letter: string): string {
  const pattern = /^[A-Za-z0-9]$/.test(letter) ? letter : `(?:${formsOf(letter).join("|")})`;
  LETTERS.set(letter, pattern);
  return pattern;
}

function formsOf(letter: string): string[] {
  const code = letter.codePointAt(0) as number;
  const hex = (number: number, digits: number) =>
    [...number.toString(16).padStart(digits, "0")]
      .map((digit) => (digit > "9" ? `[${digit}${digit.toUpperCase()}]` : digit))
      .join("");
  const literal = letter.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return [
    Array.from({ length: letter.length }, (_, i) => `\\\\u${hex(letter.charCodeAt(i), 4)}`).join(""),
    [...Buffer.from(letter)].map((byte) => `%${hex(byte, 2)}`).join(""),
    `&#0*${code};`,
    `&#[xX]0*${hex(code, 1)};`,
    ...(NAMED[letter] === undefined ? [] : [`&${NAMED[letter]};`]),
    ...(SHORT[letter] === undefined ? [] : [`\\\\${SHORT[letter]}`]),
    ...(letter === " " ? ["\\+"] : []),
    // This one is last, because `%` is the start of `%25`.
    `\\\\?${literal}`,
  ];
}
