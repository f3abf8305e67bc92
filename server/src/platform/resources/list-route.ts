import type { Listing } from "@tidings/contract/lists";
import type { FastifyRequest } from "fastify";
import type { Ground } from "../ground.ts";
import { type App, page } from "../http/index.ts";
import type { Prefix } from "../ids.ts";
import { countsOf } from "./counts.ts";
import { inListTurns } from "./interactive.ts";
import { agrees, keyOf, kindsOf, type ListSource, readGroups, readPage } from "./lists.ts";
import { searched } from "./search.ts";
import { sortedBy } from "./sorts.ts";

/** What a request of a list may contain; the facets of the list beside it. */
export type ListRequest = { limit?: number; cursor?: string; q?: string; sort?: string; counts?: boolean } & Record<
  string,
  unknown
>;

/** A list of the product API, see `listRoute`. */
export interface List<Row extends { id: string }> {
  path: string;
  tag: string;
  summary: string;
  prefix: Prefix;
  listing: Listing;
  source: ListSource;
  scopeOf(request: FastifyRequest): string;
  /** Returns a row of the source as the list shows it. */
  shape(row: Row): object;
}

/** Mounts the list of a resource: pages by cursor, with search, facets, sorts and counts. */
export function listRoute<Row extends { id: string }>(app: App, ground: Ground, list: List<Row>): void {
  const { path, tag, summary, prefix, listing, source, scopeOf, shape } = list;
  if (!agrees(source, listing)) throw new Error(`${path}: the source of the list lacks a sort or a facet`);
  app.get(
    path,
    { schema: { summary, tags: [tag], querystring: listing.query, response: { 200: listing.answer } } },
    async (request) => {
      const { limit = 50, cursor, q, sort, counts, ...chosen } = request.query as ListRequest;
      const scope = scopeOf(request);
      const sorted = sortedBy(listing, { sort, cursor }, kindsOf(source));
      const asked = { scope, prefix, q: searched(q), chosen: chosen as Record<string, string | undefined> };
      const queries = inListTurns(ground, scope);
      const rows = await readPage<Row>(queries, source, { ...asked, sorted, limit: limit + 1 });
      const answer = page(rows, limit, (row) => sorted.cursorOf(keyOf(source, sorted, row)), shape);
      if (!counts) return answer as never;
      const counted = countsOf(await readGroups(queries, source, asked), listing, asked.chosen);
      return { ...answer, counts: { exact: true, ...counted } } as never;
    },
  );
}
