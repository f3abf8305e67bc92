import { pointerPart, Problem } from "../platform/http/index.ts";
import { checkParts, renderParts } from "./content.ts";
import { compile, isDynamic, type Part } from "./liquid/compile.ts";
import { bare, type Scope } from "./liquid/scope.ts";
import type { RenderTurn } from "./threads/threads.ts";

// Liquid in the texts of a JSON value. A text that is exactly one output, such as `{{trigger.total}}`, keeps the type of what it shows.

/** A text that is one output and nothing else. */
const ONE_OUTPUT = /^\s*\{\{-?((?:(?!\{\{|\}\}|\{%).)*?)-?\}\}\s*$/s;

/** A text in a value, with its place. */
interface Leaf {
  path: string[];
  source: string;
}

function leavesOf(value: unknown, path: string[] = []): Leaf[] {
  if (typeof value === "string") return isDynamic(value) ? [{ path, source: value }] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

const pointerOf = (at: string, path: string[]): string => [at, ...path.map(pointerPart)].join("/");

/**
 * Checks the Liquid in the texts of a value.
 * @param at the name of the value's field, with which the pointers of errors begin
 * @throws Problem template_error with a pointer
 */
export function checkValue(value: unknown, at: string, isDefined: (names: string[]) => boolean): void {
  for (const { path, source } of leavesOf(value))
    checkParts([{ name: pointerOf(at, path), source, html: false }], isDefined);
}

/** Returns the ids of a campaign's steps that each text of a value names, with a pointer to the text. Texts that can't be parsed name none. */
export const stepsNamedIn = (value: unknown, at: string): { pointer: string; ids: string[] }[] =>
  leavesOf(value).flatMap(({ path, source }) => {
    const name = pointerOf(at, path);
    const ids = stepsIn({ name, source, html: false });
    return ids.length === 0 ? [] : [{ pointer: `/${name}`, ids }];
  });

function stepsIn(part: Part): string[] {
  try {
    return compile(part).steps;
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

/** Renders the Liquid in the texts of a value. An output of nothing that stands alone gives null. @throws Problem template_error, busy */
export async function renderValue<T>(value: T, scope: Scope & { turn: RenderTurn }): Promise<T> {
  const leaves = leavesOf(value);
  if (leaves.length === 0) return value;
  const found = new Map<string, unknown>();
  const texts: (Leaf & { json: boolean })[] = [];
  for (const leaf of leaves) {
    const [, output] = ONE_OUTPUT.exec(leaf.source) ?? [];
    const named = output === undefined ? undefined : plainName(output);
    if (named) found.set(pointerOf("", leaf.path), dataAt(scope, named));
    else
      texts.push({
        ...leaf,
        source: output === undefined ? leaf.source : `{{${output}| json}}`,
        json: output !== undefined,
      });
  }
  const parts = texts.map(({ path, source }) => ({ name: pointerOf("value", path), source, html: false }));
  const rendered = await renderParts(parts, scope);
  for (const [i, { path, json }] of texts.entries()) {
    const text = rendered[i] ?? "";
    found.set(pointerOf("", path), json ? JSON.parse(text.trim() || "null") : text);
  }
  return replaced(value, "", found) as T;
}

/** The path of an output that is only a name; undefined for any other. */
function plainName(output: string): string[] | undefined {
  const [piece, more] = compile({ name: "value", source: `{{${output}}}`, html: false }).pieces ?? [];
  return piece === undefined || more !== undefined || typeof piece === "string" || piece.fallback !== undefined
    ? undefined
    : piece.path;
}

function dataAt({ person, trigger, steps, batch }: Scope, path: string[]): unknown {
  let value: unknown = { person, trigger, steps, batch };
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  // Dates become texts, as in rendered content.
  return value instanceof Date ? bare(value) : (value ?? null);
}

function replaced(value: unknown, at: string, found: Map<string, unknown>): unknown {
  if (typeof value === "string") return found.has(at) ? found.get(at) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one, i) => replaced(one, pointerOf(at, [String(i)]), found));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, replaced(one, pointerOf(at, [key]), found)]),
  );
}
