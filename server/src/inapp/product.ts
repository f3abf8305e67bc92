import {
  InAppMessage,
  InAppMessageInput,
  InAppMessageList,
  InAppMessagePatch,
  InAppPreview,
  InAppPreviewInput,
  InAppTestSend,
  InAppTestSent,
  type InAppWarning,
} from "@tidings/contract/inapp";
import { Type } from "typebox";
import { crud } from "../platform/crud.ts";
import type { Queries } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional } from "../platform/http/index.ts";
import { creating } from "../platform/idempotency.ts";
import { encodeId } from "../platform/ids.ts";
import { workspaceOf } from "../workspaces/index.ts";
import { define, redefine, undefine } from "./define.ts";
import { explainRoutes } from "./explain-product.ts";
import { recallRoutes } from "./recall-product.ts";
import { type MessageRow, messageById, messages } from "./definition-store.ts";
import { warningsOf } from "./near-screens.ts";
import { preview, testSend } from "./try-out.ts";

const PATH = "/in-app-messages";
const Id = Type.Object({ id: Type.String() });
const tags = ["in-app"];

/** Definitions, their preview and test sends, recall, and the sync explainer. */
export function product(app: App, ground: Ground): void {
  const uuidOf = crud(app, ground, {
    path: PATH,
    tag: "in-app",
    noun: "in-app message",
    prefix: "msg",
    summaries: {
      list: "In-app messages, newest first",
      create: "Define an in-app message",
      read: "One in-app message",
      change: "Edit: the fields that are named, as a new version",
      remove: "Take a message out of use",
    },
    schemas: { input: InAppMessageInput, patch: InAppMessagePatch, one: InAppMessage, list: InAppMessageList },
    scopeOf: workspaceOf,
    list: messages,
    byId: async (q, workspaceId, id) => {
      const row = await messageById(q, workspaceId, id);
      return row && warned(q, workspaceId, row);
    },
    create: (workspaceId, input) => async (tx, now) =>
      warned(tx, workspaceId, await define(tx, workspaceId, input, now)),
    change: (workspaceId, id, patch) => async (tx, now) =>
      warned(tx, workspaceId, await redefine(tx, workspaceId, id, patch, now)),
    remove: (workspaceId, id) => (tx, now) => undefine(tx, workspaceId, id, now),
    shape,
    summary: shape,
  });
  tryOutRoutes(app, ground, uuidOf);
  recallRoutes(app, ground);
  explainRoutes(app, ground);
}

function tryOutRoutes(app: App, { db, clock, metrics }: Ground, uuidOf: (text: string) => string): void {
  app.post(
    `${PATH}/:id/preview`,
    {
      config: { needs: "read" },
      preValidation: bodyOptional,
      schema: {
        summary: "How it comes out for a person",
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
        summary: "Queue it to one person",
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
      return creating(db, request, reply, { scope: workspace.id, now, status: 202 }, async (tx) => {
        const deliveryId = await testSend(tx, workspace, id, request.body, now);
        metrics.queued.inc({ channel: "in_app" });
        return { delivery_id: encodeId("dlv", deliveryId) };
      });
    },
  );
}

const warned = async (q: Queries, workspaceId: string, row: MessageRow) => ({
  ...row,
  warnings: await warningsOf(q, workspaceId, row.definition),
});

const shape = (row: MessageRow & { warnings?: InAppWarning[] }) => ({
  id: encodeId("msg", row.id),
  version: row.version,
  ...row.definition,
  ...(row.warnings && { warnings: row.warnings }),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
