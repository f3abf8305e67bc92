import { LRUCache } from "lru-cache";
import { type Template, TypeGuards, Value } from "liquidjs";
import { Problem } from "../../platform/http/index.ts";
import { engineOf, LINEAR, MOST_SOURCE, STRAIGHT } from "./engine.ts";
import { childrenOf, type Field, namesIn, type Unknown } from "./fields.ts";
import { type Piece, piecesOf } from "./plain.ts";
import { bytesOf, tooHeavy } from "./weight.ts";

/** One text of a message. `name` is its field ("subject", "body"); where `html` is true, values are escaped for HTML. */
export interface Part {
  name: string;
  source: string;
  html: boolean;
}

export interface Compiled {
  templates: Template[];
  /** Its time is linear in its length and its data, so it may run on the event loop. */
  simple: boolean;
  /** Present where the template has only text and names. */
  pieces: Piece[] | undefined;
  fields: Field[];
  unknown: Unknown[];
  /** The ids of a campaign's steps that it names. */
  steps: string[];
}

/** Filters and operators in one expression: the library checks its time limit between nodes, never inside one. */
const MOST_STEPS = 16;
/** Bytes of compiled parts that are cached, for each kind. */
const MOST_CACHED = 32 * 1024 * 1024;

/** Whether the text has any Liquid. Text without Liquid is sent as it is. */
export const isDynamic = (source: string): boolean => source.includes("{{") || source.includes("{%");

/** Recently compiled parts by their source. A source is looked up for each message, and the same string is hashed only once. */
const compiledCache = () =>
  new LRUCache<string, Compiled>({ maxSize: MOST_CACHED, sizeCalculation: (_compiled, source) => bytesOf(source) });
const caches = { html: compiledCache(), text: compiledCache() };

/** Parses a part, or takes it from the cache. @throws Problem template_error with line, column and the part's name */
export function compile(part: Part): Compiled {
  const cache = part.html ? caches.html : caches.text;
  const cached = cache.get(part.source);
  if (cached) return cached;
  const compiled = parse(part);
  cache.set(part.source, compiled);
  return compiled;
}

function parse(part: Part): Compiled {
  if (part.source.length > MOST_SOURCE) throw templateError(part.name, `is longer than ${MOST_SOURCE} characters`);
  const heavy = tooHeavy(part.source);
  if (heavy) throw templateError(part.name, heavy);
  try {
    const templates = engineOf(part.html).parse(part.source);
    const simple = templates.every(isSimple);
    return { templates, simple, pieces: piecesOf(templates), ...namesIn(templates) };
  } catch (error) {
    throw liquidProblem(part.name, error);
  }
}

function isSimple(template: Template): boolean {
  const name = (template as { name?: string }).name;
  if (name !== undefined && !STRAIGHT.has(name)) return false;
  for (const argument of template.arguments?.() ?? []) {
    if (!(argument instanceof Value)) continue;
    const { filters, initial } = argument;
    if (filters.length + initial.postfix.length > MOST_STEPS) return false;
    // The escape filter that the engine adds has no name.
    if (!filters.every((filter) => LINEAR.has(filter.name) || filter.name === "[object Function]")) return false;
    if (initial.postfix.some((token) => TypeGuards.isOperatorToken(token) && token.operator === "contains"))
      return false;
  }
  return childrenOf(template).every(isSimple);
}

export function templateError(part: string, what: string, at?: { line: number; column: number }, cause?: unknown) {
  const where = at ? ` (line ${at.line}, column ${at.column})` : "";
  return new Problem("template_error", `The Liquid of ${part}${where}: ${what}.`, {
    errors: [{ pointer: `/${part}`, message: what }],
    extra: { part, line: at?.line ?? null, column: at?.column ?? null },
    cause,
  });
}

/** Turns the library's error into a template_error, with the position apart from the message. */
export function liquidProblem(part: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { token, message } = error as { token?: { getPosition(): number[] }; message?: string };
  const [line, column] = token?.getPosition() ?? [];
  const at = line !== undefined && column !== undefined ? { line, column } : undefined;
  if (error instanceof RangeError) return templateError(part, "is nested too deeply", at, error);
  const what = (message ?? "can't be read").replace(/, line:\d+, col:\d+$/, "").slice(0, 300);
  return templateError(part, what, at, error);
}
