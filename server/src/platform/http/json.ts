import { isUtf8 } from "node:buffer";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { inPieces, nextTurn } from "../turns.ts";
import { refuse, scan } from "./json-scan.ts";
import { badField, Problem } from "./problem.ts";

export const MOST_KEYS = 1_000;

/**
 * JSON from the outside. Beyond JSON.parse it refuses what PostgreSQL rejects or silently alters and what would hurt
 * later: invalid UTF-8, NUL, lone surrogates, numbers that a double can't hold, more than 32 levels (JSON.parse takes a
 * million, JSON.stringify fails at 5,000), more than 1,000 keys in an object, a key twice, `__proto__` and `constructor`; and
 * what takes long to read by anything else than long texts (see json-scan.ts).
 * @throws Problem invalid_request, payload_too_large
 */
export function parseJson(bytes: Buffer): unknown {
  const steps = reading(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same for a body of any size that is let in: a large one is read in several turns, because all of 20 MiB takes 100 ms. */
export async function readJson(bytes: Buffer): Promise<unknown> {
  if (bytes.length <= AT_ONCE) return parseJson(bytes);
  const steps = reading(bytes);
  for (;;) {
    await nextTurn();
    const step = steps.next();
    if (step.done) return step.value;
  }
}
/** Bytes of a body that are read in one turn. */
export const AT_ONCE = 256 * 1024;
/** Of one text that is no file. */
const MOST_TEXT = 1024 * 1024;

/** Others may have their turn between its steps. */
function* reading(bytes: Buffer): Generator<void, unknown> {
  if (!isUtf8(bytes)) throw refuse("is not valid UTF-8");
  yield;
  const text = bytes.toString("utf8");
  yield;
  const { keys, escaped } = scan(text);
  yield;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(`is not valid JSON (${(error as Error).message.replace(/,? ?"?\.\.\..*$/s, "").slice(0, 120)})`);
  }
  yield;
  if (escaped.length > 0) value = parseEscaped(text, escaped);
  yield;
  if (checkValue(value, TOP) !== keys) throw refuse("has an object with the same key twice");
  return value;
}

/**
 * V8 may read an escaped key as another one that it met at this place of an object before and that is how this one begins in
 * its spelling (nodejs/node#63785): once one caller has sent the key `a\`, the key `"a\u00f6"` of all others was that one. So
 * an escaped key is written without escapes, and one that can't be stands as a mark that nobody has sent and gets its name back
 * afterwards.
 */
function parseEscaped(text: string, places: number[]): unknown {
  const nonce = randomBytes(12).toString("hex");
  const spelled = new Map<string, string>();
  const marks = new Map<string, string>();
  const names = new Map<string, string>();
  let plain = "";
  let from = 0;
  for (let i = 0; i < places.length; i += 2) {
    const [start, end] = [(places[i] as number) + 1, places[i + 1] as number];
    const spelling = text.slice(start, end);
    plain += text.slice(from, start) + (spelled.get(spelling) ?? rewritten(spelling));
    from = end;
  }
  const value = JSON.parse(plain + text.slice(from));
  return names.size === 0 ? value : unmarked(value, names);

  function rewritten(spelling: string): string {
    const name = JSON.parse(`"${spelling}"`) as string;
    let written = name;
    if (NEEDS_ESCAPE.test(name)) {
      written = marks.get(name) ?? `${nonce}${marks.size}`;
      marks.set(name, written);
      names.set(written, name);
    }
    spelled.set(spelling, written);
    return written;
  }
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what JSON has no other spelling for
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

/** Gives marked keys their names back. Only what has some is made anew. */
function unmarked(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (typeof value[i] === "object") value[i] = unmarked(value[i], names);
    return value;
  }
  if (typeof value !== "object" || value === null) return value;
  const object = value as Record<string, unknown>;
  const keys = Object.keys(object);
  const marked = keys.some((key) => names.has(key));
  const named = marked ? {} : object;
  for (const key of keys) {
    const inner = object[key];
    const read = typeof inner === "object" ? unmarked(inner, names) : inner;
    if (!marked && read === inner) continue;
    // An assignment of `__proto__` would set it, where the check behind this is to find and refuse it.
    Object.defineProperty(named, names.get(key) ?? key, {
      value: read,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return named;
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
  // Whoever counts its characters later takes 60 ms for 20 MiB.
  if (text.length > MOST_TEXT && place.under?.name !== "attachments")
    throw new Problem("payload_too_large", `${pointerTo(place)} is over 1 MiB: only attachments may be.`);
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

/** Answers with the text of JSON in parts, past the response schema: long ones go in pieces, in turns with others. */
export function sendJson(reply: Pick<FastifyReply, "type" | "send">, ...parts: string[]): never {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const body = size > AT_ONCE ? Readable.from(inPieces(...parts)) : parts.join("");
  return reply.type("application/json; charset=utf-8").send(body as never) as never;
}
