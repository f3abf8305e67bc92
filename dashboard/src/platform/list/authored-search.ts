/** What the address of a list of authored things says: the text, the order, and one word of each facet, such as `status`. */
export interface AuthoredSearch {
  q?: string;
  sort?: (typeof sorts)[number];
  [facet: string]: string | undefined;
}
/** Newest first is the order without a word. */
export const sorts = ["-updated_at", "name"] as const;

/** Returns the reader of such an address. What it does not know is left out. */
export function authoredSearchOf(facets: Record<string, readonly string[]>) {
  return (given: Record<string, unknown>): AuthoredSearch => {
    const read: AuthoredSearch = {};
    if (typeof given.q === "string" || typeof given.q === "number") read.q = String(given.q);
    const sort = sorts.find((one) => one === given.sort);
    if (sort) read.sort = sort;
    for (const [facet, words] of Object.entries(facets)) {
      const word = words.find((one) => one === given[facet]);
      if (word) read[facet] = word;
    }
    return read;
  };
}
