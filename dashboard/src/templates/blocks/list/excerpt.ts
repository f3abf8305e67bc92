import { decoded } from "../mjml/entities.ts";
import { attributeOf, sliceOf } from "../mjml/tree.ts";
import type { Block } from "./block.ts";

const LONGEST = 60;

/** The words of a block, in one line. Empty where it has none. */
export function wordsOf(source: string, { kind, element, tags, from, to }: Block): string {
  const text = () => {
    if (tags) return sliceOf(source, tags.open).replaceAll(/^\{%-?\s*|\s*-?%\}$/g, "");
    if (kind === "code") return source.slice(from, to);
    if (kind === "image") return element ? (attributeOf(element, "alt")?.raw ?? "") : "";
    if (!element?.inner || !/^(?:text|heading|button)$/.test(kind)) return "";
    return decoded(sliceOf(source, element.inner).replaceAll(/<[^>{]*>/g, " "));
  };
  return text().replaceAll(/\s+/g, " ").trim();
}

/** The first of them, by which one knows it. */
export const excerptOf = (words: string): string => (words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words);
