import { PersonEventList, PersonEventsQuery } from "@tidings/contract/facts/ingest";
import { PersonId } from "@tidings/contract/primitives";
import { Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import { type App, decodeCursor, Problem, page } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { parseInstant } from "../platform/time/clock.ts";
import { personKey } from "../workspaces/index.ts";
import { type EventRow, isPerson, list } from "./store.ts";

/** GET /people/:person_id/events: the events of one person. */
export function product(app: App, ground: Ground): void {
  app.get(
    "/people/:person_id/events",
    {
      schema: {
        summary: "List the events of a person, newest first",
        tags: ["events"],
        params: Type.Object({ person_id: PersonId }),
        querystring: PersonEventsQuery,
        response: { 200: PersonEventList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, name, since, until } = request.query;
      const { id: workspaceId } = request.caller.workspace;
      const q = inListTurns(ground, workspaceId);
      const key = personKey(workspaceId, request.params.person_id);
      const before = decodeCursor(cursor, "instant", "uuid");
      const filter = { name, since: instantOf(since), until: instantOf(until) };
      const rows = await list(q, key, { ...filter, before, limit: limit + 1 });
      if (rows.length === 0 && !(await isPerson(q, key)))
        throw new Problem("person_not_found", "The workspace knows no person with this person_id.");
      return page(rows, limit, (row) => [row.ts.toISOString(), row.id], shape);
    },
  );
}

const instantOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : parseInstant(text));

const shape = ({ id, name, properties, ts, received_at }: EventRow) => ({
  id: encodeId("evt", id),
  name,
  properties,
  ts: ts.toISOString(),
  received_at: received_at.toISOString(),
});
