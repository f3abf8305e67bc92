import {
  CapturedList,
  OutboxQuery,
  Provider,
  ProviderInput,
  ProviderList,
  ProviderOrder,
  ProviderPatch,
  ProvidersOrdered,
  ProviderTest,
  ProviderTested,
} from "@tidings/contract/messages/outbound";
import { Type } from "typebox";
import { type App, bodyOptional, decodeCursor, page } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import type { Authored } from "../platform/resources/authored.ts";
import { crud } from "../platform/resources/crud.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { originOf, workspaceOf } from "../workspaces/index.ts";
import { readerOf } from "./callbacks/index.ts";
import { listSource, lockProvider, type ProviderRow, providerById, stateOf } from "./connection/provider-store.ts";
import { deliveryActionRoutes } from "./delivery-actions-product.ts";
import { healthRoute } from "./health-product.ts";
import { type CapturedRow, captured } from "./providers/outbox-store.ts";
import { callbackAddress } from "./providers/protocol/callback.ts";
import type { QueueGround } from "./queue/dispatcher.ts";
import { showWaiting } from "./queue/waiting.ts";
import { senderDomainRoutes } from "./sender-domains-product.ts";
import { orderProviders } from "./setup/order.ts";
import { changeProvider, createProvider, removeProvider, testProvider } from "./setup/setup.ts";

const Id = Type.Object({ id: Type.String() });
const tags = ["providers"];

/** CRUD of /providers with their test, GET /outbox, and the routes that resend and cancel a delivery. */
export function product(app: App, ground: QueueGround): void {
  deliveryActionRoutes(app, ground);
  senderDomainRoutes(app, ground);
  healthRoute(app, ground);
  showWaiting(ground);

  const kind = authored(ground);
  const idOf = crud(app, ground, {
    ...kind,
    path: "/providers",
    tag: "providers",
    prefix: "prv",
    needs: "admin",
    summaries: {
      list: "List providers, newest first",
      create: "Add a provider",
      read: "Get a provider",
      change: "Change a provider",
      remove: "Remove a provider",
    },
    schemas: { input: ProviderInput, patch: ProviderPatch, one: Provider, list: ProviderList },
    scopeOf: workspaceOf,
    originOf,
    list: listSource,
    byId: providerById,
    create: (workspaceId, input) => (tx) => createProvider(tx, ground, workspaceId, input),
    change: (workspaceId, id, patch) => (tx) => changeProvider(tx, ground, { workspaceId, id }, patch),
    remove: (workspaceId, id) => (tx) => removeProvider(tx, workspaceId, id),
    summary: kind.shape,
  });
  orderRoute(app, ground, kind);

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

function orderRoute(app: App, ground: QueueGround, kind: Authored<ProviderRow>): void {
  app.post(
    "/providers/order",
    {
      config: { needs: "admin" },
      schema: {
        summary: "Put the providers of a channel into an order, all in one call",
        tags,
        body: ProviderOrder,
        response: { 200: ProvidersOrdered },
      },
    },
    async (request) => {
      const by = { origin: originOf(request), now: ground.clock.now() };
      const rows = await ground.db.transaction((tx) => orderProviders(tx, kind, by, request.body));
      return { data: rows.map((row) => shape(ground, row)) };
    },
  );
}

/** As the log of changes and If-Match know them. */
const authored = (ground: QueueGround) => ({
  noun: "provider",
  locked: lockProvider,
  shape: (row: ProviderRow) => shape(ground, row),
  derived: ["state", "has_credentials", "callback_url"],
  secretsOf: ({ credentials }: ProviderRow) => ({ credentials }),
});

const shape = (ground: QueueGround, row: ProviderRow) => ({
  id: encodeId("prv", row.id),
  name: row.name,
  channel: row.channel,
  kind: row.kind,
  priority: row.priority,
  rate_per_second: row.rate_per_second,
  settings: row.settings,
  has_credentials: row.credentials !== null,
  credentials_changed_at: row.credentials_changed_at?.toISOString() ?? null,
  callback_url: readerOf(row.kind) ? callbackAddress(ground, row.kind, row.id) : null,
  state: stateOf(row, ground.clock.now()),
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
