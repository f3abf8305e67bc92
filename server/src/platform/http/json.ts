import { isUtf8 } from "node:buffer";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { inPieces, nextTurn } from "../turns.ts";
import { refuse, scan } from "./json-scan.ts";
import { badField, Problem } from "./problem.ts";

export const MOST_KEYS = 1_000;

/**
 * Parses JSON of a client. Unlike JSON.parse it refuses JSON that PostgreSQL rejects or silently alters, or that would fail later:
 * invalid UTF-8, NUL, lone surrogates, numbers that a double can't hold, more than 32 levels (JSON.parse takes a million,
 * JSON.stringify fails at 5,000), more than 1,000 keys in an object, a key twice, `__proto__` and `constructor`; and a body that takes
 * long to read for another reason than long texts (see json-scan.ts).
 * @throws Problem invalid_request, payload_too_large
 */
export function parseJson(bytes: Buffer): unknown {
  const steps = reading(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Like parseJson, for a body of any size: a large one is read in several turns of the event loop, because 20 MiB take 100 ms. */
export async function readJson(bytes: Buffer): Promise<unknown> {
  if (bytes.length <= AT_ONCE) return parseJson(bytes);
  const steps = reading(bytes);
  for (;;) {
    await nextTurn();
    const step = steps.next();
    if (step.done) return step.value;
  }
}
/** A body of up to this many bytes is read in one turn of the event loop. */
export const AT_ONCE = 256 * 1024;
/** The most characters of a text that is not an attachment. */
const MOST_TEXT = 1024 * 1024;

/** Parses in steps; other work may have its turn between them. */
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
 * V8 may mistake an escaped key for an earlier key at the same place of an object, if the spelling of the escaped key begins with the
 * earlier key (nodejs/node#63785): once one caller has sent the key `a\`, the key `"a\u00f6"` of all other callers became `a\`. So
 * an escaped key is rewritten without escapes. A key that needs an escape is replaced by a random mark, and gets its name back after
 * the parsing.
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

/** Gives marked keys their names back. Only objects with marked keys are copied. */
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
    // An assignment of `__proto__` would set the prototype, and the later check could not find and refuse the key.
    Object.defineProperty(named, names.get(key) ?? key, {
      value: read,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return named;
}

/** The position of a value. Only a refused value gets a JSON pointer: pointers for all values took a third of the reading of a batch. */
interface Position {
  under: Position;
  name: string | number;
}
const TOP = { name: "" } as Position;

/** Checks the parsed value and returns the number of keys in it and below. */
function checkValue(value: unknown, place: Position): number {
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

function checkText(text: string, place: Position): void {
  // Code that later counts the characters would take 60 ms for 20 MiB.
  if (text.length > MOST_TEXT && place.under?.name !== "attachments")
    throw new Problem("payload_too_large", `${pointerTo(place)} is over 1 MiB: only attachments may be.`);
  if (text.includes("\0")) throw badField(pointerTo(place), "has a NUL character, which can't be stored");
  if (!text.isWellFormed())
    throw badField(pointerTo(place), "has half of a surrogate pair, which is not valid Unicode");
}

/** Escapes a name as a part of a JSON pointer (RFC 6901). */
export const pointerPart = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Returns the JSON pointer of a position; "/" for the whole body. */
function pointerTo(place: Position): string {
  let pointer = "";
  for (let at = place; at !== TOP; at = at.under) pointer = `/${pointerPart(String(at.name))}${pointer}`;
  return pointer || "/";
}

/** Answers with JSON text in parts, without the response schema. Long texts are sent in pieces; other work has its turn between them. */
export function sendJson(reply: Pick<FastifyReply, "type" | "send">, ...parts: string[]): never {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const body = size > AT_ONCE ? Readable.from(inPieces(...parts)) : parts.join("");
  return reply.type("application/json; charset=utf-8").send(body as never) as never;
}
