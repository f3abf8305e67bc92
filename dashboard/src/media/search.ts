/** The orders in which images can be listed; the first is the service's own. */
export const SORTS = ["-created_at", "name", "-bytes"] as const;

/** What the address of the room says: what is sought, the order, and the image that is open. */
export interface MediaSearch {
  q?: string | undefined;
  sort?: (typeof SORTS)[number] | undefined;
  open?: string | undefined;
}

/** Reads the search of an address; what makes no sense is left out. */
export function mediaSearchOf(search: Record<string, unknown>): MediaSearch {
  const { q, sort, open } = search;
  const order = SORTS.find((one) => one === sort);
  return {
    ...((typeof q === "string" || typeof q === "number") && { q: String(q) }),
    ...(order && { sort: order }),
    ...(typeof open === "string" && { open }),
  };
}
