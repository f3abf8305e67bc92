import {
  type Event,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryQuery,
  WebhookDeliveryReplayed,
  WebhookTested,
} from "@tidings/contract/webhooks";
import { Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import { type App, badParameter, decodeCursor, notFound, page } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { recordChange } from "../platform/resources/changes.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { parseInstant } from "../platform/time/clock.ts";
import { originOf } from "../workspaces/index.ts";
import { replayOne, webhookEntry } from "./define.ts";
import { type WebhookDeliveryRow, webhookDeliveries, webhookDelivery } from "./delivery-store.ts";
import { Id, tags, webhookIdOf } from "./product.ts";
import { webhookById } from "./store.ts";
import { sendTestEvent } from "./try-out.ts";

const deliveryParams = Type.Object({ id: Type.String(), delivery_id: Type.String() });

/** The routes that show the log of an endpoint's calls, and repeat one of them. */
export function logRoutes(app: App, ground: Ground): void {
  callRoutes(app, ground);
  readRoutes(app, ground);
}

function callRoutes(app: App, ground: Ground): void {
  const { db, clock } = ground;

  app.post(
    "/webhooks/:id/test",
    {
      config: { needs: "admin" },
      schema: {
        summary: "Send an event webhook.test now and show the endpoint's answer",
        tags,
        params: Id,
        response: { 200: WebhookTested },
      },
    },
    (request) => sendTestEvent(ground, request.caller.workspace.id, webhookIdOf(request.params.id)),
  );

  app.post(
    "/webhooks/:id/deliveries/:delivery_id/replay",
    {
      config: { needs: "admin" },
      schema: {
        summary: "Send one event again",
        tags,
        params: deliveryParams,
        response: { 202: WebhookDeliveryReplayed },
      },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      const { id, delivery_id } = request.params;
      const now = clock.now();
      return creating(db, { request, reply, scope, now, status: 202 }, async (tx) => {
        const row = await replayOne(tx, scope, webhookIdOf(id), decodeId("act", delivery_id));
        const changes = [{ field: "/delivery_id", to: delivery_id }];
        await recordChange(tx, originOf(request), { ...webhookEntry("replayed", row), changes, now });
        return { id: delivery_id, status: "pending" as const };
      });
    },
  );
}

function readRoutes(app: App, ground: Ground): void {
  app.get(
    "/webhooks/:id/deliveries",
    {
      schema: {
        summary: "List an endpoint's deliveries, newest first",
        tags,
        params: Id,
        querystring: WebhookDeliveryQuery,
        response: { 200: WebhookDeliveryList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, status, type } = request.query;
      const { id: workspaceId } = request.caller.workspace;
      const before = decodeCursor(cursor, "instant", "uuid");
      const id = webhookIdOf(request.params.id);
      const q = inListTurns(ground, workspaceId);
      if (!(await webhookById(q, workspaceId, id))) throw notFound("webhook");
      const filter = { status, type, ...periodOf(request.query), before, limit: limit + 1 };
      const rows = await webhookDeliveries(q, workspaceId, id, filter);
      return page(rows, limit, (row) => [row.created_at.toISOString(), row.event_id], shape);
    },
  );

  app.get(
    "/webhooks/:id/deliveries/:delivery_id",
    {
      schema: {
        summary: "Get one delivery of an endpoint, with the answer to each attempt",
        tags,
        params: deliveryParams,
        response: { 200: WebhookDelivery },
      },
    },
    async (request) => {
      const { id, delivery_id } = request.params;
      const eventId = decodeId("act", delivery_id);
      const row = eventId && (await webhookDelivery(ground.db, request.caller.workspace.id, webhookIdOf(id), eventId));
      if (!row) throw notFound("webhook delivery");
      return shape(row);
    },
  );
}

/** Reads a period. The schema has checked each instant. @throws Problem invalid_request for one that ends before it begins */
function periodOf({ since, until }: { since?: string; until?: string }): { since?: Date; until?: Date } {
  const [from, to] = [since, until].map((text) => (text === undefined ? undefined : (parseInstant(text) as Date)));
  if (from && to && to <= from) throw badParameter("until", "must be after since");
  return { ...(from && { since: from }), ...(to && { until: to }) };
}

const shape = (row: WebhookDeliveryRow) => ({
  id: encodeId("act", row.event_id),
  type: row.type,
  status: row.status,
  payload: JSON.parse(row.payload) as Event,
  created_at: row.created_at.toISOString(),
  delivered_at: row.delivered_at?.toISOString() ?? null,
  next_attempt_at: row.due_at?.toISOString() ?? null,
  attempts: row.log,
});
