import { ScreenList, ScreenQuery } from "@tidings/contract/facts/screens";
import type { Queries } from "../platform/db/index.ts";
import { type App, decodeCursor, page } from "../platform/http/index.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import type { ConnectedGround } from "../workspaces/index.ts";
import { lookAlikes } from "./similar.ts";
import { allNames, list } from "./store.ts";

/** GET /screens: the names that an editor offers for screen rules. */
export function product(app: App, ground: ConnectedGround): void {
  app.get(
    "/screens",
    {
      schema: {
        summary:
          "List the screen catalog, by name, with look-alikes and the messages that use them where `include` asks for them",
        tags: ["screens"],
        querystring: ScreenQuery,
        response: { 200: ScreenList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, q, include } = request.query;
      const like = q ? `%${q.replace(/[\\%_]/g, "\\$&")}%` : undefined;
      const workspaceId = request.caller.workspace.id;
      const queries = inListTurns(ground, workspaceId);
      const rows = await list(queries, workspaceId, {
        like,
        after: decodeCursor(cursor, "text"),
        limit: limit + 1,
      });
      const names = rows.map(({ name }) => name);
      const usageOf = include ? await usage(ground, queries, workspaceId, names) : () => ({});
      return page(
        rows,
        limit,
        (row) => [row.name],
        ({ name, first_seen, last_seen }) => ({
          name,
          first_seen: first_seen.toISOString(),
          last_seen: last_seen.toISOString(),
          ...usageOf(name),
        }),
      );
    },
  );
}

/** Returns what each of these screens looks like, and which messages name it. */
async function usage({ slices }: ConnectedGround, q: Queries, workspaceId: string, names: string[]) {
  const similar = lookAlikes(names, await allNames(q, workspaceId));
  const usersOf = await slices.screenUsers(q, workspaceId, names);
  return (name: string) => ({ similar: similar(name), used_by: usersOf.get(name) ?? [] });
}
