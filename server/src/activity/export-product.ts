import { ActivityExportQuery, DeliveryExportQuery, EventExportQuery } from "@tidings/contract/activity";
import { PersonId } from "@tidings/contract/primitives";
import { Type } from "typebox";
import { csvFile } from "../platform/csv-file.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, Problem } from "../platform/http/index.ts";
import { personKey } from "../workspaces/index.ts";
import { filterOf } from "./delivery-view.ts";
import { entriesFilterOf } from "./entry-view.ts";
import { deliveryLines, eventLines, personLines } from "./export.ts";
import { ofPerson, personExists } from "./store.ts";

const tags = ["activity"];

/** The lists of activity as CSV, with their filters. They read by the connections of background work, so that a big one is in nobody's way. */
export function exportRoutes(app: App, { db, workDb }: Ground): void {
  app.get(
    "/deliveries/export",
    { schema: { summary: "Message activity as CSV", tags, querystring: DeliveryExportQuery } },
    (request, reply) => {
      const { id } = request.caller.workspace;
      return csvFile(reply, "deliveries", deliveryLines(workDb, id, filterOf(id, request.query)));
    },
  );

  app.get(
    "/deliveries/events/export",
    { schema: { summary: "What happened to deliveries, as CSV", tags, querystring: EventExportQuery } },
    (request, reply) => {
      const { id } = request.caller.workspace;
      const { type, ...query } = request.query;
      return csvFile(reply, "events", eventLines(workDb, id, filterOf(id, query), type));
    },
  );

  app.get(
    "/people/:person_id/activity/export",
    {
      schema: {
        summary: "What happened to one person, as CSV",
        tags,
        params: Type.Object({ person_id: PersonId }),
        querystring: ActivityExportQuery,
      },
    },
    async (request, reply) => {
      const key = personKey(request.caller.workspace.id, request.params.person_id);
      const [known] = await ofPerson(db, key, entriesFilterOf({}), undefined, 1);
      if (!known && !(await personExists(db, key)))
        throw new Problem("person_not_found", "The workspace knows no person with this person_id.");
      return csvFile(reply, "activity", personLines(workDb, key, entriesFilterOf(request.query)));
    },
  );
}
