import { ExplainQuery, Explanations, NearMisses } from "@tidings/contract/inapp/explain";
import { PersonId } from "@tidings/contract/primitives";
import { Type } from "typebox";
import { type App, emptyIsNone } from "../../platform/http/index.ts";
import type { InAppGround } from "../sync/near-misses.ts";
import { explain, shapeMiss } from "./explain.ts";

const tags = ["in-app"];

/** Adds the explainer's routes: for support, why a message shows or does not show. */
export function explainRoutes(app: App, ground: InAppGround): void {
  app.get(
    "/people/:person_id/in-app",
    {
      preValidation: emptyIsNone("tz_offset_minutes"),
      schema: {
        summary: "Explain for each live in-app message of a person why it shows on this screen now, or does not",
        tags,
        params: Type.Object({ person_id: PersonId }),
        querystring: ExplainQuery,
        response: { 200: Explanations },
      },
    },
    (request) => explain(ground, request.caller.workspace, request.params.person_id, request.query),
  );

  app.get(
    "/in-app/near-misses",
    {
      schema: {
        summary: "List unknown ids that devices synced with in the last hour, the latest first; of this process",
        tags,
        response: { 200: NearMisses },
      },
    },
    async (request) => ({ data: (await ground.nearMisses.of(request.caller.workspace.id)).map(shapeMiss) }),
  );
}
