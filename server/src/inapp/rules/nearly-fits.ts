import { compilePattern, fits } from "./screens.ts";

/** A name without the differences that people make by mistake: case, separators, a slash at the start or the end. */
const loose = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s._:/\\-]+/g, "/")
    .replace(/^\/|\/$/g, "");

/** Whether a screen does not fit a pattern, but its author probably meant it: `Checkout/cart` and `checkout/*`, `/home` and `Home`. */
export function nearlyFits(pattern: string, screen: string): boolean {
  if (fits(compilePattern(pattern), screen)) return false;
  return fits(compilePattern(loose(pattern)), loose(screen));
}
