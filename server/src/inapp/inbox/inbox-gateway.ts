import { Inbox, InboxQuery, Interacted, InteractionInput } from "@tidings/contract/inapp/messages";
import { Type } from "typebox";
import type { Ground } from "../../platform/ground.ts";
import type { App } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { keyOf } from "../../platform/resources/idempotency.ts";
import { personKey } from "../../workspaces/index.ts";
import { deliveryNotFound, inbox, mark } from "./inbox.ts";

const PATH = "/v1/in-app";
const tags = ["in-app"];

/** Adds the inbox routes: the list of cards, and the marks read and unread. */
export function inboxRoutes(app: App, { db, clock }: Ground): void {
  app.get(
    `${PATH}/inbox`,
    {
      config: { access: "public", keyInAddress: true },
      schema: {
        summary: "List the person's inbox cards, newest first, with the number of unread ones",
        tags,
        querystring: InboxQuery,
        response: { 200: Inbox },
      },
    },
    async (request, reply) => {
      const body = await inbox(db, request.caller.workspace, request.query, clock.now());
      reply.header("cache-control", "private, no-cache").header("content-type", "application/json; charset=utf-8");
      return reply.send(body as never);
    },
  );
  for (const as of ["read", "unread"] as const) markRoute(app, { db, clock }, as);
}

function markRoute(app: App, { db, clock }: Pick<Ground, "db" | "clock">, as: "read" | "unread"): void {
  app.post(
    `${PATH}/messages/:delivery_id/${as}`,
    {
      config: { access: "public", needs: "ingest" },
      schema: {
        summary: `Mark a card as ${as}`,
        tags,
        params: Type.Object({ delivery_id: Type.String() }),
        body: InteractionInput,
        response: { 200: Interacted },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const { delivery_id } = request.params;
      const id = decodeId("dlv", delivery_id);
      const key = keyOf(request, workspace.id)?.key;
      if (!id) throw deliveryNotFound();
      const person = personKey(workspace.id, request.body.person_id);
      const marking = { workspaceId: workspace.id, personKey: person, id, as, key, now: clock.now() };
      return { delivery_id, ...(await mark(db, marking)) };
    },
  );
}
