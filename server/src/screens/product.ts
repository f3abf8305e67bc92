import { ScreenList, ScreenQuery } from "@tidings/contract/facts/screens";
import type { Ground } from "../platform/ground.ts";
import { type App, decodeCursor, page } from "../platform/http/index.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { list } from "./store.ts";

/** GET /screens: the names that an editor offers for screen rules. */
export function product(app: App, ground: Ground): void {
  app.get(
    "/screens",
    {
      schema: {
        summary: "List the screen catalog, by name",
        tags: ["screens"],
        querystring: ScreenQuery,
        response: { 200: ScreenList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, q } = request.query;
      const like = q ? `%${q.replace(/[\\%_]/g, "\\$&")}%` : undefined;
      const workspaceId = request.caller.workspace.id;
      const rows = await list(inListTurns(ground, workspaceId), workspaceId, {
        like,
        after: decodeCursor(cursor, "text"),
        limit: limit + 1,
      });
      return page(
        rows,
        limit,
        (row) => [row.name],
        (row) => ({ name: row.name, first_seen: row.first_seen.toISOString(), last_seen: row.last_seen.toISOString() }),
      );
    },
  );
}
