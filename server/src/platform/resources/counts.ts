import type { Listing } from "@tidings/contract/lists";

/** A group of rows with the same word in each facet, and how many they are. */
export type Group = { n: number } & Record<string, string | number>;

/**
 * Adds up the counts of a list: the total of the rows with all chosen words, and for each facet the rows of each of its words without the
 * choice in that facet itself, so that a screen can show a number at each of its tabs.
 */
export function countsOf(
  groups: Group[],
  { facets }: Pick<Listing, "facets">,
  chosen: Record<string, string | undefined>,
): { total: number } & Record<string, unknown> {
  const fits = (group: Group, name: string) => chosen[name] === undefined || group[name] === chosen[name];
  const names = Object.keys(facets);
  const sum = (some: Group[]) => some.reduce((all, { n }) => all + n, 0);
  const by = Object.entries(facets).map(([facet, words]) => {
    const others = groups.filter((group) => names.every((name) => name === facet || fits(group, name)));
    return [
      `by_${facet}`,
      Object.fromEntries(words.map((word) => [word, sum(others.filter((group) => group[facet] === word))])),
    ];
  });
  const total = sum(groups.filter((group) => names.every((name) => fits(group, name))));
  return { total, ...Object.fromEntries(by) };
}
