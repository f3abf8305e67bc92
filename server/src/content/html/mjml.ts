import { Engine } from "mrml";
import { MOST_SOURCE } from "../liquid/engine.ts";
import { MarkupError, type Masked, maskLiquid } from "./markup.ts";

// Only threads import this: a compile may take long, and the compiler (WebAssembly, without files or network) is loaded
// with the thread, before its clock starts.

/** Compiles an MJML document to HTML. Its Liquid stays as it was written. @throws MarkupError */
export function mjmlHere(source: string): string {
  const masked = maskLiquid(source);
  const engine = new Engine();
  // Without the compiler's own list of fonts: they would make each reader's mail program call Google.
  engine.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} });
  const result = engine.toHtml(masked.text);
  engine.free();
  if (result.type === "error") throw fault(masked, source, result);
  const restored = result.content.replaceAll(new RegExp(`${masked.mark}(\\d+)x`, "g"), (_, i) => {
    return masked.pieces[Number(i)] as string;
  });
  const html = separated(restored);
  if (html.length > MOST_SOURCE) throw new MarkupError(`makes more than ${MOST_SOURCE} characters of HTML`, 0);
  return masked.before + html + masked.after;
}

/** Separates the links of a navigation and the two icons of its button, which the compiler puts side by side: HOMEBLOGSTORE. */
const separated = (html: string): string =>
  html
    .replaceAll("</a><!--[if mso | IE]></td><![endif]-->", "</a>\n<!--[if mso | IE]></td><![endif]-->")
    .replaceAll('</span><span class="mj-menu-icon-close"', '</span>\n<span class="mj-menu-icon-close"');

type Failure = Extract<ReturnType<Engine["toHtml"]>, { type: "error" }>;

/**
 * Turns the compiler's error into a MarkupError with its position in the source. Errors that our own reader misses are mostly
 * in attributes.
 */
function fault(masked: Masked, source: string, failure: Failure): MarkupError {
  const details = failure.origin === "parser" ? failure.details : undefined;
  if (details && "position" in details) {
    return new MarkupError(
      wordsOf(details.type),
      sourcePositionOf(masked, charactersIn(masked.text, details.position.start)),
    );
  }
  const text = details?.type === "parser-error" ? details.source : "";
  const [, what = "", row = "1", column = "1"] = /^(.*?)(?: at \d+:\d+ cause .*)? at (\d+):(\d+)$/.exec(text) ?? [];
  if (what === "") return new MarkupError("can't be compiled", details?.type === "end-of-stream" ? source.length : 0);
  const at = offsetOf(masked.text, Number(row), Number(column));
  return new MarkupError(`has an ${what.replace(/^(?:an?|the) /, "")}`, sourcePositionOf(masked, at));
}

const wordsOf = (type: string): string => `has an ${type.replaceAll("-", " ")}`.replace("an missing", "a missing");

/** The number of characters in the first `count` bytes: the compiler counts bytes. */
const charactersIn = (text: string, count: number): number => Buffer.from(text).subarray(0, count).toString().length;

function offsetOf(text: string, row: number, column: number): number {
  let start = 0;
  for (let i = 1; i < row; i++) start = text.indexOf("\n", start) + 1;
  return start + column - 1;
}

/** The source position of a position in the masked text. */
function sourcePositionOf({ places }: Masked, at: number): number {
  const i = places.findLastIndex(([masked]) => masked <= at);
  const [masked, source] = places[i] ?? [0, 0];
  // After Liquid in the same piece the position is only approximate.
  return Math.min(source + at - masked, (places[i + 1]?.[1] ?? Number.POSITIVE_INFINITY) - 1);
}
