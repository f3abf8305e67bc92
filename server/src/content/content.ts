import { compile, isDynamic, type Part } from "./compile.ts";
import { INLINE } from "./engine.ts";
import type { Field } from "./fields.ts";
import { fill } from "./plain.ts";
import { LimitReached, renderHere } from "./render.ts";
import { rootOf, type Scope } from "./scope.ts";
import { textHere } from "./text.ts";
import { inThread } from "./threads.ts";

/** Parses every part. @throws Problem template_error (422) with line, column and the part's name */
export function checkParts(parts: Part[]): void {
  for (const part of parts) if (isDynamic(part.source)) compile(part);
}

const fieldsOfAll = (parts: Part[]): Field[] =>
  parts.flatMap((part) => (isDynamic(part.source) ? compile(part).fields : []));

/** A field that content names, below its root. */
export interface NamedField {
  name: string;
  required: boolean;
}

/** The fields that the content names, each once: required unless the content gives a default or tests them. */
export function fieldsOf(parts: Part[]): { person: NamedField[]; trigger: NamedField[] } {
  const found = { person: new Map<string, boolean>(), trigger: new Map<string, boolean>() };
  for (const { root, path, required } of fieldsOfAll(parts)) {
    const name = path.join(".");
    found[root].set(name, required || (found[root].get(name) ?? false));
  }
  const list = (fields: Map<string, boolean>) => [...fields].map(([name, required]) => ({ name, required }));
  return { person: list(found.person), trigger: list(found.trigger) };
}

/** Names of the required trigger fields that the data does not carry. `null` is absent: it would render as nothing. */
export function missingFields(parts: Part[], trigger: Record<string, unknown>): string[] {
  const missing = new Set<string>();
  for (const { root, path, required } of fieldsOfAll(parts)) {
    if (root === "trigger" && required && !has(trigger, path)) missing.add(path.join("."));
  }
  return [...missing];
}

function has(data: unknown, path: string[]): boolean {
  let value = data;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return false;
    value = (value as Record<string, unknown>)[name];
  }
  return value !== null && value !== undefined;
}

/**
 * Renders the parts, in order. Text without Liquid passes through, names alone are filled in; a template without loops and
 * with linear filters runs here, since a thread costs more than it; everything else, and what turns out to need more room, runs in a thread.
 * @throws Problem template_error
 */
export async function renderParts(parts: Part[], scope: Scope): Promise<string[]> {
  const texts = parts.map((part) => part.source);
  const heavy: number[] = [];
  let data: object | undefined;
  parts.forEach((part, i) => {
    if (!isDynamic(part.source)) return;
    const compiled = compile(part);
    if (!compiled.simple) {
      heavy.push(i);
      return;
    }
    const plain = compiled.pieces && fill(compiled.pieces, part.html, scope);
    if (plain !== undefined) {
      texts[i] = plain;
      return;
    }
    data ??= rootOf(scope);
    try {
      texts[i] = renderHere(part, compiled, data, INLINE);
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      heavy.push(i);
    }
  });
  if (heavy.length === 0) return texts;
  const rendered = await inThread({
    parts: heavy.map((i) => parts[i] as Part),
    scope: { person: scope.person, trigger: scope.trigger, ...(scope.links && { links: scope.links }) },
  });
  heavy.forEach((i, at) => {
    texts[i] = rendered[at] as string;
  });
  return texts;
}

/** HTML up to this long becomes text here: 10 ms at the most. */
const SMALL_HTML = 8 * 1024;

/** The text of an HTML body. @throws Problem template_error where that takes too long */
export async function textOf(html: string): Promise<string> {
  if (html.length <= SMALL_HTML) return textHere(html);
  const [text] = await inThread({ html });
  return text as string;
}

/** The HTML of an MJML document; its Liquid stays as it was written. @throws MarkupError with the place of what is wrong */
export async function htmlOf(mjml: string): Promise<string> {
  const [html] = await inThread({ mjml });
  return html as string;
}
