import {
  InAppDraftPreviewInput,
  InAppMessage,
  InAppMessageInput,
  InAppMessageList,
  InAppMessagePatch,
  type InAppMessageUser,
  InAppPreviewInput,
  InAppTestSend,
  InAppTestSent,
  type InAppWarning,
} from "@tidings/contract/inapp/definition";
import { InAppTestTrace, TraceQuery } from "@tidings/contract/inapp/explain";
import { InAppDraftPreview, InAppPreview } from "@tidings/contract/inapp/messages";
import { Type } from "typebox";
import type { Queries } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional, emptyIsNone, notFound } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { crud } from "../platform/resources/crud.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { type ConnectedGround, originOf, workspaceOf } from "../workspaces/index.ts";
import { define, redefine, undefine } from "./definition/define.ts";
import {
  type ListedMessage,
  listSource,
  lockMessage,
  type MessageRow,
  messageById,
} from "./definition/definition-store.ts";
import { warningsOf } from "./definition/near-screens.ts";
import { explainRoutes } from "./explain/explain-product.ts";
import { trace } from "./explain/trace.ts";
import { recallRoutes } from "./queue/recall-product.ts";
import { preview, previewDraft, testSend } from "./queue/try-out.ts";
import type { InAppGround } from "./sync/near-misses.ts";

const PATH = "/in-app-messages";
const Id = Type.Object({ id: Type.String() });
const tags = ["in-app"];

/** Definitions, their preview and test sends, recall, and the sync explainer. */
export function product(app: App, ground: InAppGround & ConnectedGround): void {
  const { message: usersOf } = ground.slices.usersOf;
  const uuidOf = crud(app, ground, {
    path: PATH,
    tag: "in-app",
    noun: "in-app message",
    prefix: "msg",
    summaries: {
      list: "List in-app messages, newest first, without their bodies",
      create: "Define an in-app message",
      read: "Get an in-app message, with its uses",
      change: "Change the fields that are named, as a new version",
      remove: "Remove a message; 409 while something uses it",
    },
    schemas: { input: InAppMessageInput, patch: InAppMessagePatch, one: InAppMessage, list: InAppMessageList },
    scopeOf: workspaceOf,
    originOf,
    locked: lockMessage,
    list: listSource,
    byId: async (q, workspaceId, id) => {
      const row = await messageById(q, workspaceId, id);
      return row && authored(q, workspaceId, row, await usersOf(q, workspaceId, id));
    },
    create: (workspaceId, input) => async (tx, now) =>
      authored(tx, workspaceId, await define(tx, workspaceId, input, now), []),
    change: (workspaceId, id, patch) => async (tx, now) => {
      const row = await redefine(tx, workspaceId, { id, patch, now });
      return authored(tx, workspaceId, row, await usersOf(tx, workspaceId, id));
    },
    remove: (workspaceId, id) => (tx, now) => undefine(tx, workspaceId, { id, usersOf, now }),
    shape,
    derived: ["warnings", "used_by"],
    summary,
  });
  tryOutRoutes(app, ground, uuidOf);
  traceRoute(app, ground, uuidOf);
  recallRoutes(app, ground);
  explainRoutes(app, ground);
}

function tryOutRoutes(app: App, { db, clock, metrics }: Ground, uuidOf: (text: string) => string): void {
  app.post(
    `${PATH}/preview-draft`,
    {
      config: { needs: "read" },
      schema: {
        summary: "Preview a message that is not saved",
        tags,
        body: InAppDraftPreviewInput,
        response: { 200: InAppDraftPreview },
      },
    },
    (request) => previewDraft(db, request.caller.workspace, request.body),
  );

  app.post(
    `${PATH}/:id/preview`,
    {
      config: { needs: "read" },
      preValidation: bodyOptional,
      schema: {
        summary: "Preview it for a person",
        tags,
        params: Id,
        body: InAppPreviewInput,
        response: { 200: InAppPreview },
      },
    },
    (request) => preview(db, request.caller.workspace.id, uuidOf(request.params.id), request.body),
  );

  app.post(
    `${PATH}/:id/test-sends`,
    {
      config: { needs: "send" },
      schema: {
        summary: "Queue it for one person",
        tags,
        params: Id,
        body: InAppTestSend,
        response: { 202: InAppTestSent },
      },
    },
    async (request, reply) => {
      const { workspace } = request.caller;
      const now = clock.now();
      const id = uuidOf(request.params.id);
      return creating(db, { request, reply, scope: workspace.id, now, status: 202 }, async (tx) => {
        const deliveryId = await testSend(tx, workspace, { messageId: id, input: request.body, now });
        metrics.queued.inc({ channel: "in_app" });
        return { delivery_id: encodeId("dlv", deliveryId) };
      });
    },
  );
}

function traceRoute(app: App, ground: Ground, uuidOf: (text: string) => string): void {
  app.get(
    `${PATH}/:id/test-sends/:delivery_id`,
    {
      preValidation: emptyIsNone("tz_offset_minutes"),
      schema: {
        summary: "Trace a test send: queued, fetched, shown, and which gate holds it back",
        tags,
        params: Type.Object({ id: Type.String(), delivery_id: Type.String() }),
        querystring: TraceQuery,
        response: { 200: InAppTestTrace },
      },
    },
    (request) => {
      const deliveryId = decodeId("dlv", request.params.delivery_id);
      if (!deliveryId) throw notFound("test send");
      const ids = { messageId: uuidOf(request.params.id), deliveryId };
      return trace(ground, request.caller.workspace, ids, request.query);
    },
  );
}

/** A message with what its author should know. */
type AuthoredMessage = MessageRow & { warnings: InAppWarning[]; used_by: InAppMessageUser[] };

const authored = async (
  q: Queries,
  workspaceId: string,
  row: MessageRow,
  used_by: InAppMessageUser[],
): Promise<AuthoredMessage> => ({ ...row, used_by, warnings: await warningsOf(q, workspaceId, row.definition) });

const shape = (row: AuthoredMessage) => ({
  ...summary(row),
  body: row.definition.body,
  warnings: row.warnings,
  used_by: row.used_by,
});

const summary = (row: ListedMessage) => ({
  id: encodeId("msg", row.id),
  version: row.version,
  ...row.definition,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
