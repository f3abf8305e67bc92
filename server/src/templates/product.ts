import {
  EmailTemplate,
  EmailTemplateInput,
  EmailTemplateList,
  EmailTemplatePatch,
  EmailTemplatePreview,
  EmailTemplatePreviewInput,
  EmailTemplateTextsPreview,
  EmailTemplateTextsPreviewInput,
  EmailTemplateVersion,
  EmailTemplateVersionList,
} from "@tidings/contract/messages/templates";
import { ListQuery } from "@tidings/contract/primitives";
import { Type } from "typebox";
import { type App, bodyOptional, decodeCursor, notFound, page } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { type Authored, TAGGED, tagOf } from "../platform/resources/authored.ts";
import { changing } from "../platform/resources/changes.ts";
import { crud, settled } from "../platform/resources/crud.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { type ConnectedGround, originOf, workspaceOf } from "../workspaces/index.ts";
import { type Definition, warningsOf } from "./definition.ts";
import { partRoutes } from "./parts-product.ts";
import { preview, previewTexts } from "./preview.ts";
import {
  inTurn,
  listSource,
  type TemplateRow,
  templateById,
  type TemplateSummary,
  versionOf,
  versions,
} from "./store.ts";
import { change, create, discard, restore, requireTemplate } from "./template.ts";

const PATH = "/email-templates";
const Id = Type.Object({ id: Type.String() });
const IdVersion = Type.Object({ id: Type.String(), version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });
const tags = ["email templates"];

/** Email templates with their versions and preview, layouts and snippets. */
export function product(app: App, ground: ConnectedGround): void {
  const { db } = ground;
  const usersOf = ground.slices.usersOf.template;
  const idOf = crud(app, ground, {
    ...TEMPLATES,
    path: PATH,
    tag: "email templates",
    prefix: "tpl",
    summaries: {
      list: "List email templates, newest first, without their long texts",
      create: "Create an email template of HTML or MJML",
      read: "Get an email template",
      change: "Change the fields that are named, as a new version",
      remove: "Remove an email template; 409 while something uses it",
    },
    schemas: { input: EmailTemplateInput, patch: EmailTemplatePatch, one: EmailTemplate, list: EmailTemplateList },
    scopeOf: workspaceOf,
    originOf,
    list: listSource,
    byId: templateById,
    create: (workspaceId, input, { actor: by }) => create(db, workspaceId, { input, by }),
    change: (workspaceId, id, patch, { actor: by }) => change(db, workspaceId, { id, patch, usersOf, by }),
    remove: (workspaceId, id) => discard(workspaceId, id, usersOf),
    summary: (row: TemplateSummary) => shape(row),
  });
  versionRoutes(app, ground, idOf);

  app.post(
    `${PATH}/:id/preview`,
    {
      config: { needs: "read" },
      preValidation: bodyOptional,
      schema: {
        summary: "Preview it for a person",
        tags,
        params: Id,
        body: EmailTemplatePreviewInput,
        response: { 200: EmailTemplatePreview },
      },
    },
    (request) => preview(db, workspaceOf(request), idOf(request.params.id), request.body),
  );
  app.post(
    `${PATH}/preview-texts`,
    {
      config: { needs: "read" },
      schema: {
        summary: "Preview texts for a person before they are saved",
        tags,
        body: EmailTemplateTextsPreviewInput,
        response: { 200: EmailTemplateTextsPreview },
      },
    },
    (request) => previewTexts(db, workspaceOf(request), request.body),
  );

  partRoutes(app, ground);
}

function versionRoutes(app: App, ground: ConnectedGround, idOf: (text: string) => string): void {
  const { db, clock } = ground;
  app.get(
    `${PATH}/:id/versions`,
    {
      schema: {
        summary: "List its versions, newest first",
        tags,
        params: Id,
        querystring: Type.Object(ListQuery),
        response: { 200: EmailTemplateVersionList },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const before = decodeCursor(cursor, "integer")?.[0];
      const workspaceId = workspaceOf(request);
      const q = inListTurns(ground, workspaceId);
      const { id } = await requireTemplate(q, workspaceId, idOf(request.params.id));
      const rows = await versions(q, workspaceId, { id, before, limit: limit + 1 });
      return page(rows, limit, (row) => [String(row.version)], dated);
    },
  );

  app.get(
    `${PATH}/:id/versions/:version`,
    { schema: { summary: "Get a version", tags, params: IdVersion, response: { 200: EmailTemplateVersion } } },
    async (request) => {
      const { id } = await requireTemplate(db, workspaceOf(request), idOf(request.params.id));
      const row = await versionOf(db, workspaceOf(request), id, request.params.version);
      if (!row) throw notFound("version");
      const { definition, ...rest } = row;
      return { ...dated(rest), ...wire(definition) };
    },
  );

  app.post(
    `${PATH}/:id/versions/:version/restore`,
    {
      config: { needs: "author" },
      schema: {
        summary: "Restore an old version's texts as a new version",
        ...TAGGED,
        tags,
        params: IdVersion,
        response: { 200: EmailTemplate },
      },
    },
    (request, reply) => {
      const [scope, id] = [workspaceOf(request), idOf(request.params.id)];
      const now = clock.now();
      const origin = originOf(request);
      const change = { origin, done: "restored", id, now };
      const { version } = request.params;
      const usersOf = ground.slices.usersOf.template;
      const call = { request, reply, scope, now, status: 200, tagOf: (body: object) => tagOf(TEMPLATES, body) };
      return settled(
        () => restore(db, scope, { id, version, usersOf, by: origin.actor }),
        (write) => creating(db, call, async (tx) => shape(await changing(tx, TEMPLATES, change, () => write(tx, now)))),
      );
    },
  );
}

const dated = <T extends { created_at: Date }>(row: T) => ({ ...row, created_at: row.created_at.toISOString() });

const wire = <D extends Pick<Definition, "layout_id">>(definition: D) => ({
  ...definition,
  layout_id: definition.layout_id && encodeId("lay", definition.layout_id),
});

const shape = <D extends Pick<Definition, "layout_id"> & { body?: string }>({
  definition,
  ...row
}: Omit<TemplateRow, "definition"> & { definition: D }) => ({
  ...dated(row),
  id: encodeId("tpl", row.id),
  ...wire(definition),
  ...warningsOf(definition.body),
  updated_at: row.updated_at.toISOString(),
});

const TEMPLATES: Authored<TemplateRow> = {
  noun: "email template",
  locked: async (tx, workspaceId, id) => {
    await inTurn(tx, workspaceId, id);
    return templateById(tx, workspaceId, id);
  },
  shape,
  derived: ["snippets", "warnings"],
};
