import {
  CapturedList,
  OutboxQuery,
  Provider,
  ProviderInput,
  ProviderList,
  ProviderPatch,
  ProviderTest,
  ProviderTested,
} from "@tidings/contract/messages/outbound";
import { ListQuery } from "@tidings/contract/primitives";
import { Type } from "typebox";
import { type App, bodyOptional, decodeCursor, notFound, page } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { listProviders, type ProviderRow, providerById } from "./connection/provider-store.ts";
import { deliveryActionRoutes } from "./delivery-actions-product.ts";
import { type CapturedRow, captured } from "./providers/outbox-store.ts";
import type { QueueGround } from "./queue/dispatcher.ts";
import { showWaiting } from "./queue/waiting.ts";
import { changeProvider, createProvider, removeProvider, testProvider } from "./setup/setup.ts";

const Id = Type.Object({ id: Type.String() });
const tags = ["providers"];

function idOf(text: string): string {
  const id = decodeId("prv", text);
  if (!id) throw notFound("provider");
  return id;
}

/** CRUD of /providers with their test, GET /outbox, and the routes that resend and cancel a delivery. */
export function product(app: App, ground: QueueGround): void {
  const { db, clock } = ground;
  deliveryActionRoutes(app, ground);
  showWaiting(ground);

  app.get(
    "/providers",
    {
      schema: {
        summary: "List providers, newest first",
        tags,
        querystring: Type.Object(ListQuery),
        response: { 200: ProviderList },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const workspaceId = request.caller.workspace.id;
      const rows = await listProviders(
        inListTurns(ground, workspaceId),
        workspaceId,
        decodeCursor(cursor, "uuid"),
        limit + 1,
      );
      return page(
        rows,
        limit,
        (row) => [row.id],
        (row) => shape(row, clock.now()),
      );
    },
  );

  app.post(
    "/providers",
    {
      config: { needs: "admin" },
      schema: { summary: "Add a provider", tags, body: ProviderInput, response: { 201: Provider } },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      return creating(db, { request, reply, scope, now: clock.now() }, async (tx) =>
        shape(await createProvider(tx, ground, scope, request.body), clock.now()),
      );
    },
  );

  app.get(
    "/providers/:id",
    { schema: { summary: "Get a provider", tags, params: Id, response: { 200: Provider } } },
    async (request) => {
      const row = await providerById(db, request.caller.workspace.id, idOf(request.params.id));
      if (!row) throw notFound("provider");
      return shape(row, clock.now());
    },
  );

  app.patch(
    "/providers/:id",
    {
      config: { needs: "admin" },
      schema: { summary: "Change a provider", tags, params: Id, body: ProviderPatch, response: { 200: Provider } },
    },
    async (request) => {
      const workspaceId = request.caller.workspace.id;
      const id = idOf(request.params.id);
      return shape(
        await db.transaction((tx) => changeProvider(tx, ground, { workspaceId, id }, request.body)),
        clock.now(),
      );
    },
  );

  app.delete(
    "/providers/:id",
    {
      config: { needs: "admin" },
      schema: { summary: "Remove a provider", tags, params: Id, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const id = idOf(request.params.id);
      await db.transaction((tx) => removeProvider(tx, request.caller.workspace.id, id));
      return reply.code(204).send(null);
    },
  );

  app.post(
    "/providers/:id/test",
    {
      config: { needs: "admin" },
      preValidation: bodyOptional,
      schema: {
        summary: "Test a provider",
        tags,
        params: Id,
        body: ProviderTest,
        response: { 200: ProviderTested },
      },
    },
    (request) => testProvider(ground, request.caller.workspace, idOf(request.params.id), request.body.to),
  );

  app.get(
    "/outbox",
    {
      schema: {
        summary: "List the messages that the local provider captured instead of sending, newest first",
        tags: ["outbox"],
        querystring: OutboxQuery,
        response: { 200: CapturedList },
      },
    },
    async (request) => {
      const { limit = 50, cursor, ...filter } = request.query;
      const workspaceId = request.caller.workspace.id;
      const before = decodeCursor(cursor, "uuid");
      const rows = await captured(inListTurns(ground, workspaceId), workspaceId, filter, { before, limit: limit + 1 });
      return page(rows, limit, (row) => [row.id], shapeCaptured);
    },
  );
}

/** "resting" comes before "slow": a provider that rests gets no messages at all. */
function stateOf(row: ProviderRow, now: Date) {
  for (const status of ["resting", "slow"] as const) {
    const [until, reason] = [row[`${status}_until`], row[`${status}_reason`]];
    if (until && until > now) return { status, until: until.toISOString(), ...(reason !== null && { reason }) };
  }
  return { status: "ok" as const };
}

const shape = (row: ProviderRow, now: Date) => ({
  id: encodeId("prv", row.id),
  name: row.name,
  channel: row.channel,
  kind: row.kind,
  priority: row.priority,
  rate_per_second: row.rate_per_second,
  settings: row.settings,
  has_credentials: row.credentials !== null,
  state: stateOf(row, now),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const shapeCaptured = (row: CapturedRow) => ({
  id: encodeId("out", row.id),
  delivery_id: encodeId("dlv", row.delivery_id),
  channel: row.channel,
  recipient: row.recipient,
  message: row.message,
  captured_at: row.captured_at.toISOString(),
});
