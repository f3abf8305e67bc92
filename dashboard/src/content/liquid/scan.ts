import { KEYWORDS } from "./words.ts";

export type TokenKind = "edge" | "tag" | "filter" | "word" | "name" | "text" | "number" | "sign" | "comment";
export interface Token {
  kind: TokenKind;
  from: number;
  to: number;
}
/** A word of the text with its place. */
export interface Word {
  name: string;
  from: number;
  to: number;
}
/** `{{ ... }}` or `{% ... %}`, with its edges. */
export interface Block {
  kind: "output" | "tag";
  from: number;
  to: number;
}
/** The Liquid of a text. */
export interface Scan {
  blocks: Block[];
  /** In their order, for colours. */
  tokens: Token[];
  /** Names that read data, each as its parts: `person.first_name`. A path ends before an index that is not a text. */
  paths: Word[][];
  tags: Word[];
  filters: Word[];
  /** Names that the text itself defines. */
  variables: Set<string>;
}

const OPEN = /\{\{-?|\{%-?/g;
const LEXEME = /\s+|"[^"]*"?|'[^']*'?|-?\d+(?:\.\d+)?|[A-Za-z_][\w-]*\??|\.\.|==|!=|<>|<=|>=|[^\s]/gy;
const DEFINES = new Set(["assign", "capture", "for", "tablerow", "increment", "decrement"]);

/** Finds the Liquid in a text that somebody may be in the middle of writing: nothing of it is an error here. */
export function scan(text: string): Scan {
  const found: Scan = { blocks: [], tokens: [], paths: [], tags: [], filters: [], variables: new Set() };
  for (let at = 0; ; ) {
    OPEN.lastIndex = at;
    const open = OPEN.exec(text);
    if (!open) return found;
    at = block(found, text, open.index, open[0]);
  }
}

/** Reads the block that begins at `from`, and a comment or raw text after it. Returns where to go on. */
function block(found: Scan, text: string, from: number, edge: string): number {
  const kind = edge[1] === "{" ? "output" : "tag";
  const start = from + edge.length;
  const end = kind === "output" ? closing(text, start, "}}") : closing(text, start, "%}");
  const inner = end.at;
  found.blocks.push({ kind, from, to: end.to });
  found.tokens.push({ kind: "edge", from, to: start });
  const tag = new Inside(found, text, kind).read(start, inner);
  if (end.to > inner) found.tokens.push({ kind: "edge", from: inner, to: end.to });
  if (tag !== "comment" && tag !== "raw") return end.to;
  const over = new RegExp(`\\{%-?\\s*end${tag}\\b`, "g");
  over.lastIndex = end.to;
  const last = over.exec(text)?.index ?? text.length;
  if (tag === "comment" && last > end.to) found.tokens.push({ kind: "comment", from: end.to, to: last });
  return last;
}

/** Where the block ends: before its closing edge, or, while that is missing, at the end of the line or before the next block. */
function closing(text: string, start: number, edge: string): { at: number; to: number } {
  const close = text.indexOf(edge, start);
  OPEN.lastIndex = start;
  const next = OPEN.exec(text)?.index ?? text.length;
  if (close >= 0 && close <= next) {
    const at = text[close - 1] === "-" && close - 1 >= start ? close - 1 : close;
    return { at, to: close + edge.length };
  }
  const line = text.indexOf("\n", start);
  const at = Math.min(next, line < 0 ? text.length : line);
  return { at, to: at };
}

/** Reads what is between the edges. */
class Inside {
  private readonly found: Scan;
  private readonly text: string;
  /** Whether the next word is the name of a tag, of a filter, or of a new variable. */
  private next: "tag" | "filter" | "variable" | "path";
  private tag: string | undefined;
  /** The path that a point or a bracket may go on with. */
  private path: Word[] | undefined;
  private after: "" | "." | "[" = "";

  constructor(found: Scan, text: string, kind: Block["kind"]) {
    this.found = found;
    this.text = text;
    this.next = kind === "tag" ? "tag" : "path";
  }

  /** Returns the tag's name. */
  read(from: number, to: number): string | undefined {
    if (this.next === "tag" && /^\s*#/.test(this.text.slice(from, to))) {
      this.token("comment", from, to);
      return undefined;
    }
    LEXEME.lastIndex = from;
    for (let lexeme = LEXEME.exec(this.text); lexeme && lexeme.index < to; lexeme = LEXEME.exec(this.text)) {
      const end = Math.min(LEXEME.lastIndex, to);
      this.lexeme(this.text.slice(lexeme.index, end), lexeme.index, end);
      LEXEME.lastIndex = end;
      if (end >= to) break;
    }
    return this.tag;
  }

  private token(kind: TokenKind, from: number, to: number): void {
    this.found.tokens.push({ kind, from, to });
  }

  private lexeme(word: string, from: number, to: number): void {
    if (/^\s/.test(word)) {
      // Each line of `{% liquid %}` begins with a tag.
      if (this.tag === "liquid" && word.includes("\n")) this.next = "tag";
      if (this.after === "") this.path = undefined;
    } else if (/^["']/.test(word)) this.string(word, from, to);
    else if (/^-?\d/.test(word)) this.plain("number", from, to);
    else if (/^[A-Za-z_]/.test(word)) this.word(word, from, to);
    else this.sign(word, from, to);
  }

  private plain(kind: TokenKind, from: number, to: number): void {
    this.token(kind, from, to);
    this.path = undefined;
    this.after = "";
  }

  private string(word: string, from: number, to: number): void {
    const { path, after } = this;
    this.token("text", from, to);
    this.after = "";
    if (after === "[" && path && word.length > 1) path.push({ name: word.slice(1, -1), from: from + 1, to: to - 1 });
    else this.path = undefined;
  }

  private sign(word: string, from: number, to: number): void {
    this.token("sign", from, to);
    if (word === "." && this.path) this.after = ".";
    else if (word === "[" && this.path) this.after = "[";
    else if (word === "]") this.after = "";
    else {
      this.path = undefined;
      this.after = "";
      if (word === "|") this.next = "filter";
    }
  }

  private word(name: string, from: number, to: number): void {
    const { next, path, after } = this;
    const word = { name, from, to };
    this.after = "";
    if (next === "tag") {
      this.tag = this.tag === "liquid" ? "liquid" : name;
      this.token("tag", from, to);
      this.found.tags.push(word);
      this.next = DEFINES.has(name) ? "variable" : "path";
    } else if (next === "filter") {
      this.token("filter", from, to);
      this.found.filters.push(word);
      this.next = "path";
    } else if (next === "variable") {
      this.token("name", from, to);
      this.found.variables.add(name);
      this.next = "path";
    } else if (after === "." && path) {
      this.token("name", from, to);
      path.push(word);
    } else if (KEYWORDS.has(name)) this.plain("word", from, to);
    else if (this.text[to] === ":" || this.text[from - 1] === ".") this.plain("name", from, to);
    else {
      this.token("name", from, to);
      this.path = [word];
      this.found.paths.push(this.path);
    }
  }
}
