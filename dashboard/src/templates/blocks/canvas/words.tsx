import { createElement, Fragment, type ReactNode } from "react";
import type { Doc, Inline, Mark, Part } from "../text/rich.ts";
import { styleOf } from "./style.ts";

/** The words of a text block, drawn without their HTML: each tag is one of those that a rich text knows. */
export function Words({ doc }: { doc: Doc }) {
  return doc.content.map((part, i) => <Fragment key={keyOf(part, i)}>{drawn(part)}</Fragment>);
}

const keyOf = (part: Part | Inline, i: number): string => `${i}${part.type}`;
const styleIn = (own: string) => styleOf(/\sstyle\s*=\s*"([^"]*)"/i.exec(own)?.[1]);

function drawn({ type, attrs, content = [] }: Part): ReactNode {
  const style = styleIn(attrs.own);
  if (type === "paragraph") {
    const line = (content as Inline[]).map((one, i) => <Fragment key={keyOf(one, i)}>{inline(one)}</Fragment>);
    // Headings of customers are none of this page.
    return attrs.tag === "" ? line : createElement(attrs.tag === "p" ? "p" : "div", { style }, ...line);
  }
  const tag = type === "bulletList" ? "ul" : type === "orderedList" ? "ol" : "li";
  return createElement(tag, { style }, ...(content as Part[]).map(drawn));
}

function inline({ type, text, marks = [] }: Inline): ReactNode {
  if (type === "hardBreak") return <br />;
  return marks.toReversed().reduce<ReactNode>((inside, mark) => marked(mark, inside), text);
}

const LOOKS: Record<Mark["type"], object> = {
  bold: { fontWeight: "bold" },
  italic: { fontStyle: "italic" },
  underline: { textDecoration: "underline" },
  strike: { textDecoration: "line-through" },
  link: { textDecoration: "underline", color: "#0000ee" },
  span: {},
};

const marked = ({ type, attrs }: Mark, inside: ReactNode): ReactNode => (
  <span
    style={{ ...LOOKS[type], ...styleIn(attrs.own), ...(/color:\s*inherit/.test(attrs.own) && { color: "inherit" }) }}
  >
    {inside}
  </span>
);
