import { ListQuery } from "@tidings/contract/primitives";
import {
  SecretRotated,
  SecretRotation,
  Webhook,
  WebhookCreated,
  WebhookInput,
  WebhookList,
  WebhookPatch,
} from "@tidings/contract/webhooks";
import { Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional, decodeCursor, notFound, page } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { changeWebhook, createWebhook, removeWebhook, rotateSecret } from "./define.ts";
import { listWebhooks, type WebhookRow, webhookById } from "./store.ts";

export const Id = Type.Object({ id: Type.String() });
export const tags = ["webhooks"];

/** @throws Problem not_found for a text that is no webhook's id */
export function webhookIdOf(text: string): string {
  const id = decodeId("whk", text);
  if (!id) throw notFound("webhook");
  return id;
}

/** CRUD of /webhooks, and their secrets. */
export function webhookRoutes(app: App, ground: Ground): void {
  endpointsRoutes(app, ground);
  endpointRoutes(app, ground);
  secretRoutes(app, ground);
}

function endpointsRoutes(app: App, ground: Ground): void {
  const { db, clock, seal } = ground;

  app.get(
    "/webhooks",
    {
      schema: {
        summary: "List webhook endpoints, newest first",
        tags,
        querystring: Type.Object(ListQuery),
        response: { 200: WebhookList },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const workspaceId = request.caller.workspace.id;
      const rows = await listWebhooks(
        inListTurns(ground, workspaceId),
        workspaceId,
        decodeCursor(cursor, "uuid"),
        limit + 1,
      );
      return page(rows, limit, (row) => [row.id], shape);
    },
  );

  app.post(
    "/webhooks",
    {
      config: { needs: "admin" },
      schema: {
        summary: "Add a webhook endpoint; its secret is shown once",
        tags,
        body: WebhookInput,
        response: { 201: WebhookCreated },
      },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      return creating(db, { request, reply, scope, now: clock.now(), seal }, async (tx) => {
        const { row, secret } = await createWebhook(tx, ground, scope, request.body);
        return { ...shape(row), secret };
      });
    },
  );
}

function endpointRoutes(app: App, ground: Ground): void {
  const { db } = ground;

  app.get(
    "/webhooks/:id",
    { schema: { summary: "Get a webhook endpoint", tags, params: Id, response: { 200: Webhook } } },
    async (request) => {
      const row = await webhookById(db, request.caller.workspace.id, webhookIdOf(request.params.id));
      if (!row) throw notFound("webhook");
      return shape(row);
    },
  );

  app.patch(
    "/webhooks/:id",
    {
      config: { needs: "admin" },
      schema: {
        summary: "Change, disable or enable a webhook endpoint",
        tags,
        params: Id,
        body: WebhookPatch,
        response: { 200: Webhook },
      },
    },
    async (request) => {
      const id = webhookIdOf(request.params.id);
      return shape(
        await db.transaction((tx) =>
          changeWebhook(tx, ground, request.caller.workspace.id, { id, patch: request.body }),
        ),
      );
    },
  );

  app.delete(
    "/webhooks/:id",
    {
      config: { needs: "admin" },
      schema: { summary: "Remove a webhook endpoint", tags, params: Id, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const id = webhookIdOf(request.params.id);
      await db.transaction((tx) => removeWebhook(tx, request.caller.workspace.id, id));
      return reply.code(204).send(null);
    },
  );
}

function secretRoutes(app: App, ground: Ground): void {
  const { db, clock, seal } = ground;

  app.post(
    "/webhooks/:id/secret",
    {
      config: { needs: "admin" },
      preValidation: bodyOptional,
      schema: {
        summary: "Create a new secret, shown once; the previous one also signs for a while",
        tags,
        params: Id,
        body: SecretRotation,
        response: { 201: SecretRotated },
      },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      const id = webhookIdOf(request.params.id);
      return creating(db, { request, reply, scope, now: clock.now(), seal }, (tx) =>
        rotateSecret(tx, ground, scope, { id, overlapHours: request.body.overlap_hours }),
      );
    },
  );
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

const shape = (row: WebhookRow) => ({
  id: encodeId("whk", row.id),
  url: row.url,
  description: row.description,
  types: row.types,
  enabled: row.enabled,
  disabled_at: iso(row.disabled_at),
  disabled_reason: row.disabled_reason,
  failing_since: iso(row.failing_since),
  resting_until: iso(row.resting_until),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
