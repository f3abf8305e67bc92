import { Problem } from "../platform/http/index.ts";

// Joins layout, body and snippets to one text, which keeps the source of each piece, so that an error names the line of the
// text that its author wrote.

/** The deepest nesting of snippets: nobody understands deeper ones. */
const MOST_DEPTH = 5;
/** The most snippet tags in one text: snippets with two snippets each double with every level. */
const MOST_SNIPPETS = 500;
const MOST_LENGTH = 512 * 1024;

/** A text with a name: "body", "layout", or "snippet footer". */
export interface Source {
  part: string;
  text: string;
}

export interface Assembled {
  text: string;
  /** The position of each piece in the text and in its source. */
  pieces: { at: number; source: Source; from: number }[];
  /** Names of the snippets in it. */
  snippets: Set<string>;
}

interface Tag {
  /** undefined: the tag of a layout's content. */
  name: string | undefined;
  from: number;
  to: number;
}

/**
 * Fills in snippets, and the body in a layout.
 * @throws Problem template_error for a snippet that is unknown, contains itself or is too deep, and for a layout without exactly one content tag
 */
export function assemble(body: Source, layout: Source | undefined, snippets: ReadonlyMap<string, string>): Assembled {
  const out: Assembled = { text: "", pieces: [], snippets: new Set() };
  let filled = 0;

  function literal(source: Source, from: number, to: number): void {
    if (from === to) return;
    out.pieces.push({ at: out.text.length, source, from });
    out.text += source.text.slice(from, to);
    if (out.text.length > MOST_LENGTH)
      throw faultIn(source, from, `makes more than ${MOST_LENGTH} characters with its layout and snippets`);
  }

  function expand(source: Source, inside: string[], content?: Source): void {
    let at = 0;
    for (const tag of tagsOf(source, content !== undefined)) {
      literal(source, at, tag.from);
      at = tag.to;
      if (tag.name === undefined) {
        if (content) expand(content, []);
        continue;
      }
      const text = snippets.get(tag.name);
      if (text === undefined) throw faultIn(source, tag.from, `names no snippet of this workspace: ${tag.name}`);
      if (inside.includes(tag.name)) {
        throw faultIn(source, tag.from, `has a snippet in itself: ${[...inside, tag.name].join(" in ")}`);
      }
      if (inside.length === MOST_DEPTH)
        throw faultIn(source, tag.from, `has snippets in snippets deeper than ${MOST_DEPTH}`);
      if (++filled > MOST_SNIPPETS) throw faultIn(source, tag.from, `has more than ${MOST_SNIPPETS} snippets`);
      out.snippets.add(tag.name);
      expand({ part: `snippet ${tag.name}`, text }, [...inside, tag.name]);
    }
    literal(source, at, source.text.length);
  }

  if (!layout) expand(body, []);
  else {
    checkContentTag(layout);
    expand(layout, [], body);
  }
  return out;
}

/** Checks that a layout has exactly one content tag. @throws Problem template_error */
function checkContentTag(layout: Source): void {
  const [first, second] = tagsOf(layout, true).filter((tag) => tag.name === undefined);
  if (!first) throw faultIn(layout, 0, "has no {{ content }}, where the body of the template stands");
  if (second) throw faultIn(layout, second.from, "has {{ content }} a second time");
}

/** The names of the snippets in a text itself. @throws Problem template_error for a malformed tag */
export const snippetsIn = (source: Source): string[] => [
  ...new Set(tagsOf(source, false).flatMap((tag) => (tag.name === undefined ? [] : [tag.name]))),
];

const CONTENT = /^\{\{-?\s*content\s*-?\}\}/;
const WORD = /^\{%-?\s*(\w+)/;
const SNIPPET = /^\{%\s*snippet\s+(?:"([^"]*)"|'([^']*)')\s*%\}$/;
/** The longest tag of ours, with some room for blanks. */
const LONGEST = 200;

function tagsOf(source: Source, withContent: boolean): Tag[] {
  const { text } = source;
  const tags: Tag[] = [];
  for (let at = text.indexOf("{"); at !== -1; at = text.indexOf("{", at)) {
    const next = text[at + 1];
    if (next === "{" && withContent) {
      const found = CONTENT.exec(text.slice(at, at + LONGEST));
      if (found) tags.push({ name: undefined, from: at, to: at + found[0].length });
      at += found?.[0].length ?? 2;
    } else if (next === "%") at = liquidTag(source, at, tags);
    else at++;
  }
  return tags;
}

/** Reads the tag at `at` and returns the position after it. Raw and comment blocks are skipped as a whole. */
function liquidTag(source: Source, at: number, tags: Tag[]): number {
  const { text } = source;
  const close = text.indexOf("%}", at);
  if (close === -1) return text.length;
  const word = WORD.exec(text.slice(at, at + LONGEST))?.[1];
  if (word === "raw" || word === "comment") {
    const end = text.slice(close).search(word === "raw" ? /\{%-?\s*endraw\b/ : /\{%-?\s*endcomment\b/);
    return end === -1 ? text.length : close + end + 2;
  }
  if (word === "snippet") {
    const found = SNIPPET.exec(text.slice(at, Math.min(close + 2, at + LONGEST)));
    if (!found) throw faultIn(source, at, 'has a tag that must be written {% snippet "name" %}');
    tags.push({ name: found[1] ?? found[2] ?? "", from: at, to: close + 2 });
  }
  return close + 2;
}

/** The error for a position in the assembled text, with the position in the author's text. */
export function faultAt(assembled: Assembled, at: number, what: string, cause?: unknown): Problem {
  const piece = assembled.pieces.findLast((candidate) => candidate.at <= at) ?? assembled.pieces[0];
  if (!piece) return faultIn({ part: "body", text: "" }, 0, what, cause);
  return faultIn(piece.source, piece.from + at - piece.at, what, cause);
}

/** The 422 template_error for a position in one text. */
export function faultIn({ part, text }: Source, at: number, what: string, cause?: unknown): Problem {
  const before = text.slice(0, at);
  let line = 1;
  for (let end = before.indexOf("\n"); end !== -1; end = before.indexOf("\n", end + 1)) line++;
  const column = at - before.lastIndexOf("\n");
  return new Problem("template_error", `The ${part} (line ${line}, column ${column}) ${what}.`, {
    errors: [{ pointer: part === "layout" ? "/layout_id" : "/body", message: what }],
    extra: { part, line, column },
    cause,
  });
}

/** The offset of a line and a column in a text. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let i = 1; i < line; i++) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
}
