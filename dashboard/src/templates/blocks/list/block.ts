import { type Element, type Leaf, type Node, readTree, type Span, sliceOf, Unreadable } from "../mjml/tree.ts";

export type Kind =
  | "wrapper"
  | "section"
  | "group"
  | "column"
  | "hero"
  | "repeat"
  | "condition"
  | "text"
  | "heading"
  | "button"
  | "image"
  | "divider"
  | "spacer"
  | "code";

/** The kind of blocks that a block may contain. */
export type Holds = "sections" | "columns" | "content";

/** A piece of an email that can be chosen, moved and changed: a slice of its text. */
export interface Block extends Span {
  kind: Kind;
  /** The indexes of the blocks from the root to this one, such as "0.1". */
  path: string;
  /** The kind of this block itself. */
  level: Holds;
  holds: Holds | undefined;
  children: Block[];
  element: Element | undefined;
  /** The Liquid tags around a block that is repeated, or shown under a condition. */
  tags: { open: Leaf; close: Leaf } | undefined;
}

/** An email as the editor of blocks reads it. */
export interface Email {
  source: string;
  nodes: Node[];
  blocks: Block[];
  /** The kind of its outermost blocks. */
  holds: Holds;
  /** Where the first block goes into an email without blocks. */
  container: { start: Span; inner: Span | undefined; name: string | undefined };
  mjml: Element | undefined;
  body: Element | undefined;
}

const ELEMENTS: Record<string, { kind: Kind; level: Holds; holds?: Holds }> = {
  "mj-wrapper": { kind: "wrapper", level: "sections", holds: "sections" },
  "mj-section": { kind: "section", level: "sections", holds: "columns" },
  "mj-hero": { kind: "hero", level: "sections", holds: "content" },
  "mj-group": { kind: "group", level: "columns", holds: "columns" },
  "mj-column": { kind: "column", level: "columns", holds: "content" },
  "mj-text": { kind: "text", level: "content" },
  "mj-button": { kind: "button", level: "content" },
  "mj-image": { kind: "image", level: "content" },
  "mj-divider": { kind: "divider", level: "content" },
  "mj-spacer": { kind: "spacer", level: "content" },
};

/** Reads an email to its blocks; undefined where it is no MJML, or its structure is broken. */
export function readEmail(source: string): Email | { at: number } {
  try {
    return emailOf(source, readTree(source));
  } catch (error) {
    if (error instanceof Unreadable) return { at: error.at };
    throw error;
  }
}

function emailOf(source: string, nodes: Node[]): Email {
  const roots = nodes.filter((node): node is Element => node.kind === "element");
  const mjml = roots.find(({ name }) => name === "mjml");
  const body = mjml?.children.find((node): node is Element => node.kind === "element" && node.name === "mj-body");
  // A text without the element `mjml` is the content of a layout.
  const inLayout = !mjml && roots.some(({ name }) => name.startsWith("mj-"));
  if (!body?.inner && !inLayout) throw new Unreadable(mjml?.from ?? 0);
  const holds = body
    ? "sections"
    : (ELEMENTS[roots.find(({ name }) => name in ELEMENTS)?.name ?? ""]?.level ?? "sections");
  const whole = { from: 0, to: source.length };
  const blocks = blocksOf(source, body?.children ?? nodes, holds, "");
  if (!blocks) throw new Unreadable(body?.from ?? 0);
  const container = body ?? { start: { from: 0, to: 0 }, inner: whole, name: undefined };
  return { source, nodes, blocks, holds, container, mjml, body };
}

const OPENS = /^\{%-?\s*(for|if|unless|case|tablerow|capture)\b/;
const CLOSES = /^\{%-?\s*end(for|if|unless|case|tablerow|capture)\b/;

interface Frame {
  tag: string;
  open: Leaf;
  blocks: Block[];
}

/** Returns the blocks of these nodes; undefined if a Liquid tag opens among them and closes elsewhere. */
function blocksOf(source: string, nodes: readonly Node[], level: Holds, above: string): Block[] | undefined {
  const root: Block[] = [];
  const open: Frame[] = [];
  const add = (block: Block) => (open.at(-1)?.blocks ?? root).push(block);
  for (const node of nodes) {
    if (node.kind === "text") continue;
    if (node.kind !== "liquid") {
      add(blockOf(source, node, level));
      continue;
    }
    const text = sliceOf(source, node);
    const opens = OPENS.exec(text)?.[1];
    const closes = CLOSES.exec(text)?.[1];
    if (opens) open.push({ tag: opens, open: node, blocks: [] });
    else if (!closes) add(code(node, level));
    else {
      const frame = open.pop();
      if (frame?.tag !== closes) return undefined;
      add(around(frame, node, level));
    }
  }
  return open.length > 0 ? undefined : numbered(root, above);
}

/** Returns the block between two Liquid tags. A `capture` makes a value and shows nothing, so it stays code. */
function around({ tag, open, blocks }: Frame, close: Leaf, level: Holds): Block {
  const span = { from: open.from, to: close.to };
  if (!/^(?:for|if|unless|case)$/.test(tag)) return code(span, level);
  return {
    ...code(span, level),
    kind: tag === "for" ? "repeat" : "condition",
    holds: level,
    children: blocks,
    tags: { open, close },
  };
}

function blockOf(source: string, node: Element | Leaf, level: Holds): Block {
  const known = node.kind === "element" ? ELEMENTS[node.name] : undefined;
  if (node.kind !== "element" || known?.level !== level) return code(node, level);
  const { kind, holds } = known;
  const children = holds ? blocksOf(source, node.children, holds, "") : [];
  if (!children) return code(node, level);
  const own = kind === "text" && headingOf(node) ? "heading" : kind;
  return { ...code(node, level), kind: own, holds, children, element: node };
}

const code = ({ from, to }: Span, level: Holds): Block => ({
  kind: "code",
  path: "",
  level,
  holds: undefined,
  children: [],
  element: undefined,
  tags: undefined,
  from,
  to,
});

function numbered(blocks: Block[], above: string): Block[] {
  return blocks.map((block, i) => {
    const path = above === "" ? String(i) : `${above}.${i}`;
    return { ...block, path, children: numbered(block.children, path) };
  });
}

/** Returns the heading of a text that consists of one heading and nothing else. */
export function headingOf(element: Element): Element | undefined {
  const inside = element.children.filter((node) => node.kind === "element");
  const [only] = inside;
  return inside.length === 1 && /^h[1-4]$/.test(only?.name ?? "") ? only : undefined;
}

/** Returns the element that directly contains the words of a text: its heading, or itself. */
export const wordsOf = (element: Element): Element => headingOf(element) ?? element;

export function* allBlocks(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block;
    yield* allBlocks(block.children);
  }
}

export const blockAt = (email: Email, path: string): Block | undefined =>
  [...allBlocks(email.blocks)].find((block) => block.path === path);

/** Returns the block that begins at an offset of the source. */
export const blockFrom = (email: Email, from: number): Block | undefined =>
  [...allBlocks(email.blocks)].find((block) => block.from === from);

/** Returns the block that contains this one. */
export const parentOf = (email: Email, { path }: Block): Block | undefined =>
  blockAt(email, path.split(".").slice(0, -1).join("."));

export const siblingsOf = (email: Email, block: Block): Block[] => parentOf(email, block)?.children ?? email.blocks;
