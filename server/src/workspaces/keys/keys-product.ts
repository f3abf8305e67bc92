import { ListQuery } from "@tidings/contract/primitives";
import { ApiKeyCreated, ApiKeyInput, ApiKeyList, ApiKeyRoll, ApiKeyRolled } from "@tidings/contract/workspaces";
import { Type } from "typebox";
import type { Ground } from "../../platform/ground.ts";
import { type App, bodyOptional, decodeCursor, notFound, page } from "../../platform/http/index.ts";
import { decodeId } from "../../platform/ids.ts";
import { listed, TAGGED, tagOf } from "../../platform/resources/authored.ts";
import { inListTurns } from "../../platform/resources/interactive.ts";
import { creating } from "../../platform/resources/idempotency.ts";
import { createKey, KEYS, revokeKey, rollKey, shapeKey } from "./api-keys.ts";
import { originOf } from "./authenticate.ts";
import { keysOf } from "./keys-store.ts";

const params = Type.Object({ id: Type.String() });
const tags = ["workspace"];
const config = { needs: "admin" } as const;

/** Lists, makes, rolls and revokes API keys. */
export function apiKeys(app: App, ground: Ground): void {
  const { db, clock, seal } = ground;

  app.get(
    "/api-keys",
    {
      schema: {
        summary: "List API keys, newest first",
        tags,
        querystring: Type.Object(ListQuery),
        response: { 200: ApiKeyList },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const workspaceId = request.caller.workspace.id;
      const rows = await keysOf(inListTurns(ground, workspaceId), workspaceId, decodeCursor(cursor, "uuid"), limit + 1);
      return page(
        rows,
        limit,
        (row) => [row.id],
        (row) => listed(KEYS, row, shapeKey(row)),
      );
    },
  );

  app.post(
    "/api-keys",
    {
      config,
      schema: { summary: "Create an API key", ...TAGGED, tags, body: ApiKeyInput, response: { 201: ApiKeyCreated } },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      const now = clock.now();
      return creating(db, { request, reply, scope, now, seal, tagOf: keyTag }, async (tx) => {
        const { row, key } = await createKey(tx, originOf(request), request.body, now);
        return { ...shapeKey(row), key };
      });
    },
  );

  app.post(
    "/api-keys/:id/roll",
    {
      config,
      preValidation: bodyOptional,
      schema: {
        summary: "Create a key with the same rights, and end this one after an overlap",
        ...TAGGED,
        tags,
        params,
        body: ApiKeyRoll,
        response: { 201: ApiKeyRolled },
      },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      const now = clock.now();
      return creating(db, { request, reply, scope, now, seal, tagOf: keyTag }, async (tx) => {
        const roll = { id: idOf(request.params.id), ...request.body };
        const { row, key, replaced } = await rollKey(tx, originOf(request), roll, now);
        return { ...shapeKey(row), key, replaces: shapeKey(replaced) };
      });
    },
  );

  app.delete(
    "/api-keys/:id",
    { config, schema: { summary: "Revoke an API key", ...TAGGED, tags, params, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const id = idOf(request.params.id);
      await db.transaction((tx) => revokeKey(tx, originOf(request), id, clock.now()));
      return reply.code(204).send(null);
    },
  );
}

/** The tag of an answer that shows a key with its text once. */
const keyTag = (body: object): string => {
  const { key: _, replaces: __, ...made } = body as Record<string, unknown>;
  return tagOf(KEYS, made);
};

function idOf(text: string): string {
  const id = decodeId("key", text);
  if (!id) throw notFound("API key");
  return id;
}
