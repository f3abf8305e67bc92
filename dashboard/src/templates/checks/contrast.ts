import { type Advice, lineAt } from "./advice.ts";
import { readTags, type Tag } from "./markup.ts";

type Rgb = readonly [number, number, number];
const NAMED: Record<string, string> = {
  ...{ black: "#000", white: "#fff", red: "#f00", green: "#008000", blue: "#00f", yellow: "#ff0", gray: "#808080" },
  ...{ grey: "#808080", silver: "#c0c0c0", orange: "#ffa500", purple: "#800080", navy: "#000080", teal: "#008080" },
  ...{ lightgray: "#d3d3d3", lightgrey: "#d3d3d3", darkgray: "#a9a9a9", darkgrey: "#a9a9a9", maroon: "#800000" },
};

/** Reads a colour that is written in a way that everybody understands; undefined for others, such as one by Liquid. */
export function rgbOf(text: string): Rgb | undefined {
  const word = text.trim().toLowerCase();
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(NAMED[word] ?? word)?.[1];
  if (hex) {
    const long = hex.length === 3 ? [...hex].map((one) => one + one).join("") : hex;
    return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16)) as unknown as Rgb;
  }
  const parts = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(word)?.slice(1).map(Number);
  return parts?.every((part) => part <= 255) ? (parts as unknown as Rgb) : undefined;
}

const light = (rgb: Rgb): number => {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** The contrast of two colours as WCAG counts it: from 1 to 21. */
export function contrastOf(a: Rgb, b: Rgb): number {
  const [more, less] = [light(a), light(b)].sort((one, other) => other - one) as [number, number];
  return (more + 0.05) / (less + 0.05);
}

interface Look {
  name: string;
  ink: string;
  ground: string;
}
const LEAST = 4.5;

/** Texts whose colour is written beside their background, and that few can read on it. */
export function contrastAdvice(body: string): Advice[] {
  const found: Advice[] = [];
  const open: Look[] = [{ name: "", ink: "#000", ground: "#fff" }];
  readTags(body, {
    onOpen(tag) {
      const around = open.at(-1) as Look;
      const { ink, ground } = coloursOf(tag);
      const here = { name: tag.name, ink: ink ?? around.ink, ground: ground ?? around.ground };
      open.push(here);
      if (ink === undefined && (ground === undefined || tag.name !== "mj-text")) return;
      const [text, behind] = [rgbOf(here.ink), rgbOf(here.ground)];
      if (!text || !behind) return;
      const ratio = Math.floor(contrastOf(text, behind) * 10) / 10;
      if (ratio < LEAST)
        found.push({
          code: "contrast",
          part: "body",
          line: lineAt(body, tag.at),
          values: { ink: here.ink, ground: here.ground, ratio },
        });
    },
    onClose(name) {
      const at = open.findLastIndex((one) => one.name === name);
      if (at > 0) open.length = at;
    },
  });
  return found;
}

/** A button of MJML has colours of its own where it names none, and takes nothing from what is around it. */
const BUTTON = { ink: "#fff", ground: "#414141" };

function coloursOf(tag: Tag): { ink: string | undefined; ground: string | undefined } {
  const named = namedIn(tag);
  return tag.name === "mj-button" ? { ink: named.ink ?? BUTTON.ink, ground: named.ground ?? BUTTON.ground } : named;
}

function namedIn({ name, attributes }: Tag): { ink: string | undefined; ground: string | undefined } {
  const style = new Map(
    (attributes.get("style") ?? "").split(";").map((rule) => {
      const at = rule.indexOf(":");
      return [rule.slice(0, at).trim().toLowerCase(), rule.slice(at + 1).trim()] as const;
    }),
  );
  const ofMjml = name.startsWith("mj-");
  // An image behind it may have any colour.
  const ground = style.get("background-color") ?? style.get("background");
  return {
    ink: style.get("color") ?? (ofMjml || name === "font" ? attributes.get("color") : undefined),
    ground:
      ground ??
      (attributes.has("background-url")
        ? "image"
        : ofMjml
          ? (attributes.get(name === "mj-text" ? "container-background-color" : "background-color") ?? undefined)
          : attributes.get("bgcolor")),
  };
}
