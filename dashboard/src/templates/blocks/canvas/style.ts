import type { CSSProperties } from "react";

// What customers wrote is drawn here in our own page. So only what can't reach over its place is taken, and no address.

const COLOR = /^(?:#[\da-f]{3,8}|[a-z]+|rgba?\([\d\s,.%/]+\))$/i;
const LENGTH = /^(?:\d+(?:\.\d+)?(?:px|%)?)$/;
const LENGTHS = /^(?:\d+(?:\.\d+)?(?:px|%)?\s*){1,4}$/;

/** A colour; undefined for what is none, such as Liquid. */
export const colorOf = (value: string | undefined): string | undefined =>
  value !== undefined && COLOR.test(value.trim()) ? value.trim() : undefined;

export const lengthOf = (value: string | undefined): string | undefined =>
  value !== undefined && LENGTH.test(value) ? (/\d$/.test(value) ? `${value}px` : value) : undefined;

export const lengthsOf = (value: string | undefined): string | undefined =>
  value !== undefined && LENGTHS.test(value.trim())
    ? value
        .trim()
        .replaceAll(/\b0\b(?!\.)/g, "0px")
        .replaceAll(/0pxpx/g, "0px")
    : undefined;

const lineHeightOf = (value: string | undefined): string | undefined =>
  value !== undefined && /^\d+(?:\.\d+)?(?:px|%)?$/.test(value) ? value : undefined;

const wordOf = (value: string | undefined): string | undefined =>
  value !== undefined && /^[\w ,'"-]+$/.test(value) ? value : undefined;

const TAKEN: Record<string, (value: string | undefined) => string | undefined> = {
  color: colorOf,
  backgroundColor: colorOf,
  fontSize: lengthOf,
  lineHeight: lineHeightOf,
  fontFamily: wordOf,
  fontWeight: wordOf,
  fontStyle: wordOf,
  textAlign: wordOf,
  textDecoration: wordOf,
  textTransform: wordOf,
  letterSpacing: lengthOf,
  margin: lengthsOf,
  padding: lengthsOf,
  borderRadius: lengthsOf,
};

/** The style of a tag that customers wrote, as far as it is drawn. */
export function styleOf(text: string | undefined): CSSProperties {
  const found = (text ?? "").split(";").flatMap((line): [string, string][] => {
    const [name = "", value = ""] = line.split(":").map((part) => part.trim());
    const key = name.toLowerCase().replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const taken = TAKEN[key]?.(value);
    return taken === undefined ? [] : [[key, taken]];
  });
  return Object.fromEntries(found);
}

type Read = (name: string) => string | undefined;

/** How the words of an element look. */
export function wordsStyle(read: Read): CSSProperties {
  return {
    color: colorOf(read("color")),
    fontSize: lengthOf(read("font-size")),
    lineHeight: lineHeightOf(read("line-height")),
    fontFamily: wordOf(read("font-family")),
    fontWeight: wordOf(read("font-weight")),
    fontStyle: wordOf(read("font-style")),
    letterSpacing: lengthOf(read("letter-spacing")),
    textTransform: wordOf(read("text-transform")) as CSSProperties["textTransform"],
    textAlign: wordOf(read("align")) as CSSProperties["textAlign"],
  };
}

/** The space in an element, with the single sides that it names. */
export function paddingStyle(read: Read): CSSProperties {
  return {
    padding: lengthsOf(read("padding")),
    ...Object.fromEntries(
      (["top", "right", "bottom", "left"] as const).flatMap((side) => {
        const value = lengthOf(read(`padding-${side}`));
        return value ? [[`padding${side[0]?.toUpperCase()}${side.slice(1)}`, value]] : [];
      }),
    ),
  };
}
