import { DeliveryCanceled, DeliveryResent } from "@tidings/contract/messages/outbound";
import { Type } from "typebox";
import type { App } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { deliveryEntry } from "../activity/index.ts";
import { recordChange } from "../platform/resources/changes.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { originOf } from "../workspaces/index.ts";
import { cancel, resend } from "./queue/delivery-actions.ts";
import type { QueueGround } from "./queue/dispatcher.ts";

const Id = Type.Object({ id: Type.String() });
const tags = ["activity"];

/** POST /deliveries/:id/resend and /cancel, for deliveries of pushed channels. */
export function deliveryActionRoutes(app: App, ground: QueueGround): void {
  const { db, clock } = ground;

  app.post(
    "/deliveries/:id/resend",
    {
      config: { needs: "send" },
      schema: {
        summary: "Send the same content to the same recipient again, as a new delivery",
        tags,
        params: Id,
        response: { 202: DeliveryResent },
      },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      const now = clock.now();
      return creating(db, { request, reply, scope, now, status: 202 }, async (tx) => {
        const delivery_id = encodeId("dlv", await resend(tx, ground, scope, decodeId("dlv", request.params.id)));
        const changes = [{ field: "/resent_as", to: delivery_id }];
        await recordChange(tx, originOf(request), { ...deliveryEntry("resent", request.params.id), changes, now });
        return { delivery_id };
      });
    },
  );

  app.post(
    "/deliveries/:id/cancel",
    {
      config: { needs: "send" },
      schema: {
        summary: "Cancel a delivery that is not sent yet",
        tags,
        params: Id,
        response: { 200: DeliveryCanceled },
      },
    },
    async (request) => {
      const { workspace } = request.caller;
      const canceled = await db.transaction(async (tx) => {
        const id = await cancel(tx, ground, workspace.id, decodeId("dlv", request.params.id));
        const entry = deliveryEntry("canceled", request.params.id);
        await recordChange(tx, originOf(request), { ...entry, now: clock.now() });
        return id;
      });
      return { delivery_id: encodeId("dlv", canceled), status: "canceled" as const };
    },
  );
}
