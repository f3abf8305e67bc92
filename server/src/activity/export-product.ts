import { ActivityExportQuery, DeliveryExportQuery, EventExportQuery } from "@tidings/contract/facts/activity";
import { PersonId } from "@tidings/contract/primitives";
import { Type } from "typebox";
import { type App, Problem } from "../platform/http/index.ts";
import { sendFile } from "../platform/transfer/export-file.ts";
import { type ConnectedGround, personKey } from "../workspaces/index.ts";
import { filterOf } from "./deliveries/delivery-view.ts";
import { entriesFilterOf } from "./entry-view.ts";
import { deliveryLines, eventLines, personLines } from "./export.ts";
import { entriesOfPerson, personExists } from "./store.ts";

const tags = ["activity"];

/** The routes that export the lists of activity as CSV, with their filters. */
export function exportRoutes(app: App, ground: ConnectedGround): void {
  const { db } = ground;

  app.get(
    "/deliveries/export",
    { schema: { summary: "Export message activity as CSV", tags, querystring: DeliveryExportQuery } },
    (request, reply) => {
      const { id } = request.caller.workspace;
      const filter = filterOf(id, request.query);
      return sendFile(ground, reply, id, {
        name: "deliveries.csv",
        pages: (q) => deliveryLines(q, id, filter, ground.slices.namesOf),
      });
    },
  );

  app.get(
    "/deliveries/events/export",
    { schema: { summary: "Export the events of deliveries as CSV", tags, querystring: EventExportQuery } },
    (request, reply) => {
      const { id } = request.caller.workspace;
      const { type, ...query } = request.query;
      const filter = filterOf(id, query);
      return sendFile(ground, reply, id, { name: "events.csv", pages: (q) => eventLines(q, id, filter, type) });
    },
  );

  app.get(
    "/people/:person_id/activity/export",
    {
      schema: {
        summary: "Export the log of a person as CSV",
        tags,
        params: Type.Object({ person_id: PersonId }),
        querystring: ActivityExportQuery,
      },
    },
    async (request, reply) => {
      const { id } = request.caller.workspace;
      const key = personKey(id, request.params.person_id);
      const [entry] = await entriesOfPerson(db, key, { filter: entriesFilterOf({}), before: undefined, limit: 1 });
      if (!entry && !(await personExists(db, key)))
        throw new Problem("person_not_found", "The workspace knows no person with this person_id.");
      const filter = entriesFilterOf(request.query);
      return sendFile(ground, reply, id, {
        name: "activity.csv",
        pages: (q) => personLines(q, ground.slices.logOf, key, filter),
      });
    },
  );
}
