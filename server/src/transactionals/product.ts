import { Metrics, MetricsQuery } from "@tidings/contract/facts/activity";
import {
  DraftPreview,
  DraftPreviewInput,
  Preview,
  PreviewInput,
  SendInput,
  Transactional,
  TransactionalInput,
  TransactionalList,
  TransactionalPatch,
  Triggered,
  type Warning,
} from "@tidings/contract/messages/transactionals";
import { JsonObject } from "@tidings/contract/primitives";
import { Type } from "typebox";
import { askedFor, metricsOf, numberRoutes } from "../analytics/index.ts";
import type { Queries } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional, notFound } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { crud } from "../platform/resources/crud.ts";
import { keyOf, replay } from "../platform/resources/idempotency.ts";
import { originOf, workspaceById, workspaceOf } from "../workspaces/index.ts";
import { contractOf } from "./contract.ts";
import { byId, type ListedTransactional, listSource, lockById, type TransactionalRow } from "./store.ts";
import { withTemplates } from "./templated.ts";
import type { TransactionalsGround } from "./trigger.ts";
import { change, create, discard, preview, previewDraft } from "./transactional.ts";
import { warningsOf } from "./warnings.ts";

const PATH = "/transactionals";

/** CRUD of /transactionals, their preview, contract and metrics. */
export function product(app: App, ground: TransactionalsGround): void {
  const idOf = crud(app, ground, {
    path: PATH,
    tag: "transactionals",
    noun: "transactional",
    prefix: "tx",
    summaries: {
      list: "List transactionals, newest first, without their content",
      create: "Create a transactional",
      read: "Get a transactional",
      change: "Change a transactional",
      remove: "Remove a transactional",
    },
    schemas: { input: TransactionalInput, patch: TransactionalPatch, one: Transactional, list: TransactionalList },
    scopeOf: workspaceOf,
    originOf,
    locked: lockById,
    list: listSource,
    byId: async (q, workspaceId, id) => {
      const row = await byId(q, workspaceId, id);
      return row && withWarnings(q, row);
    },
    create: (workspaceId, input) => async (tx, now) => withWarnings(tx, await create(tx, workspaceId, input, now)),
    change: (workspaceId, id, patch) => async (tx, now) =>
      withWarnings(tx, await change(tx, workspaceId, { id, patch, now })),
    remove: (workspaceId, id) => (tx) => discard(tx, workspaceId, id),
    shape,
    derived: ["warnings"],
    summary,
  });
  inspectRoutes(app, ground, idOf);
  numberRoutes(app, ground, {
    path: `${PATH}/:id`,
    tag: "transactionals",
    noun: "transactional",
    idOf,
    find: byId,
    metrics: {
      summary: "Show the numbers of its deliveries",
      query: MetricsQuery,
      answer: Metrics,
      of: (q, { row }, query) => metricsOf(q, row.workspace_id, row.id, askedFor(query)),
    },
  });
  sendRoute(app, ground, idOf);
}

/** The trigger call of somebody who tries a transactional out: the same as a call of the data gateway. */
function sendRoute(app: App, { db, trigger }: TransactionalsGround, idOf: (text: string) => string): void {
  app.post(
    `${PATH}/:id/send`,
    {
      config: { needs: "send" },
      schema: {
        summary: "Send it to one person, as a trigger call does",
        tags: ["transactionals"],
        params: Type.Object({ id: Type.String() }),
        body: SendInput,
        response: { 202: Triggered },
      },
    },
    async (request, reply) => {
      const { workspace } = request.caller;
      const { person_id, message_data } = request.body;
      const row = await byId(db, workspace.id, idOf(request.params.id));
      if (!row) throw notFound("transactional");
      const input = {
        transactional_message_id: encodeId("tx", row.id),
        identifiers: { id: person_id },
        ...(message_data && { message_data }),
      };
      const keyed = keyOf(request, workspace.id);
      const result = await trigger.one({ channel: row.channel, workspace, input, keyed, mark: undefined });
      if (result.replayed) return replay(reply, result.answer) as never;
      return reply.code(202).send(result.answer.body as never);
    },
  );
}

/** The routes that show a transactional without sending it: its preview and its contract. */
function inspectRoutes(app: App, ground: Ground, idOf: (text: string) => string): void {
  const { db } = ground;
  app.post(
    `${PATH}/draft-preview`,
    {
      config: { needs: "read" },
      schema: {
        summary: "Render a content that is not saved",
        tags: ["transactionals"],
        body: DraftPreviewInput,
        response: { 200: DraftPreview },
      },
    },
    (request) => previewDraft(db, workspaceOf(request), request.body),
  );

  app.post(
    `${PATH}/:id/preview`,
    {
      config: { needs: "read" },
      preValidation: bodyOptional,
      schema: {
        summary: "Render without sending",
        tags: ["transactionals"],
        params: Type.Object({ id: Type.String() }),
        body: PreviewInput,
        response: { 200: Preview },
      },
    },
    (request) => preview(db, workspaceOf(request), idOf(request.params.id), request.body),
  );

  app.get(
    `${PATH}/:id/contract`,
    {
      schema: {
        summary: "Show the JSON Schema of the message_data that its content reads",
        tags: ["transactionals"],
        params: Type.Object({ id: Type.String() }),
        response: { 200: JsonObject },
      },
    },
    async (request) => {
      const row = await byId(db, workspaceOf(request), idOf(request.params.id));
      const [filled] = await withTemplates(db, [row]);
      if (!filled) throw notFound("transactional");
      return contractOf(filled) as Record<string, unknown>;
    },
  );
}

type Checked = TransactionalRow & { warnings: Warning[] };

async function withWarnings(q: Queries, row: TransactionalRow): Promise<Checked> {
  const workspace = await workspaceById(q, row.workspace_id);
  return { ...row, warnings: workspace ? await warningsOf(q, row, workspace) : [] };
}

const shape = (row: Checked) => ({ ...summary(row), content: row.content, warnings: row.warnings });

const summary = (row: ListedTransactional) => ({
  id: encodeId("tx", row.id),
  name: row.name,
  trigger_name: row.trigger_name,
  subscription_preference: row.subscription_preference,
  topic_id: row.topic_id === null ? null : encodeId("top", row.topic_id),
  tracking: { opens: row.track_opens, clicks: row.track_clicks },
  at_most_once: row.at_most_once,
  channel: row.channel,
  version: row.version,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
