import { endOfLiquid } from "./tree.ts";

const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  middot: "·",
  bull: "•",
  times: "×",
  euro: "€",
  pound: "£",
  rarr: "→",
  larr: "←",
  laquo: "«",
  raquo: "»",
  ldquo: "“",
  rdquo: "”",
  lsquo: "‘",
  rsquo: "’",
  zwnj: "\u200c",
  shy: "\u00ad",
};

/** Does `work` to everything of a text that is no Liquid. */
function besideLiquid(text: string, work: (part: string) => string): string {
  let out = "";
  let at = 0;
  const begins = /\{[{%]/g;
  for (let found = begins.exec(text); found; found = begins.exec(text)) {
    let end: number;
    try {
      end = endOfLiquid(text, found.index);
    } catch {
      break;
    }
    out += work(text.slice(at, found.index)) + text.slice(found.index, end);
    at = end;
    begins.lastIndex = end;
  }
  return out + work(text.slice(at));
}

/** The characters that a text of HTML stands for. Its Liquid stays as it is, and so does a name that is not known. */
export const decoded = (raw: string): string =>
  besideLiquid(raw, (part) =>
    part.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, number, hex, name) => {
      if (name) return NAMED[name as string] ?? whole;
      const code = number ? Number(number) : Number.parseInt(hex as string, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    }),
  );

/** Writes a text as HTML. Its Liquid stays as it is: `{% if trigger.n > 3 %}` would mean nothing with `&gt;`. */
export const encoded = (text: string): string =>
  besideLiquid(text, (part) =>
    part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\u00a0", "&nbsp;"),
  );

/** Escapes the value of an attribute in double quotes. */
export const encodedValue = (text: string): string =>
  besideLiquid(text, (part) => part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"));
