import { AudienceImported } from "@tidings/contract/audiences";
import { Readable } from "node:stream";
import { Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import { type App, notFound, Problem } from "../platform/http/index.ts";
import { uploaded } from "../platform/upload.ts";
import { workspaceOf } from "../workspaces/index.ts";
import { exportLines } from "./export.ts";
import { importMembers, MOST_IMPORT_BYTES } from "./import.ts";
import { addMember, dropMember, mustBeList } from "./members.ts";
import { audienceById } from "./store.ts";

const tags = ["audiences"];
const oneMember = Type.Object({ id: Type.String(), person_id: Type.String() });
const oneAudience = Type.Object({ id: Type.String() });

/** Lists by hand and by file, and any audience as a file. */
export function listRoutes(app: App, ground: Ground, idOf: (text: string) => string): void {
  const { db, clock } = ground;

  app.put(
    "/audiences/:id/members/:person_id",
    { schema: { summary: "Put a person on a list", tags, params: oneMember, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { id, person_id } = request.params;
      await db.transaction((tx) => addMember(tx, workspaceOf(request), idOf(id), person_id, clock.now()));
      return reply.code(204).send(null);
    },
  );

  app.delete(
    "/audiences/:id/members/:person_id",
    { schema: { summary: "Take a person off a list", tags, params: oneMember, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { id, person_id } = request.params;
      await db.transaction((tx) => dropMember(tx, workspaceOf(request), idOf(id), person_id));
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/audiences/:id/export",
    { schema: { summary: "Who is in an audience, as CSV", tags, params: oneAudience } },
    async (request, reply) => {
      const workspaceId = workspaceOf(request);
      const id = idOf(request.params.id);
      if (!(await audienceById(db, workspaceId, id))) throw notFound("audience");
      return reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", 'attachment; filename="audience.csv"')
        .header("cache-control", "no-store")
        .send(Readable.from(exportLines(ground, workspaceId, id)));
    },
  );

  // A scope of its own, because only this route takes CSV, and takes it as it arrives.
  app.register(async (scope) => {
    scope.addContentTypeParser(/^text\/csv(?:;|$)/, (_request, payload, done) => done(null, payload));
    scope.post(
      "/audiences/:id/import",
      {
        bodyLimit: MOST_IMPORT_BYTES,
        schema: {
          summary: "Put the people of a CSV file on a list",
          tags,
          params: oneAudience,
          response: { 200: AudienceImported },
        },
      },
      async (request) => {
        const { body } = request;
        const workspaceId = workspaceOf(request);
        const { id } = mustBeList(await audienceById(db, workspaceId, idOf((request.params as { id: string }).id)));
        if (!(body instanceof Readable))
          throw new Problem("unsupported_media_type", "Send the file itself, with Content-Type: text/csv.");
        if (/charset=(?!"?utf-?8"?)/i.test(request.headers["content-type"] ?? ""))
          throw new Problem("unsupported_media_type", "Save the file in UTF-8 and send it as text/csv; charset=utf-8.");
        return uploaded(body, MOST_IMPORT_BYTES, (bytes) => importMembers(ground, workspaceId, id, bytes));
      },
    );
  });
}
