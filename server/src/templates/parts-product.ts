import {
  EmailLayout,
  EmailLayoutInput,
  EmailLayoutList,
  EmailLayoutPatch,
  Snippet,
  SnippetInput,
  SnippetList,
  SnippetPatch,
} from "@tidings/contract/messages/templates";
import type { Queries } from "../platform/db/index.ts";
import type { App } from "../platform/http/index.ts";
import { encodeId, type Prefix } from "../platform/ids.ts";
import { crud } from "../platform/resources/crud.ts";
import { type ConnectedGround, originOf, workspaceOf } from "../workspaces/index.ts";
import { warningsOf } from "./definition.ts";
import { changeLayout, changeSnippet, createLayout, createSnippet, discardLayout, discardSnippet } from "./parts.ts";
import { type LayoutRow, layoutById, layouts, type SnippetRow, snippetById, snippets } from "./parts-store.ts";
import { inTurn } from "./store.ts";

/** /email-layouts and /snippets: what templates are made of. */
export function partRoutes(app: App, ground: ConnectedGround): void {
  const { db } = ground;
  const usersOf = ground.slices.usersOf.template;
  crud(app, ground, {
    path: "/email-layouts",
    tag: "email templates",
    noun: "email layout",
    prefix: "lay",
    summaries: {
      list: "List email layouts, newest first, without their bodies",
      create: "Create an email layout around `{{ content }}`",
      read: "Get an email layout",
      change: "Change an email layout, and each template that uses it",
      remove: "Remove an email layout; 409 while a template uses it",
    },
    schemas: { input: EmailLayoutInput, patch: EmailLayoutPatch, one: EmailLayout, list: EmailLayoutList },
    scopeOf: workspaceOf,
    originOf,
    locked: inTurnOf(layoutById),
    list: layouts,
    byId: layoutById,
    create: (workspaceId, input) => createLayout(db, workspaceId, input),
    change: (workspaceId, id, patch, { actor: by }) => changeLayout(db, workspaceId, { id, patch, usersOf, by }),
    remove: discardLayout,
    shape: shaped("lay"),
    derived: ["warnings"],
    summary: (row: Omit<LayoutRow, "body">) => shaped("lay")(row),
  });
  crud(app, ground, {
    path: "/snippets",
    tag: "email templates",
    noun: "snippet",
    prefix: "snp",
    summaries: {
      list: "List snippets, newest first, without their bodies",
      create: 'Create a snippet, for `{% snippet "name" %}`',
      read: "Get a snippet",
      change: "Change a snippet, and each template that uses it",
      remove: "Remove a snippet; 409 while something uses it",
    },
    schemas: { input: SnippetInput, patch: SnippetPatch, one: Snippet, list: SnippetList },
    scopeOf: workspaceOf,
    originOf,
    locked: inTurnOf(snippetById),
    list: snippets,
    byId: snippetById,
    create: (workspaceId, input) => createSnippet(db, workspaceId, input),
    change: (workspaceId, id, patch, { actor: by }) => changeSnippet(db, workspaceId, { id, patch, usersOf, by }),
    remove: discardSnippet,
    shape: shaped("snp"),
    derived: ["warnings"],
    summary: (row: Omit<SnippetRow, "body">) => shaped("snp")(row),
  });
}

const inTurnOf =
  <Row>(byId: (q: Queries, workspaceId: string, id: string) => Promise<Row>) =>
  async (tx: Queries, workspaceId: string, id: string): Promise<Row> => {
    await inTurn(tx, workspaceId, id);
    return byId(tx, workspaceId, id);
  };

const shaped =
  (prefix: Prefix) =>
  <R extends { id: string; body?: string; created_at: Date; updated_at: Date }>(row: R) => ({
    ...row,
    id: encodeId(prefix, row.id),
    ...warningsOf(row.body),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  });
