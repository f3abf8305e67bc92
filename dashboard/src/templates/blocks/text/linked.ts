import { changed, withAttribute } from "../mjml/edit.ts";
import { type Element, readTree } from "../mjml/tree.ts";

/** The attributes of a link to another address: everything else that its author wrote stays. */
export function linked(own: string, href: string): { tag: string; own: string; href: string } {
  const tag = `<a${own}></a>`;
  const [link] = readTree(tag);
  const after = changed(tag, withAttribute(tag, link as Element, "href", href));
  return { tag: "a", own: after.slice("<a".length, -"></a>".length), href };
}
