// Chrome's own name is in the words of the others, and Safari's in those of Chrome.
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Windows", "Windows"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Mac OS X", "macOS"],
  ["Android", "Android"],
  ["Linux", "Linux"],
] as const;

/** Returns which browser and system a User-Agent names, such as "Firefox, Linux". */
export function browserOf(agent: string | null): string | undefined {
  const find = (names: readonly (readonly [string, string])[]) => names.find(([word]) => agent?.includes(word))?.[1];
  const browser = find(BROWSERS);
  return browser && [browser, find(SYSTEMS)].filter(Boolean).join(", ");
}
