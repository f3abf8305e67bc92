import { encodedValue } from "./entities.ts";
import { attributeOf, type Element, type Span, sliceOf } from "./tree.ts";

/** A text in place of a slice. */
export interface Change extends Span {
  text: string;
}

/** Makes changes that do not overlap. */
export function changed(source: string, changes: readonly Change[]): string {
  let out = "";
  let at = 0;
  for (const { from, to, text } of changes.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    out += source.slice(at, from) + text;
    at = to;
  }
  return out + source.slice(at);
}

/** Where a place of the text is after these changes. */
export const movedBy = (at: number, changes: readonly Change[]): number =>
  changes.reduce((sum, { from, to, text }) => (to <= at ? sum + text.length - (to - from) : sum), at);

/** Gives an attribute another value, or none. Everything else in the tag stays. */
export function withAttribute(source: string, element: Element, name: string, value: string): Change[] {
  const found = attributeOf(element, name);
  const text = encodedValue(value);
  if (value === "") {
    if (!found) return [];
    const before = source.slice(0, found.from);
    return [{ from: before.trimEnd().length, to: found.to, text: "" }];
  }
  if (found) {
    const quoted = source[found.at.from - 1] === '"' && found.at.from !== found.to;
    if (quoted) return [{ ...found.at, text }];
    return [{ from: found.from, to: found.to, text: `${name}="${text}"` }];
  }
  const last = element.attributes.at(-1);
  const at = last?.to ?? element.start.from + 1 + element.name.length;
  // As its neighbours: where each attribute has a line, this one has, too.
  const gap = last ? (/\s+$/.exec(source.slice(element.start.from, last.from))?.[0] ?? " ") : " ";
  return [{ from: at, to: at, text: `${gap}${name}="${text}"` }];
}

/** Writes other content between the tags. */
export function withInner(source: string, element: Element, text: string): Change[] {
  if (element.inner) return [{ ...element.inner, text }];
  const tag = sliceOf(source, element.start).replace(/\s*\/>$/, ">");
  return [{ ...element.start, text: `${tag}${text}</${element.name}>` }];
}

/** The blanks before a place, if its line begins with nothing else. */
export function indentAt(source: string, at: number): string | undefined {
  const begin = source.lastIndexOf("\n", at - 1) + 1;
  const before = source.slice(begin, at);
  return before.trim() === "" ? before : undefined;
}

const lineBreakOf = (source: string): string => (source.includes("\r\n") ? "\r\n" : "\n");

/** Takes a slice out, with its line where nothing else is on it. */
export function without(source: string, { from, to }: Span): Change {
  if (indentAt(source, from) === undefined || !/^[^\S\n]*(?:\r?\n|$)/.test(source.slice(to)))
    return { from, to, text: "" };
  const before = source.slice(0, from).replace(/\r?\n?[^\S\n]*$/, "");
  return { from: before.length, to, text: "" };
}

/** Lines of a text with this indentation, except the first. */
const indented = (text: string, indent: string, lineBreak: string): string =>
  text.replaceAll("\n", `${lineBreak}${indent}`);

/** Writes a new text behind a slice, on a line of its own where the slice has one. Returns where the text then begins, too. */
export function behind(source: string, anchor: Span, text: string, fresh: boolean): { change: Change; offset: number } {
  const indent = indentAt(source, anchor.from);
  if (indent === undefined) return { change: { from: anchor.to, to: anchor.to, text }, offset: 0 };
  const lineBreak = lineBreakOf(source);
  const gap = lineBreak + indent;
  return {
    change: { from: anchor.to, to: anchor.to, text: gap + (fresh ? indented(text, indent, lineBreak) : text) },
    offset: gap.length,
  };
}

/** Writes a text as the first thing in a container. */
export function insideOf(
  source: string,
  container: { start: Span; inner: Span | undefined; name: string | undefined },
  text: string,
  fresh: boolean,
): { change: Change; offset: number } {
  const indent = indentAt(source, container.start.from);
  const lineBreak = lineBreakOf(source);
  const own = indent === undefined ? "" : `${lineBreak}${indent}  `;
  const written = own + (fresh ? indented(text, `${indent ?? ""}  `, lineBreak) : text);
  const { inner } = container;
  if (!inner) {
    const tag = sliceOf(source, container.start).replace(/\s*\/>$/, ">");
    const end = `${indent === undefined ? "" : lineBreak + indent}</${container.name}>`;
    return { change: { ...container.start, text: tag + written + end }, offset: tag.length + own.length };
  }
  const empty = sliceOf(source, inner).trim() === "";
  const after = empty && indent !== undefined ? lineBreak + indent : "";
  return {
    change: { from: inner.from, to: empty ? inner.to : inner.from, text: written + after },
    offset: own.length,
  };
}
