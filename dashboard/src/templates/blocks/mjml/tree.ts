// Reads MJML as the service's own reader does, and keeps where everything stands in the text: a change
// then replaces the slice of one element, and every other byte stays as its author wrote it.

export interface Span {
  from: number;
  to: number;
}

export interface Attribute extends Span {
  name: string;
  /** As it stands in the text. */
  raw: string;
  /** Where the value stands, without its quotes. */
  at: Span;
}

export interface Element extends Span {
  kind: "element";
  name: string;
  attributes: Attribute[];
  /** The start tag. */
  start: Span;
  /** What stands between the tags; undefined for `<mj-image />`. */
  inner: Span | undefined;
  children: Node[];
}

export interface Leaf extends Span {
  kind: "text" | "comment" | "liquid";
}

export type Node = Element | Leaf;

/** A text that is no tree of elements: why, and where. */
export class Unreadable extends Error {
  readonly at: number;
  constructor(at: number) {
    super("unreadable");
    this.at = at;
  }
}

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
/** What stands in these is no markup. */
const OPAQUE = new Set(["mj-style", "style", "script"]);
const DEEPEST = 100;

/** Reads a text to its nodes. @throws Unreadable */
export function readTree(source: string): Node[] {
  const root: Node[] = [];
  const open: Element[] = [];
  const into = () => open.at(-1)?.children ?? root;
  const text = (from: number, to: number) => {
    if (to > from) into().push({ kind: "text", from, to });
  };
  const special = /<!--|<|\{\{|\{%/g;
  let at = 0;
  for (let found = special.exec(source); found; found = special.exec(source)) {
    const from = found.index;
    text(at, from);
    if (found[0] === "<") at = source[from + 1] === "/" ? close(source, from, open) : begin(source, from, open, into());
    else {
      const to = found[0] === "<!--" ? endOfComment(source, from) : endOfLiquid(source, from);
      into().push({ kind: found[0] === "<!--" ? "comment" : "liquid", from, to });
      at = to;
    }
    special.lastIndex = at;
  }
  text(at, source.length);
  const unclosed = open.at(-1);
  if (unclosed) throw new Unreadable(unclosed.from);
  return root;
}

function endOfComment(source: string, from: number): number {
  const end = source.indexOf("-->", from + 4);
  if (end === -1) throw new Unreadable(from);
  return end + 3;
}

function begin(source: string, from: number, open: Element[], into: Node[]): number {
  const name = /^[A-Za-z][\w:-]*/.exec(source.slice(from + 1, from + 60))?.[0];
  if (name === undefined || open.length === DEEPEST) throw new Unreadable(from);
  const { attributes, to } = readAttributes(source, from + 1 + name.length);
  const element: Element = {
    kind: "element",
    name: name.toLowerCase(),
    attributes,
    start: { from, to },
    from,
    to,
    inner: undefined,
    children: [],
  };
  into.push(element);
  if (source[to - 2] === "/" || VOID.has(element.name)) return to;
  element.inner = { from: to, to };
  open.push(element);
  if (!OPAQUE.has(element.name)) return to;
  const end = source.toLowerCase().indexOf(`</${element.name}`, to);
  if (end === -1) throw new Unreadable(from);
  if (end > to) element.children.push({ kind: "text", from: to, to: end });
  return close(source, end, open);
}

function close(source: string, at: number, open: Element[]): number {
  const end = source.indexOf(">", at);
  const element = open.pop();
  const name = source
    .slice(at + 2, end)
    .trim()
    .toLowerCase();
  if (end === -1 || !element?.inner || element.name !== name) throw new Unreadable(at);
  element.inner.to = at;
  element.to = end + 1;
  return end + 1;
}

/** Reads from behind the name of a tag to behind its >. */
function readAttributes(source: string, begin: number): { attributes: Attribute[]; to: number } {
  const attributes: Attribute[] = [];
  const word = /[^\s=>"'/<{]+/y;
  for (let at = begin; at < source.length; ) {
    const char = source[at] as string;
    if (char === ">") return { attributes, to: at + 1 };
    if (/[\s/]/.test(char)) {
      at++;
      continue;
    }
    word.lastIndex = at;
    const name = word.exec(source)?.[0];
    if (name === undefined) throw new Unreadable(at);
    const value = readValue(source, at + name.length);
    attributes.push({ name, raw: source.slice(value.from, value.to), at: value, from: at, to: value.end });
    at = value.end;
  }
  throw new Unreadable(begin);
}

function readValue(source: string, from: number): Span & { end: number } {
  const gap = /\s*=\s*/y;
  gap.lastIndex = from;
  if (!gap.test(source)) return { from, to: from, end: from };
  const at = gap.lastIndex;
  const quote = source[at];
  if (quote !== '"' && quote !== "'") {
    const bare = /[^\s>"'<{]+/y;
    bare.lastIndex = at;
    if (!bare.test(source)) throw new Unreadable(at);
    return { from: at, to: bare.lastIndex, end: bare.lastIndex };
  }
  for (let i = at + 1; i < source.length; i++) {
    if (source[i] === quote) return { from: at + 1, to: i, end: i + 1 };
    if (source[i] === "{" && /[{%]/.test(source[i + 1] ?? "")) i = endOfLiquid(source, i) - 1;
  }
  throw new Unreadable(at);
}

const COMMENT = /^\{%-?\s*(comment|raw)\b/;

/** Behind the Liquid that begins at `at`. As liquidjs: quotes count in outputs and not in tags. @throws Unreadable */
export function endOfLiquid(source: string, at: number): number {
  if (source[at + 1] === "%") {
    const end = source.indexOf("%}", at + 2);
    if (end === -1) throw new Unreadable(at);
    const block = COMMENT.exec(source.slice(at, end))?.[1];
    if (!block) return end + 2;
    const last = new RegExp(`\\{%-?\\s*end${block}\\s*-?%\\}`, "g");
    last.lastIndex = end + 2;
    if (!last.test(source)) throw new Unreadable(at);
    return last.lastIndex;
  }
  let quote = "";
  for (let i = at + 2; i < source.length; i++) {
    const char = source[i] as string;
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === "}" && source[i + 1] === "}") return i + 2;
  }
  throw new Unreadable(at);
}

export const sliceOf = (source: string, { from, to }: Span): string => source.slice(from, to);

/** The element's attribute of this name. */
export const attributeOf = (element: Element, name: string): Attribute | undefined =>
  element.attributes.find((one) => one.name === name);

/** The elements among the nodes, also those in elements. */
export function* elementsIn(nodes: readonly Node[]): Generator<Element> {
  for (const node of nodes)
    if (node.kind === "element") {
      yield node;
      yield* elementsIn(node.children);
    }
}
