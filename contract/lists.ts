import { type TSchema, Type } from "typebox";
import { Line, ListQuery, Nullable, OneOf } from "./primitives.ts";

// What a list takes beside `limit` and `cursor`: `q`, `sort`, `counts` and its facets, which are filters by a word such as a status.

/** A list as requests and answers have it. */
export interface Listing {
  /** The names of its sorts without a sign; `-name` is the same backwards. */
  sorts: string[];
  defaultSort: string;
  /** The words of each facet. */
  facets: Record<string, string[]>;
  query: ReturnType<typeof Type.Object>;
  answer: ReturnType<typeof Type.Object>;
}

interface Listed {
  /** One row of the list. */
  item: TSchema;
  /** What `q` is of the rows that it finds, for its description. */
  finds: string;
  /** The most characters of `q`. Default: 200. */
  mostQ?: number;
  sorts: string[];
  defaultSort: string;
  /** Schemas of OneOf, by the name of the parameter. */
  facets?: Record<string, TSchema>;
  /** Further parameters. */
  more?: Record<string, TSchema>;
  /** How many rows are counted at most, for lists that are too long to be counted. */
  mostCounted?: number;
}

const n = Type.Integer();

/** Returns the schemas of a list and what they say. */
export function listing({
  item,
  finds,
  mostQ = 200,
  sorts,
  defaultSort,
  facets = {},
  more,
  mostCounted,
}: Listed): Listing {
  const wordsOf = (facet: TSchema): string[] => (facet as unknown as { enum: string[] }).enum;
  const optional = Object.entries(facets).map(([name, facet]) => [name, Type.Optional(facet)]);
  const by = Object.entries(facets).map(([name, facet]) => [
    `by_${name}`,
    Type.Object(Object.fromEntries(wordsOf(facet).map((word) => [word, n])), {
      description: `Rows of each ${name.replaceAll("_", " ")}, without the filter by it.`,
    }),
  ]);
  const inAll = mostCounted === undefined ? "" : ` At most the newest ${mostCounted.toLocaleString("en")} are counted.`;
  const counts = Type.Object(
    {
      total: Type.Integer({ description: "Rows that the whole list has." }),
      exact: Type.Boolean({ description: `False if there may be more than counted.${inAll}` }),
      ...Object.fromEntries(by),
    },
    { description: "With `counts=true`." },
  );
  return {
    sorts,
    defaultSort,
    facets: Object.fromEntries(Object.entries(facets).map(([name, facet]) => [name, wordsOf(facet)])),
    query: Type.Object({
      ...ListQuery,
      q: Type.Optional(Line(mostQ, { description: `Only rows that have this as ${finds}.` })),
      ...Object.fromEntries(optional),
      ...more,
      sort: Type.Optional(
        OneOf(
          sorts.flatMap((name) => [name, `-${name}`]),
          { default: defaultSort },
        ),
      ),
      counts: Type.Optional(
        Type.Boolean({ description: "Adds how many rows the list has, for the first page of a screen." }),
      ),
    }),
    answer: Type.Object({
      data: Type.Array(item),
      next_cursor: Nullable(Type.String()),
      counts: Type.Optional(counts),
    }),
  };
}

/** The most rows that are counted of a list that is too long to be counted. */
export const MOST_COUNTED = 10_000;

/** The sorts of the things that authors write. Without `sort` the newest come first. */
export const authoredSorts = ["created_at", "updated_at", "name"];
