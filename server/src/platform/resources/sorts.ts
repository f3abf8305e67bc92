import type { Listing } from "@tidings/contract/lists";
import { badParameter, decodeCursor, type PartKind, partsOf } from "../http/index.ts";

/** How a list is sorted now, and the position from which it continues. */
export interface Sorted {
  /** The name of the sort without its sign. */
  name: string;
  descending: boolean;
  /** The sort key of the last row of the page before; undefined on the first page. */
  after: string[] | undefined;
  /** Returns the parts of a cursor for a row's sort key. */
  cursorOf(key: string[]): string[];
}

/**
 * Reads the sort of a request and its cursor. A cursor carries the name of its sort, except that of the default sort. `kindsOf` returns the
 * kinds of a sort's key. @throws Problem invalid_request for a cursor of another sort, or of another list
 */
export function sortedBy(
  { sorts, defaultSort }: Pick<Listing, "sorts" | "defaultSort">,
  { sort = defaultSort, cursor }: { sort?: string | undefined; cursor?: string | undefined },
  kindsOf: (name: string) => PartKind[],
): Sorted {
  const descending = sort.startsWith("-");
  const name = descending ? sort.slice(1) : sort;
  const first = String(partsOf(cursor)?.[0]);
  const made = sorts.includes(first.replace(/^-/, "")) ? first : defaultSort;
  if (cursor !== undefined && made !== sort)
    throw badParameter(
      "cursor",
      `is of the list by sort=${made}, and this one is by sort=${sort}: begin without a cursor`,
    );
  const named = sort === defaultSort ? [] : [sort];
  const key = decodeCursor(cursor, ...named.map(() => "text" as const), ...kindsOf(name));
  return { name, descending, after: key?.slice(named.length), cursorOf: (parts) => [...named, ...parts] };
}
