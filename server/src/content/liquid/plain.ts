import { type Template, TypeGuards, Value } from "liquidjs";
import { escaped, INLINE, MOST_OUTPUT, shown } from "./engine.ts";
import { bare, type Scope } from "./scope.ts";

// Most templates are text with names in it: `{{person.first_name}}`, at most with a default. This file fills them in: the library
// runs a chain of generators for each name, which took a tenth of a whole trigger call. The result is the library's to the
// character (a property test compares them); all other templates are left to the library.

/** A text, or a name to fill in: its path from the root, and the text to show where the value is missing. */
export type Piece = string | { path: string[]; fallback: string | undefined };

/** Names that the library computes where the data has no such field. */
const COMPUTED = new Set(["size", "first", "last"]);

/** The templates as pieces, or undefined where one of them is more than text or a name. */
export function piecesOf(templates: Template[]): Piece[] | undefined {
  const pieces: Piece[] = [];
  for (const template of templates) {
    const piece = textOf(template) ?? namedBy(template);
    if (piece === undefined) return undefined;
    pieces.push(piece);
  }
  return pieces;
}

const textOf = (template: Template): string | undefined => {
  const { name, str } = template as { name?: string; str?: unknown };
  return name === undefined && typeof str === "string" ? str : undefined;
};

function namedBy(template: Template): Piece | undefined {
  if ((template as { name?: string }).name !== undefined) return undefined;
  const [value, more] = [...(template.arguments?.() ?? [])];
  if (!(value instanceof Value) || more !== undefined || value.initial.postfix.length !== 1) return undefined;
  const path = pathOf(value.initial.postfix[0]);
  if (!path) return undefined;
  // The last filter is the escape that the engine adds to each output.
  const filters = value.filters.slice(0, -1);
  if (value.filters.at(-1)?.name !== "[object Function]") return undefined;
  if (filters.length === 0) return { path, fallback: undefined };
  const [filter] = filters;
  if (filters.length > 1 || filter?.name !== "default" || filter.args.length !== 1) return undefined;
  const [argument] = filter.args;
  if (Array.isArray(argument) || !TypeGuards.isQuotedToken(argument)) return undefined;
  return { path, fallback: argument.content };
}

function pathOf(token: unknown): string[] | undefined {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return undefined;
  const path: string[] = [];
  for (const prop of token.props) {
    if (!TypeGuards.isWordToken(prop) && !TypeGuards.isQuotedToken(prop)) return undefined;
    if (COMPUTED.has(prop.content)) return undefined;
    path.push(prop.content);
  }
  return path;
}

/** Fills the pieces in; undefined where the result is longer than may be rendered on the event loop. */
export function fill(pieces: Piece[], html: boolean, scope: Scope): string | undefined {
  let text = "";
  let shownLength = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    const value = textAt(piece, scope);
    shownLength += value.length;
    if (shownLength > INLINE.memory) return undefined;
    text += html ? escaped(value) : value;
  }
  return text.length > MOST_OUTPUT ? undefined : text;
}

function textAt({ path, fallback }: Exclude<Piece, string>, scope: Scope): string {
  const value = valueAt(path, scope);
  if (typeof value === "string") return value === "" ? (fallback ?? value) : value;
  if (fallback !== undefined && isNothing(value)) return fallback;
  return shown(bare(value));
}

function valueAt(path: string[], scope: Scope): unknown {
  let value = rootIn(scope, path[0] as string);
  for (let i = 1; i < path.length; i++) value = own(value, path[i] as string);
  return value;
}

function rootIn(scope: Scope, name: string): unknown {
  switch (name) {
    case "person":
    case "trigger":
    case "steps":
    case "batch":
      return scope[name];
    default:
      return own(scope.links, name);
  }
}

/** Reads a field like the library: own properties only, which for a text is its length. */
const own = (value: unknown, name: string): unknown =>
  value !== null && value !== undefined && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** Whether the filter `default` replaces the value. */
const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);
