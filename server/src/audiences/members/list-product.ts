import { Type } from "typebox";
import type { Queries } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { type App, notFound } from "../../platform/http/index.ts";
import { sendFile } from "../../platform/transfer/export-file.ts";
import { importRoute } from "../../platform/transfer/import-routes.ts";
import { originOf, workspaceOf } from "../../workspaces/index.ts";
import { audienceById } from "../store.ts";
import { exportLines } from "./export.ts";
import { listFor, MOST_IMPORT_BYTES } from "./import.ts";
import { addMember, dropMember, mustBeList } from "./members.ts";

const tags = ["audiences"];
const oneMember = Type.Object({ id: Type.String(), person_id: Type.String() });
const oneAudience = Type.Object({ id: Type.String() });

/** Lists by hand and by file, and any audience as a file. */
export function listRoutes(app: App, ground: Ground, idOf: (text: string) => string): void {
  const { db, clock } = ground;

  app.put(
    "/audiences/:id/members/:person_id",
    {
      config: { needs: "ingest" },
      schema: { summary: "Add a person to a list", tags, params: oneMember, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { id, person_id } = request.params;
      await db.transaction((tx) =>
        addMember(tx, workspaceOf(request), { id: idOf(id), personId: person_id, now: clock.now() }),
      );
      return reply.code(204).send(null);
    },
  );

  app.delete(
    "/audiences/:id/members/:person_id",
    {
      config: { needs: "ingest" },
      schema: { summary: "Remove a person from a list", tags, params: oneMember, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { id, person_id } = request.params;
      await db.transaction((tx) => dropMember(tx, workspaceOf(request), idOf(id), person_id));
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/audiences/:id/export",
    { schema: { summary: "Export the members of an audience as CSV", tags, params: oneAudience } },
    async (request, reply) => {
      const workspaceId = workspaceOf(request);
      const id = idOf(request.params.id);
      if (!(await audienceById(db, workspaceId, id))) throw notFound("audience");
      const pages = (q: Queries) => exportLines(q, workspaceId, id, clock.now());
      return sendFile(ground, reply, workspaceId, { name: "audience.csv", pages });
    },
  );

  importRoute(app, ground, {
    path: "/audiences/:id/import",
    summary: "Add the people of a CSV file to a list",
    tag: "audiences",
    config: { needs: "ingest" },
    params: oneAudience,
    most: MOST_IMPORT_BYTES,
    originOf,
    async destinationOf(request) {
      const workspaceId = workspaceOf(request);
      const { id } = mustBeList(await audienceById(db, workspaceId, idOf((request.params as { id: string }).id)));
      return listFor(workspaceId, id);
    },
  });
}
