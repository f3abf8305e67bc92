/** The most look-alikes that are named. */
const MOST = 5;

/** A name without the differences that people make by mistake: case, separators, a slash at the start or the end. */
export const loose = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s._:/\\-]+/g, "/")
    .replace(/^\/|\/$/g, "");

/** Returns for each name the other names that look like it: `Home` for `/home`. */
export function lookAlikes(names: string[], all: string[]): (name: string) => string[] {
  const groups = new Map<string, string[]>();
  const asked = new Set(names.map(loose));
  for (const name of all) {
    const key = loose(name);
    if (!asked.has(key)) continue;
    const group = groups.get(key);
    if (group) group.push(name);
    else groups.set(key, [name]);
  }
  return (name) => (groups.get(loose(name)) ?? []).filter((other) => other !== name).slice(0, MOST);
}
