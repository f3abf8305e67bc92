import { LRUCache } from "lru-cache";
import { type Template, TypeGuards, Value } from "liquidjs";
import { Problem } from "../../platform/http/index.ts";
import { engineOf, LINEAR, MOST_SOURCE, STRAIGHT } from "./engine.ts";
import { childrenOf, type Field, namesIn, type Unknown } from "./fields.ts";
import { type Piece, piecesOf } from "./plain.ts";
import { tooHeavy } from "./weight.ts";

/** One text of a message: `name` is its field ("subject", "body"), `html` says that values are escaped for HTML. */
export interface Part {
  name: string;
  source: string;
  html: boolean;
}

export interface Compiled {
  templates: Template[];
  /** Linear in its own length and its data: may run beside the event loop. */
  simple: boolean;
  /** Where it is text and names alone. */
  pieces: Piece[] | undefined;
  fields: Field[];
  unknown: Unknown[];
}

/** Filters and operators in one expression: the time limit is looked at between nodes, never inside one. */
const MOST_STEPS = 16;
/** Source characters kept compiled, of each kind. */
const KEPT = 4 * 1024 * 1024;

/** Whether the text has any Liquid. One that has none is sent as it is. */
export const isDynamic = (source: string): boolean => source.includes("{{") || source.includes("{%");

/** What was compiled lately, under its source: a source is looked up for each message, and the same string is hashed once only. */
const keptBySource = () =>
  new LRUCache<string, Compiled>({ maxSize: KEPT, sizeCalculation: (_compiled, source) => source.length + 1 });
const kept = { html: keptBySource(), text: keptBySource() };

/** Parses a part, or takes it from what is kept. @throws Problem template_error with line, column and the part's name */
export function compile(part: Part): Compiled {
  const cache = part.html ? kept.html : kept.text;
  const known = cache.get(part.source);
  if (known) return known;
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
    // The escape that the engine adds itself has no name of its own.
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

/** What the library threw, in our words: the place apart from the message. */
export function liquidProblem(part: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { token, message } = error as { token?: { getPosition(): number[] }; message?: string };
  const [line, column] = token?.getPosition() ?? [];
  const at = line !== undefined && column !== undefined ? { line, column } : undefined;
  if (error instanceof RangeError) return templateError(part, "is nested too deeply", at, error);
  const what = (message ?? "can't be read").replace(/, line:\d+, col:\d+$/, "").slice(0, 300);
  return templateError(part, what, at, error);
}
