import { decoded, encoded } from "../mjml/entities.ts";
import { type Element, type Node, sliceOf } from "../mjml/tree.ts";

// The words of a text block as the document of a rich text field, and back. Each tag keeps its attributes as they were written, and Liquid is
// text among text. What has no place in such a document is left to the field for code.

export interface Mark {
  type: "bold" | "italic" | "underline" | "strike" | "link" | "span";
  attrs: { tag: string; own: string; href?: string };
}
export interface Inline {
  type: "text" | "hardBreak";
  text?: string;
  marks?: Mark[];
  attrs?: { own: string };
}
export interface Part {
  type: "paragraph" | "bulletList" | "orderedList" | "listItem";
  attrs: { tag: string; own: string };
  content?: (Part | Inline)[];
}
export interface Doc {
  type: "doc";
  content: Part[];
}

const MARKS: Record<string, Mark["type"]> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  s: "strike",
  a: "link",
  span: "span",
};
const LISTS: Record<string, Part["type"]> = { ul: "bulletList", ol: "orderedList" };

class NoRichText extends Error {}

/** Reads the words of an element; undefined where a rich text field could not keep all of it. */
export function richOf(source: string, element: Element): Doc | undefined {
  try {
    const content = partsOf(source, element.children);
    return { type: "doc", content: content.length > 0 ? content : [{ type: "paragraph", attrs: bare }] };
  } catch (error) {
    if (error instanceof NoRichText) return undefined;
    throw error;
  }
}

const bare = { tag: "", own: "" };

/** The attributes as they were written. */
const ownOf = (source: string, { start, name }: Element): string =>
  source.slice(start.from + 1 + name.length, start.to).replace(/\s*\/?>$/, "");

function partsOf(source: string, nodes: readonly Node[]): Part[] {
  const parts: Part[] = [];
  let line: Inline[] = [];
  const endLine = () => {
    const content = trimmed(line);
    if (content.length > 0) parts.push({ type: "paragraph", attrs: bare, content });
    line = [];
  };
  for (const node of nodes) {
    const part = node.kind === "element" ? partOf(source, node) : undefined;
    if (!part) line.push(...inlineOf(source, node, []));
    else {
      endLine();
      parts.push(part);
    }
  }
  endLine();
  return parts;
}

function partOf(source: string, element: Element): Part | undefined {
  const { name, children } = element;
  const attrs = { tag: name, own: ownOf(source, element) };
  if (/^(?:p|h[1-4])$/.test(name)) {
    const content = trimmed(children.flatMap((child) => inlineOf(source, child, [])));
    return { type: "paragraph", attrs, ...(content.length > 0 && { content }) };
  }
  const list = LISTS[name];
  if (!list) return undefined;
  const items = children.filter((child) => child.kind !== "text" || sliceOf(source, child).trim() !== "");
  if (items.length === 0) throw new NoRichText();
  return { type: list, attrs, content: items.map((item) => itemOf(source, item)) };
}

function itemOf(source: string, item: Node): Part {
  if (item.kind !== "element" || item.name !== "li") throw new NoRichText();
  const content = partsOf(source, item.children);
  if (content[0] && content[0].type !== "paragraph") throw new NoRichText();
  const attrs = { tag: "li", own: ownOf(source, item) };
  return { type: "listItem", attrs, content: content.length > 0 ? content : [{ type: "paragraph", attrs: bare }] };
}

function inlineOf(source: string, node: Node, marks: Mark[]): Inline[] {
  if (node.kind === "comment") throw new NoRichText();
  if (node.kind !== "element") {
    const raw = sliceOf(source, node);
    const text = node.kind === "liquid" ? raw : decoded(raw.replaceAll(/[ \t\r\n]+/g, " "));
    return text === "" ? [] : [{ type: "text", text, ...(marks.length > 0 && { marks }) }];
  }
  const own = ownOf(source, node);
  if (node.name === "br") return [{ type: "hardBreak", attrs: { own }, ...(marks.length > 0 && { marks }) }];
  const type = MARKS[node.name];
  // A mark stands once around a text.
  if (!type || marks.some((mark) => mark.type === type)) throw new NoRichText();
  const href = node.attributes.find(({ name }) => name === "href");
  if (type === "link" && !href) throw new NoRichText();
  const mark: Mark = {
    type,
    attrs: { tag: node.name, own, ...(href && { href: decoded(href.raw) }) },
  };
  return node.children.flatMap((child) => inlineOf(source, child, [...marks, mark]));
}

/** Without the blanks at the ends of a line, which show nowhere. */
function trimmed(line: Inline[]): Inline[] {
  const joined: Inline[] = [];
  for (const one of line) {
    const last = joined.at(-1);
    const same = JSON.stringify(last?.marks) === JSON.stringify(one.marks);
    if (last?.type === "text" && one.type === "text" && same) last.text = `${last.text}${one.text}`;
    else joined.push({ ...one });
  }
  while (isBlank(joined[0])) joined.shift();
  while (isBlank(joined.at(-1))) joined.pop();
  const [first, last] = [joined[0], joined.at(-1)];
  if (first?.text) first.text = first.text.replace(/^ +/, "");
  if (last?.text) last.text = last.text.replace(/ +$/, "");
  return joined;
}

const isBlank = (one: Inline | undefined): boolean => one?.type === "text" && /^ *$/.test(one.text ?? "");

/** Writes the document as HTML: a single paragraph without its tag, several as mail programs space them alike. */
export function htmlOf({ content = [] }: Doc): string {
  return content.map((part) => htmlOfPart(part, content.length === 1)).join("\n");
}

/** Mail programs have margins of their own. */
const PARAGRAPH = ' style="margin: 0 0 12px"';

function htmlOfPart(part: Part, alone: boolean): string {
  const { content = [], type } = part;
  const { tag = "", own = "" } = part.attrs ?? {};
  if (type === "paragraph") {
    const words = htmlOfLine(content as Inline[]);
    if (tag === "") return alone ? words : `<p${PARAGRAPH}>${words}</p>`;
    return `<${tag}${own}>${words}</${tag}>`;
  }
  const name = type === "bulletList" ? "ul" : type === "orderedList" ? "ol" : "li";
  const inside = (content as Part[]).map((one) => htmlOfPart(one, type === "listItem" && content[0] === one));
  return `<${name}${own}>${inside.join("")}</${name}>`;
}

function htmlOfLine(line: Inline[]): string {
  let out = "";
  let open: Mark[] = [];
  for (const one of [...line, undefined]) {
    const marks = one?.marks ?? [];
    let same = 0;
    while (same < open.length && JSON.stringify(open[same]) === JSON.stringify(marks[same])) same++;
    for (const mark of open.slice(same).toReversed()) out += `</${mark.attrs.tag || TAGS[mark.type]}>`;
    for (const mark of marks.slice(same)) out += startOf(mark);
    open = marks;
    if (one) out += one.type === "text" ? encoded(one.text ?? "") : `<br${one.attrs?.own ?? ""} />`;
  }
  return out;
}

const TAGS: Record<Mark["type"], string> = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strike: "s",
  link: "a",
  span: "span",
};

const startOf = ({ type, attrs }: Mark): string => `<${attrs.tag || TAGS[type]}${attrs.own ?? ""}>`;
