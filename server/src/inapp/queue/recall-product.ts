import { DeliveryRecalled, MessageRecalled } from "@tidings/contract/inapp/messages";
import { Type } from "typebox";
import type { Ground } from "../../platform/ground.ts";
import { type App, notFound } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { inBatchTurns } from "../../platform/limits/shares.ts";
import { recordChange } from "../../platform/resources/changes.ts";
import { originOf } from "../../workspaces/index.ts";
import { deliveryEntry } from "../../activity/index.ts";
import { recallDelivery, recallMessage } from "./recall.ts";

const Id = Type.Object({ id: Type.String() });
const tags = ["in-app"];

/** Adds the recall routes: of a definition's deliveries that are not over, and of one delivery. Both are safe to repeat. */
export function recallRoutes(app: App, ground: Ground): void {
  const { db, clock } = ground;
  app.post(
    "/in-app-messages/:id/recall",
    {
      config: { needs: "send" },
      schema: {
        summary: "Recall its deliveries that are not dismissed; open applications remove them at once",
        tags,
        params: Id,
        response: { 200: MessageRecalled },
      },
    },
    (request) => {
      const id = decodeId("msg", request.params.id);
      if (!id) throw notFound("in-app message");
      const { workspace } = request.caller;
      const call = { id, origin: originOf(request), now: clock.now() };
      return recallMessage(inBatchTurns(ground, workspace.id), workspace.id, call);
    },
  );

  app.post(
    "/deliveries/:id/recall",
    {
      config: { needs: "send" },
      schema: { summary: "Recall one in-app delivery", tags, params: Id, response: { 200: DeliveryRecalled } },
    },
    async (request) => {
      const id = decodeId("dlv", request.params.id);
      if (!id) throw notFound("delivery");
      const { workspace } = request.caller;
      const now = clock.now();
      const outcome = await db.transaction(async (tx) => {
        const recall = await recallDelivery(tx, workspace.id, id, now);
        if (recall.recalled)
          await recordChange(tx, originOf(request), { ...deliveryEntry("recalled", request.params.id), now });
        return recall;
      });
      return { delivery_id: request.params.id, ...outcome };
    },
  );
}
