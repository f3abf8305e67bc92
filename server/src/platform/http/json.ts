import { isUtf8 } from "node:buffer";
import { randomBytes } from "node:crypto";
import { badField, Problem } from "./problem.ts";

export const MOST_DEPTH = 32;
export const MOST_KEYS = 1_000;

const refuse = (what: string): Problem =>
  new Problem("invalid_request", `The body ${what}.`, { errors: [{ pointer: "", message: what }] });

/**
 * JSON from the outside. Beyond JSON.parse it refuses what PostgreSQL rejects or silently alters and what would hurt
 * later: invalid UTF-8, NUL, lone surrogates, numbers that a double can't hold, more than 32 levels (JSON.parse takes a
 * million, JSON.stringify fails at 5,000), more than 1,000 keys in an object, a key twice, `__proto__` and `constructor`.
 * @throws Problem invalid_request
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw refuse("is not valid UTF-8");
  const text = bytes.toString("utf8");
  const { keys, escaped } = scan(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(`is not valid JSON (${(error as Error).message.replace(/,? ?"?\.\.\..*$/s, "").slice(0, 120)})`);
  }
  if (escaped.length > 0) value = parseEscaped(text, escaped);
  if (checkValue(value, TOP) !== keys) throw refuse("has an object with the same key twice");
  return value;
}

/**
 * V8 may read an escaped key as another one that it met at this place of an object before and that is how this one begins in
 * its spelling (nodejs/node#63785): once one caller has sent the key `a\`, the key `"a\u00f6"` of all others was that one. So each
 * escaped key is read behind a mark that nobody has sent, and gets its name back afterwards.
 */
function parseEscaped(text: string, starts: number[]): unknown {
  const nonce = randomBytes(12).toString("hex");
  let marked = "";
  let from = 0;
  starts.forEach((start, i) => {
    marked += text.slice(from, start + 1) + nonce + String(i).padStart(COUNT, "0");
    from = start + 1;
  });
  return unmarked(JSON.parse(marked + text.slice(from)), nonce);
}
/** Digits that number the keys of a body of 20 MiB, the largest there is. */
const COUNT = 8;

function unmarked(value: unknown, nonce: string): unknown {
  if (Array.isArray(value)) return value.map((one) => unmarked(one, nonce));
  if (typeof value !== "object" || value === null) return value;
  const named = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = key.startsWith(nonce) ? key.slice(nonce.length + COUNT) : key;
    // An assignment of `__proto__` would set it, where the check behind this is to find and refuse it.
    Object.defineProperty(named, name, {
      value: unmarked(inner, nonce),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return named;
}

/**
 * Walks the raw text once, before anything recursive sees it. Gives the number of keys as written, each colon outside a string
 * stands behind one, and where those with an escape begin.
 */
function scan(text: string): { keys: number; escaped: number[] } {
  const escaped: number[] = [];
  const plain = !text.includes("\\");
  let depth = 0;
  let keys = 0;
  let start = 0;
  let end = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) {
      start = i;
      i = end = endOfString(text, i);
    } else if (code === 123 || code === 91) {
      if (++depth > MOST_DEPTH) throw refuse(`is nested deeper than ${MOST_DEPTH} levels`);
    } else if (code === 125 || code === 93) depth--;
    else if (code === 58) {
      keys++;
      if (!plain && text.slice(start, end).includes("\\")) escaped.push(start);
    } else if (
      code === 45 &&
      (text.charCodeAt(i - 1) | 32) === 101 &&
      Number.parseInt(text.slice(i + 1, i + 10), 10) > 307
    ) {
      throw refuse("has a number too small to be kept");
    }
  }
  return { keys, escaped };
}

/** Index of the quote that closes the string opened at `start`; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return end;
  }
}

/** Where a value stands. A pointer is written for the one that is refused only: for all it was a third of the reading of a batch. */
interface Place {
  under: Place;
  name: string | number;
}
const TOP = { name: "" } as Place;

/** Checks the parsed value and gives the number of keys in it and below. */
function checkValue(value: unknown, place: Place): number {
  if (typeof value === "string") checkText(value, place);
  else if (typeof value === "number") {
    if (!Number.isFinite(value)) throw badField(pointerTo(place), "is a number too large to be kept");
  } else if (Array.isArray(value)) {
    let keys = 0;
    for (let i = 0; i < value.length; i++) keys += checkValue(value[i], { under: place, name: i });
    return keys;
  } else if (typeof value === "object" && value !== null) {
    const names = Object.keys(value);
    if (names.length > MOST_KEYS) throw badField(pointerTo(place), `has more than ${MOST_KEYS} keys`);
    let keys = names.length;
    for (const name of names) {
      if (name === "__proto__" || name === "constructor")
        throw badField(pointerTo(place), `has a key named ${name}, which is not allowed`);
      checkText(name, place);
      keys += checkValue((value as Record<string, unknown>)[name], { under: place, name });
    }
    return keys;
  }
  return 0;
}

function checkText(text: string, place: Place): void {
  if (text.includes("\0")) throw badField(pointerTo(place), "has a NUL character, which can't be stored");
  if (!text.isWellFormed())
    throw badField(pointerTo(place), "has half of a surrogate pair, which is not valid Unicode");
}

/** RFC 6901; "/" for the whole body. */
function pointerTo(place: Place): string {
  let pointer = "";
  for (let at = place; at !== TOP; at = at.under)
    pointer = `/${String(at.name).replaceAll("~", "~0").replaceAll("/", "~1")}${pointer}`;
  return pointer || "/";
}
