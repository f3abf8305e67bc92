import { CustomerioMetric, CustomerioPushEvent, CustomerioUnsubscribe } from "@tidings/contract/compat";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { feedback, lockPushed } from "../../outbound/index.ts";
import { ownerOfToken, personKey } from "../../people/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { type App, notFound } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { takeChoice } from "../../subscriptions/index.ts";
import type { Ignored } from "../ignored.ts";
import { describedAs } from "./answers.ts";

/** Their words for what became of a delivery, as ours. A soft bounce is theirs called deferred, and changes nothing here either. */
const KINDS = {
  delivered: "delivered",
  opened: "opened",
  clicked: "clicked",
  bounced: "bounced",
  dropped: "failed",
  spammed: "complained",
} as const;

/** POST /push/events and /metrics: what devices and back ends report of a delivery. Other words are counted and left out. */
export function reports(app: App, ground: Ground, ignored: Ignored): void {
  // A phone reports what it showed; that an address is dead or complained is not its to say. Nor is what others were sent.
  app.post(
    "/push/events",
    {
      config: { access: "public", needs: "ingest" },
      schema: { ...describedAs("Report feedback about a push, from the device"), body: CustomerioPushEvent },
    },
    async (request) => {
      const { delivery_id, event, device_id, timestamp } = request.body;
      if (event !== "opened" && event !== "delivered" && event !== "clicked")
        ignored("customerio", "metric", request, { data: request.body });
      else
        await report(ground, request, { delivery_id, kind: event, timestamp }, (tx) =>
          theirOwn(tx, request, delivery_id, device_id),
        );
      return {};
    },
  );

  const reporting = { ...describedAs("Report feedback about a delivery"), body: CustomerioMetric };
  app.post("/metrics", { config: { needs: "ingest" }, schema: reporting }, async (request) => {
    const { delivery_id, metric, timestamp, recipient, reason, href } = request.body;
    if (!Object.hasOwn(KINDS, metric)) ignored("customerio", "metric", request, { data: request.body });
    else {
      const kind = KINDS[metric as keyof typeof KINDS];
      const data = href === undefined ? {} : { url: href };
      await report(ground, request, { delivery_id, kind, timestamp, recipient, reason, data });
    }
    return {};
  });
}

/** POST /unsubscribe/:id, beside the two APIs: the person of a delivery wants no more, or again. */
export function unsubscribeApi(app: App, ground: Ground): void {
  const params = Type.Object({ id: Type.String({ maxLength: 200 }) });
  const described = describedAs("Unsubscribe the person of a delivery from everything, or subscribe the person again");
  app.post(
    "/unsubscribe/:id",
    { config: { needs: "ingest" }, schema: { ...described, params, body: CustomerioUnsubscribe } },
    async (request) => {
      const { id: workspaceId } = request.caller.workspace;
      const { unsubscribe = true } = request.body;
      const deliveryId = idOf(request.params.id);
      const now = ground.clock.now();
      await ground.db.transaction(async (tx) => {
        const [row] = await lockPushed(tx, [{ workspaceId, deliveryId }]);
        if (!row) throw notFound("delivery");
        if (unsubscribe) await feedback(tx, ground, [{ workspaceId, deliveryId, kind: "unsubscribed", at: now }]);
        const whose = { workspaceId, personKey: row.person_key };
        await takeChoice(tx, whose, { choice: { subscribed: !unsubscribe }, source: "api", now });
      });
      return {};
    },
  );
}

interface Told {
  delivery_id: string;
  kind: (typeof KINDS)[keyof typeof KINDS];
  timestamp: number | undefined;
  recipient?: string | undefined;
  reason?: string | undefined;
  data?: Record<string, unknown>;
}

/**
 * A public key is in everybody's hands: with one a report counts from the person of the delivery only, who shows it by a person
 * token or by a device of theirs. @throws Problem not_found, the same as for a delivery that is not there
 */
async function theirOwn(tx: Tx, request: FastifyRequest, delivery: string, device: string | undefined): Promise<void> {
  const { workspace, kind } = request.caller;
  if (kind === "secret") return;
  const [row] = await lockPushed(tx, [{ workspaceId: workspace.id, deliveryId: idOf(delivery) }]);
  const { provenPerson } = request;
  const caller =
    provenPerson === undefined
      ? device && (await ownerOfToken(tx, workspace.id, device))
      : personKey(workspace.id, provenPerson);
  if (!row || row.person_key !== caller) throw notFound("delivery");
}

async function report(
  ground: Ground,
  request: FastifyRequest,
  told: Told,
  check?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { delivery_id, kind, timestamp, ...rest } = told;
  const { id: workspaceId } = request.caller.workspace;
  const at = timestamp === undefined ? ground.clock.now() : new Date(timestamp * 1_000);
  const item = { workspaceId, deliveryId: idOf(delivery_id), kind, at, source: "customerio", ...rest };
  await ground.db.transaction(async (tx) => {
    await check?.(tx);
    const [heard] = await feedback(tx, ground, [{ ...item, ...(kind === "bounced" && { permanent: true }) }]);
    if (!heard) throw notFound("delivery");
  });
}

/** @throws Problem not_found for an id that is none, as for an unknown one */
function idOf(text: string): string {
  const id = decodeId("dlv", text);
  if (!id) throw notFound("delivery");
  return id;
}
