import { ScreenList, ScreenQuery } from "@tidings/contract/facts/screens";
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
        summary: "List the screen catalog, by name, with look-alikes and the messages that use them",
        tags: ["screens"],
        querystring: ScreenQuery,
        response: { 200: ScreenList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, q } = request.query;
      const like = q ? `%${q.replace(/[\\%_]/g, "\\$&")}%` : undefined;
      const workspaceId = request.caller.workspace.id;
      const queries = inListTurns(ground, workspaceId);
      const rows = await list(queries, workspaceId, {
        like,
        after: decodeCursor(cursor, "text"),
        limit: limit + 1,
      });
      const names = rows.map(({ name }) => name);
      const similar = lookAlikes(names, await allNames(queries, workspaceId));
      const usersOf = await ground.slices.screenUsers(queries, workspaceId, names);
      return page(
        rows,
        limit,
        (row) => [row.name],
        ({ name, first_seen, last_seen }) => ({
          name,
          first_seen: first_seen.toISOString(),
          last_seen: last_seen.toISOString(),
          similar: similar(name),
          used_by: usersOf.get(name) ?? [],
        }),
      );
    },
  );
}
