/** An opening tag of HTML or MJML in a text that may be unfinished. */
export interface Tag {
  name: string;
  /** In lower case, as they are written, without the quotes. */
  attributes: Map<string, string>;
  at: number;
}

const TAG =
  /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|[^"'<>])*)>/gi;
const ATTRIBUTE = /([a-z_:@][\w:.@-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(\{\{[\s\S]*?\}\}|[^\s"'>]+)))?/gi;

interface Reader {
  onOpen: (tag: Tag) => void;
  onClose?: (name: string) => void;
}
/** Elements of HTML that have no end. */
const EMPTY = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** Reads the tags of a text in their order. An element without an end is closed at once. */
export function readTags(text: string, { onOpen, onClose }: Reader): void {
  for (const found of text.matchAll(TAG)) {
    const [, end, name = "", inside = ""] = found;
    if (name === "") continue;
    const lower = name.toLowerCase();
    if (end) {
      onClose?.(lower);
      continue;
    }
    const attributes = new Map<string, string>();
    for (const [, key = "", double, single, bare] of inside.matchAll(ATTRIBUTE))
      if (!attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), double ?? single ?? bare ?? "");
    onOpen({ name: lower, attributes, at: found.index });
    if (EMPTY.test(lower) || inside.trimEnd().endsWith("/")) onClose?.(lower);
  }
}
