import { decoded } from "../mjml/entities.ts";
import { attributeOf, sliceOf } from "../mjml/tree.ts";
import type { Block } from "./block.ts";

const LONGEST = 60;

/** A few words by which one knows a block. */
export function excerptOf(source: string, { kind, element, tags, from, to }: Block): string {
  const text = () => {
    if (tags) return sliceOf(source, tags.open).replaceAll(/^\{%-?\s*|\s*-?%\}$/g, "");
    if (kind === "code") return source.slice(from, to);
    if (kind === "image") return element ? (attributeOf(element, "alt")?.raw ?? "") : "";
    if (!element?.inner || !/^(?:text|heading|button)$/.test(kind)) return "";
    return decoded(sliceOf(source, element.inner).replaceAll(/<[^>{]*>/g, " "));
  };
  const line = text().replaceAll(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
