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
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional, decodeCursor, notFound, page } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { type Authored, answered, shown, TAGGED, tagOf, UNCHANGED } from "../platform/resources/authored.ts";
import { type Change, changing, created, removing } from "../platform/resources/changes.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { changeWebhook, createWebhook, removeWebhook, rotateSecret } from "./define.ts";
import { originOf } from "../workspaces/index.ts";
import { listWebhooks, lockWebhook, type WebhookRow, webhookById } from "./store.ts";

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
        ...TAGGED,
        tags,
        body: WebhookInput,
        response: { 201: WebhookCreated },
      },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      const now = clock.now();
      const call = { request, reply, scope, now, seal, tagOf: (body: object) => tagOf(WEBHOOKS, body) };
      return creating(db, call, async (tx) => {
        const { row, secret } = await createWebhook(tx, ground, scope, request.body);
        await created(tx, WEBHOOKS, originOf(request), { row, now });
        return { ...shape(row), secret };
      });
    },
  );
}

function endpointRoutes(app: App, ground: Ground): void {
  const { db, clock } = ground;
  const changeOf = (request: FastifyRequest, done: string): Change => ({
    origin: originOf(request),
    done,
    id: webhookIdOf((request.params as { id: string }).id),
    now: clock.now(),
  });

  app.get(
    "/webhooks/:id",
    {
      schema: {
        summary: "Get a webhook endpoint",
        ...TAGGED,
        tags,
        params: Id,
        response: { 200: Webhook, 304: UNCHANGED },
      },
    },
    async (request, reply) => {
      const row = await webhookById(db, request.caller.workspace.id, webhookIdOf(request.params.id));
      if (!row) throw notFound("webhook");
      return shown(request, reply, WEBHOOKS, row);
    },
  );

  app.patch(
    "/webhooks/:id",
    {
      config: { needs: "admin" },
      schema: {
        summary: "Change, disable or enable a webhook endpoint",
        ...TAGGED,
        tags,
        params: Id,
        body: WebhookPatch,
        response: { 200: Webhook },
      },
    },
    async (request, reply) => {
      const change = changeOf(request, "changed");
      const { id, origin } = change;
      const row = await db.transaction((tx) =>
        changing(tx, WEBHOOKS, change, () => changeWebhook(tx, ground, origin.scope, { id, patch: request.body })),
      );
      return answered(reply, WEBHOOKS, row);
    },
  );

  app.delete(
    "/webhooks/:id",
    {
      config: { needs: "admin" },
      schema: { summary: "Remove a webhook endpoint", ...TAGGED, tags, params: Id, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const change = changeOf(request, "removed");
      await db.transaction((tx) =>
        removing(tx, WEBHOOKS, change, () => removeWebhook(tx, change.origin.scope, change.id)),
      );
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
        ...TAGGED,
        tags,
        params: Id,
        body: SecretRotation,
        response: { 201: SecretRotated },
      },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      const id = webhookIdOf(request.params.id);
      const now = clock.now();
      const change = { origin: originOf(request), done: "secret_changed", id, now };
      return creating(db, { request, reply, scope, now, seal }, async (tx) => {
        const { made } = await changing(tx, WEBHOOKS, change, () =>
          rotateSecret(tx, ground, scope, { id, overlapHours: request.body.overlap_hours }),
        );
        return made;
      });
    },
  );
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** As the log of changes and If-Match know them. */
const WEBHOOKS: Authored<WebhookRow> = {
  noun: "webhook",
  locked: lockWebhook,
  shape: (row) => shape(row),
  derived: ["failing_since", "resting_until", "secret"],
  secretsOf: ({ secret }) => ({ secret }),
};

const shape = (row: WebhookRow) => ({
  id: encodeId("whk", row.id),
  url: row.url,
  description: row.description,
  types: row.types,
  secret_changed_at: iso(row.secret_changed_at),
  enabled: row.enabled,
  disabled_at: iso(row.disabled_at),
  disabled_reason: row.disabled_reason,
  failing_since: iso(row.failing_since),
  resting_until: iso(row.resting_until),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
