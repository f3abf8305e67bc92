import { compilePattern, fits } from "./pages.ts";

/** What a name is without what people get wrong: case, the signs between its parts, a slash before or behind it. */
const loose = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s._:/\\-]+/g, "/")
    .replace(/^\/|\/$/g, "");

/** Whether a screen is not what a pattern says, and yet looks as if it was meant: `Checkout/cart` and `checkout/*`, `/home` and `Home`. */
export function nearlyFits(pattern: string, screen: string): boolean {
  if (fits(compilePattern(pattern), screen)) return false;
  return fits(compilePattern(loose(pattern)), loose(screen));
}
