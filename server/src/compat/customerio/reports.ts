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
import type { Ignore } from "../ignored.ts";
import { describedAs } from "./answers.ts";

/** Translates Customer.io's words for feedback. Its word for a soft bounce is deferred, which changes nothing here either. */
const KINDS = {
  delivered: "delivered",
  opened: "opened",
  clicked: "clicked",
  bounced: "bounced",
  dropped: "failed",
  spammed: "complained",
} as const;

/** POST /push/events and /metrics: feedback about a delivery from devices and back ends. Unknown words are counted and left out. */
export function reports(app: App, ground: Ground, ignore: Ignore): void {
  // A phone may report only what it showed. It may not report bounces and complaints, nor anything about other people's deliveries.
  app.post(
    "/push/events",
    {
      config: { access: "public", needs: "ingest" },
      schema: { ...describedAs("Report feedback about a push, from the device"), body: CustomerioPushEvent },
    },
    async (request) => {
      const { delivery_id, event, device_id, timestamp } = request.body;
      if (event !== "opened" && event !== "delivered" && event !== "clicked")
        ignore("customerio", "metric", request, { data: request.body });
      else
        await report(ground, request, { delivery_id, kind: event, timestamp }, (tx) =>
          checkOwner(tx, request, delivery_id, device_id),
        );
      return {};
    },
  );

  const reporting = { ...describedAs("Report feedback about a delivery"), body: CustomerioMetric };
  app.post("/metrics", { config: { needs: "ingest" }, schema: reporting }, async (request) => {
    const { delivery_id, metric, timestamp, recipient, reason, href } = request.body;
    if (!Object.hasOwn(KINDS, metric)) ignore("customerio", "metric", request, { data: request.body });
    else {
      const kind = KINDS[metric as keyof typeof KINDS];
      const data = href === undefined ? {} : { url: href };
      await report(ground, request, { delivery_id, kind, timestamp, recipient, reason, data });
    }
    return {};
  });
}

/** POST /unsubscribe/:id, outside of the two APIs: unsubscribes the person of a delivery, or subscribes the person again. */
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

/** A report about a delivery. */
interface DeliveryReport {
  delivery_id: string;
  kind: (typeof KINDS)[keyof typeof KINDS];
  timestamp: number | undefined;
  recipient?: string | undefined;
  reason?: string | undefined;
  data?: Record<string, unknown>;
}

/**
 * Checks who reports. Everybody can get the public key, so with it only the person of the delivery may report, who proves it by a person
 * token or by the token of a device. @throws Problem not_found, as for a delivery that does not exist
 */
async function checkOwner(
  tx: Tx,
  request: FastifyRequest,
  delivery: string,
  device: string | undefined,
): Promise<void> {
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
  { delivery_id, kind, timestamp, ...rest }: DeliveryReport,
  check?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { id: workspaceId } = request.caller.workspace;
  const at = timestamp === undefined ? ground.clock.now() : new Date(timestamp * 1_000);
  const item = { workspaceId, deliveryId: idOf(delivery_id), kind, at, source: "customerio", ...rest };
  await ground.db.transaction(async (tx) => {
    await check?.(tx);
    const [found] = await feedback(tx, ground, [{ ...item, ...(kind === "bounced" && { permanent: true }) }]);
    if (!found) throw notFound("delivery");
  });
}

/** @throws Problem not_found for a malformed id, as for an unknown one */
function idOf(text: string): string {
  const id = decodeId("dlv", text);
  if (!id) throw notFound("delivery");
  return id;
}
