/** A screen pattern split at its wildcards: `checkout/*` is ["checkout/", ""]. */
export type Pattern = string[];

/** `*` stands for any run of characters, `/` and `.` included; everything else is literal and case-sensitive. */
export const compilePattern = (pattern: string): Pattern => pattern.trim().split("*");

/**
 * Whether the whole screen name fits the pattern. It searches the pieces from left to right and takes each at its first
 * occurrence, which is enough for `*`; as a regular expression, `*a*a*a*a*b` would take time without bound.
 */
export function fits(pattern: Pattern, screen: string): boolean {
  const first = pattern[0] as string;
  if (pattern.length === 1) return screen === first;
  const last = pattern[pattern.length - 1] as string;
  const end = screen.length - last.length;
  if (end < first.length || !screen.startsWith(first) || !screen.endsWith(last)) return false;
  let at = first.length;
  for (let i = 1; i < pattern.length - 1; i++) {
    const piece = pattern[i] as string;
    const found = screen.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

function fitsAny(patterns: Pattern[], screen: string): boolean {
  for (const pattern of patterns) if (fits(pattern, screen)) return true;
  return false;
}

/**
 * Whether the screen rules let a message show. An empty include list means all screens, exclude wins over include. Where the
 * client names no screen, only messages for all screens show, and an exclude list can't match.
 */
export function onScreen(include: Pattern[], exclude: Pattern[], screen: string | undefined): boolean {
  if (screen === undefined) return include.length === 0;
  return (include.length === 0 || fitsAny(include, screen)) && !fitsAny(exclude, screen);
}
