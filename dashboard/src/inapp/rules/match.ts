/** Whether a screen fits a pattern, in which `*` stands for any run of characters. As the service compares: by case and by every sign. */
export function fits(pattern: string, screen: string): boolean {
  const [first = "", ...pieces] = pattern.trim().split("*");
  const last = pieces.pop();
  if (last === undefined) return screen === first;
  const end = screen.length - last.length;
  if (end < first.length || !screen.startsWith(first) || !screen.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = screen.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

export interface Screens {
  include: readonly string[];
  exclude: readonly string[];
}

/** Whether a message with these rules shows on a screen. Without names in `include` it shows on all; `exclude` wins. */
export const showsOn = ({ include, exclude }: Screens, screen: string): boolean =>
  (include.length === 0 || include.some((pattern) => fits(pattern, screen))) &&
  !exclude.some((pattern) => fits(pattern, screen));

/** A name without the differences that people make by mistake. */
const loose = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s._:/\\-]+/g, "/")
    .replace(/^\/|\/$/g, "");

/** A name of a rule that no known screen fits. */
export interface Miss {
  pattern: string;
  /** The screens that were probably meant. */
  near: string[];
}
const MOST_NEAR = 3;

/** Returns the names among the rules that no known screen fits, each with those that it nearly fits. */
export function missesOf(patterns: readonly string[], screens: readonly string[]): Miss[] {
  return patterns
    .filter((pattern) => !screens.some((screen) => fits(pattern, screen)))
    .map((pattern) => ({
      pattern,
      near: screens.filter((screen) => fits(loose(pattern), loose(screen))).slice(0, MOST_NEAR),
    }));
}
