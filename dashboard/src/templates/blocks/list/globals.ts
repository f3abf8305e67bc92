import { type Change, insideOf, withAttribute } from "../mjml/edit.ts";
import { decoded, encodedValue } from "../mjml/entities.ts";
import { attributeOf, type Element, type Node } from "../mjml/tree.ts";
import type { Email } from "./block.ts";

/** What has attributes for the whole email: its body, and the defaults of elements in its head. */
export type GlobalOf = "mj-body" | "mj-all" | "mj-text" | "mj-button";

const childOf = (nodes: readonly Node[] | undefined, name: string): Element | undefined =>
  nodes?.find((node): node is Element => node.kind === "element" && node.name === name);

function elementOf({ mjml, body }: Email, of: GlobalOf): Element | undefined {
  if (of === "mj-body") return body;
  return childOf(childOf(childOf(mjml?.children, "mj-head")?.children, "mj-attributes")?.children, of);
}

/** What the email says for all; empty where it says nothing. */
export function globalOf(email: Email, of: GlobalOf, name: string): string {
  const element = elementOf(email, of);
  return decoded((element && attributeOf(element, name)?.raw) ?? "");
}

/** Writes it into the head or the body, with the elements that are missing for it. */
export function withGlobal(email: Email, of: GlobalOf, name: string, value: string): Change[] {
  const { source, mjml } = email;
  const element = elementOf(email, of);
  if (element) return withAttribute(source, element, name, value);
  if (!mjml || value === "") return [];
  const own = `<${of} ${name}="${encodedValue(value)}" />`;
  const head = childOf(mjml.children, "mj-head");
  const attributes = childOf(head?.children, "mj-attributes");
  if (attributes) return [insideOf(source, attributes, own, true).change];
  const all = `<mj-attributes>\n  ${own}\n</mj-attributes>`;
  if (head) return [insideOf(source, head, all, true).change];
  const whole = `<mj-head>\n  ${all.replaceAll("\n", "\n  ")}\n</mj-head>`;
  return [insideOf(source, mjml, whole, true).change];
}
