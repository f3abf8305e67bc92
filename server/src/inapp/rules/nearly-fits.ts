import { loose } from "../../screens/index.ts";
import { compilePattern, fits } from "./screens.ts";

/** Whether a screen does not fit a pattern, but its author probably meant it: `Checkout/cart` and `checkout/*`, `/home` and `Home`. */
export function nearlyFits(pattern: string, screen: string): boolean {
  if (fits(compilePattern(pattern), screen)) return false;
  return fits(compilePattern(loose(pattern)), loose(screen));
}
