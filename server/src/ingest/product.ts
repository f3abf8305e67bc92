import { Person, PersonMerge } from "@tidings/contract/facts/people";
import { PersonId } from "@tidings/contract/primitives";
import { Type } from "typebox";
import { describePerson } from "../people/index.ts";
import type { App } from "../platform/http/index.ts";
import { type ConnectedGround, originOf } from "../workspaces/index.ts";
import { mergeInto } from "./merge.ts";
import { rejectedRoutes } from "./rejected-product.ts";

/** The routes of refused data, and POST /people/:person_id/merge: it is here and not in `people` because it also writes the log. */
export function product(app: App, ground: ConnectedGround): void {
  rejectedRoutes(app, ground);
  app.post(
    "/people/:person_id/merge",
    {
      config: { needs: "ingest" },
      schema: {
        summary: "Merge a person into another one, who stays",
        tags: ["people"],
        params: Type.Object({ person_id: PersonId }),
        body: PersonMerge,
        response: { 200: Person },
      },
    },
    async (request) =>
      describePerson(
        await mergeInto(ground, request.caller.workspace, {
          from: request.params.person_id,
          into: request.body.into,
          origin: originOf(request),
        }),
      ),
  );
}
