import { WorkspaceActivity, WorkspaceActivityQuery, eventTypes } from "@tidings/contract/webhooks";
import { type App, badParameter, decodeCursor, encodeCursor, page } from "../platform/http/index.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { type ConnectedGround, personKey } from "../workspaces/index.ts";
import { sourceOf } from "./deliveries/delivery-view.ts";
import { eventOf } from "./entry-view.ts";
import { type FeedEvent, readBack } from "./feed-store.ts";

/** GET /activity: what happened in the workspace, newest first. It has the entries of the feed and the live stream, in their order. */
export function recentRoutes(app: App, ground: ConnectedGround): void {
  app.get(
    "/activity",
    {
      schema: {
        summary: "List what happened in the workspace, newest first",
        tags: ["activity"],
        querystring: WorkspaceActivityQuery,
        response: { 200: WorkspaceActivity },
      },
    },
    async (request) => {
      const { limit = 50, cursor, types, channel, source, source_id, person_id } = request.query;
      const { id: workspaceId } = request.caller.workspace;
      const [txid, id] = decodeCursor(cursor, "whole", "uuid") ?? [];
      const before = txid !== undefined && id !== undefined ? { txid, id } : undefined;
      const filter = {
        types: types === undefined ? [] : wantedTypes(types),
        channel,
        source,
        sourceId: source_id === undefined ? undefined : sourceOf(source_id),
        personKey: person_id === undefined ? undefined : personKey(workspaceId, person_id),
      };
      const q = inListTurns(ground, workspaceId);
      const { events, after } = await readBack(q, workspaceId, { filter, before, limit: limit + 1 });
      const found = page(events, limit, (event: FeedEvent) => [event.txid, event.id], eventOf);
      return { ...found, next_cursor: found.next_cursor ?? (after ? encodeCursor([after.txid, after.id]) : null) };
    },
  );
}

/** Returns the types and families of a list. @throws Problem invalid_request naming an unknown one: a client would wait for a misspelt one for ever */
export function wantedTypes(text: string): string[] {
  const wanted = text.split(",").map((type) => type.trim());
  for (const type of wanted) {
    const known = eventTypes.includes(type) || eventTypes.some((one) => `${one.split(".")[0]}.*` === type);
    if (!known) throw badParameter("types", `has no kind of event named "${type.slice(0, 100)}"; see docs/webhooks.md`);
  }
  return wanted;
}
