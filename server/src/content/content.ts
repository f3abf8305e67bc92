import { nextTurn, turnIsOver } from "../platform/turns.ts";
import { compile, isDynamic, type Part, templateError } from "./liquid/compile.ts";
import { INLINE } from "./liquid/engine.ts";
import type { Field } from "./liquid/fields.ts";
import { likelyOf } from "./liquid/likely.ts";
import { fill } from "./liquid/plain.ts";
import { LimitReached, renderHere } from "./liquid/render.ts";
import { isOfCampaigns, rootOf, type Scope } from "./liquid/scope.ts";
import { fits, type Use } from "./liquid/uses.ts";
import { textHere } from "./text.ts";
import { inThread, type RenderTurn } from "./threads/threads.ts";

/**
 * Parses every part and checks that each name in it exists: an unknown name would show as nothing, in every recipient's message.
 * Call it for content that is written now; stored content is sent as it is.
 * @param open whether others may define these names later
 * @throws Problem template_error (422) with line, column and the part's name
 */
export function checkParts(parts: Part[], open: (names: string[]) => boolean = () => false): void {
  for (const part of parts) {
    if (!isDynamic(part.source)) continue;
    const unknown = compile(part).unknown.find(({ names }) => !open(names));
    if (!unknown) continue;
    const name = unknown.names.join(".").slice(0, 200);
    const meant = likelyOf(unknown.names).slice(0, 200);
    const [line = 1, column = 1] = unknown.token.getPosition();
    throw templateError(part.name, `names ${name}, which is nothing here: ${meant} may be meant`, { line, column });
  }
}

/** Returns the first name in these parts that only content of campaigns has, such as `steps.pay.event`; undefined if there is none. */
export function nameOfCampaigns(parts: Part[]): { part: string; name: string } | undefined {
  for (const part of parts) {
    const found = isDynamic(part.source) && compile(part).unknown.find(({ names }) => isOfCampaigns(names));
    if (found) return { part: part.name, name: found.names.join(".").slice(0, 200) };
  }
  return undefined;
}

const fieldsOfAll = (parts: Part[]): Field[] =>
  parts.flatMap((part) => (isDynamic(part.source) ? compile(part).fields : []));

/** A field of person or trigger that content names; `name` is its path below the root. */
export interface NamedField {
  name: string;
  required: boolean;
  /** The kind of value that the content needs, where all its uses agree. */
  use: Use | undefined;
}

/** The fields that the content names, each once. A field is required unless the content gives a default or tests it. */
export function fieldsOf(parts: Part[]): { person: NamedField[]; trigger: NamedField[] } {
  const found = {
    person: new Map<string, { required: boolean; uses: Set<Use> }>(),
    trigger: new Map<string, { required: boolean; uses: Set<Use> }>(),
  };
  for (const { root, path, required, use } of fieldsOfAll(parts)) {
    const name = path.join(".");
    const known = found[root].get(name) ?? { required: false, uses: new Set() };
    found[root].set(name, known);
    known.required ||= required;
    if (use) known.uses.add(use);
  }
  const list = (fields: Map<string, { required: boolean; uses: Set<Use> }>) =>
    [...fields].map(([name, { required, uses }]): NamedField => {
      const use = uses.size === 1 ? [...uses][0] : undefined;
      return { name, required, use };
    });
  return { person: list(found.person), trigger: list(found.trigger) };
}

/** The names of required trigger fields that the data lacks. `null` counts as absent: it would render as nothing. */
export function missingFields(parts: Part[], trigger: Record<string, unknown>): string[] {
  const missing = new Set<string>();
  for (const { root, path, required } of fieldsOfAll(parts)) {
    if (root === "trigger" && required && isNothing(valueAt(trigger, path))) missing.add(path.join("."));
  }
  return [...missing];
}

/** The trigger fields whose value does not fit the use in the content. A field with fields below it counts as an object only. */
export function misfits(parts: Part[], trigger: Record<string, unknown>): { name: string; use: Use }[] {
  if (!fieldsOfAll(parts).some(({ root, use }) => root === "trigger" && use)) return [];
  const fields = fieldsOf(parts).trigger;
  const objects = new Set(fields.flatMap(({ name }) => (name.includes(".") ? parentsOf(name) : [])));
  return fields.flatMap(({ name, use }) => {
    if (!use || objects.has(name)) return [];
    const value = valueAt(trigger, name.split("."));
    return isNothing(value) || fits(value, use) ? [] : [{ name, use }];
  });
}

const parentsOf = (name: string): string[] => {
  const names = name.split(".");
  return names.slice(1).map((_, i) => names.slice(0, i + 1).join("."));
};

function valueAt(data: unknown, path: string[]): unknown {
  let value = data;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

const isNothing = (value: unknown): boolean => value === null || value === undefined;

/**
 * Renders the parts, in order. Text without Liquid is returned as it is, and plain names are filled in. A template without loops and
 * with linear filters runs here, because a thread would cost more than the render. All other templates, and those that exceed the
 * limits here, run in a thread.
 * @throws Problem template_error, busy
 */
export async function renderParts(parts: Part[], scope: Scope & { turn: RenderTurn }): Promise<string[]> {
  const texts = parts.map((part) => part.source);
  const heavy: number[] = [];
  let data: object | undefined;
  for (const [i, part] of parts.entries()) {
    if (!isDynamic(part.source)) continue;
    while (turnIsOver()) await nextTurn();
    const compiled = compile(part);
    if (!compiled.simple) {
      heavy.push(i);
      continue;
    }
    const plain = compiled.pieces && fill(compiled.pieces, part.html, scope);
    if (plain !== undefined) {
      texts[i] = plain;
      continue;
    }
    data ??= rootOf(scope);
    while (turnIsOver()) await nextTurn();
    try {
      texts[i] = renderHere(part, compiled, data, INLINE);
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      heavy.push(i);
    }
  }
  if (heavy.length === 0) return texts;
  const rendered = await inThread(
    {
      parts: heavy.map((i) => parts[i] as Part),
      scope: plainScope(scope),
    },
    scope.turn,
  );
  heavy.forEach((i, at) => {
    texts[i] = rendered[at] as string;
  });
  return texts;
}

/** The scope as a thread gets it: the caller's other fields can't all be copied. */
const plainScope = ({ person, trigger, steps, batch, links }: Scope): Scope => ({
  person,
  trigger,
  ...(steps && { steps }),
  ...(batch && { batch }),
  ...(links && { links }),
});

/** HTML up to this length is converted to text here: 10 ms at the most. */
const SMALL_HTML = 8 * 1024;

/** Converts an HTML body to text. @throws Problem template_error where that takes too long, busy */
export async function textOf(html: string, turn: RenderTurn): Promise<string> {
  if (html.length <= SMALL_HTML) return textHere(html);
  const [text] = await inThread({ html }, turn);
  return text as string;
}

/**
 * Compiles an MJML document of this workspace to HTML; its Liquid stays as it was written.
 * @throws MarkupError with the position of the fault
 */
export async function htmlOf(mjml: string, workspaceId: string): Promise<string> {
  const [html] = await inThread({ mjml }, { workspaceId, kind: "bulk" });
  return html as string;
}
