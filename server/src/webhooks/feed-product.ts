import { EventFeed, EventQuery } from "@tidings/contract/webhooks";
import { endOfFeed, eventOf, OLDEST, readFeed, wantedTypes } from "../activity/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, decodeCursor, encodeCursor } from "../platform/http/index.ts";
import { inListTurns } from "../platform/resources/interactive.ts";

/** GET /events: the events that endpoints get, for systems that prefer to poll. */
export function feedRoutes(app: App, ground: Ground): void {
  app.get(
    "/events",
    {
      schema: {
        summary: "Read the feed of all events, oldest first, without end",
        tags: ["events"],
        querystring: EventQuery,
        response: { 200: EventFeed },
      },
    },
    async (request) => {
      const { limit = 50, cursor, types } = request.query;
      const { id: workspaceId } = request.caller.workspace;
      const q = inListTurns(ground, workspaceId);
      const wanted = types === undefined ? [] : wantedTypes(types);
      const [txid, id] = cursor === "latest" ? [] : (decodeCursor(cursor, "whole", "uuid") ?? [OLDEST.txid, OLDEST.id]);
      const after = txid !== undefined && id !== undefined ? { txid, id } : await endOfFeed(q);
      const page = await readFeed(q, workspaceId, { after, types: wanted, limit });
      return {
        data: page.events.map(eventOf),
        next_cursor: encodeCursor([page.next.txid, page.next.id]),
        has_more: page.more,
      };
    },
  );
}
