import { ListQuery } from "@tidings/contract/primitives";
import {
  SigningSecretCreated,
  SigningSecretInput,
  SigningSecretList,
  Workspace,
  WorkspacePatch,
} from "@tidings/contract/workspaces";
import { Type } from "typebox";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, bodyOptional, decodeCursor, notFound, page } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { answered, shown, TAGGED, UNCHANGED } from "../platform/resources/authored.ts";
import { changing } from "../platform/resources/changes.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { type SecretRow, secretsOf } from "./identity/secrets-store.ts";
import { createSecret, isKid, revokeSecret } from "./identity/signing.ts";
import { unverifiedCalls } from "./identity/unverified.ts";
import { auditLog } from "./audit-product.ts";
import { originOf } from "./keys/authenticate.ts";
import { apiKeys } from "./keys/keys-product.ts";
import { lockWorkspaceRow, type WorkspaceRow, workspaceById } from "./tenant/store.ts";
import { changeSettings } from "./workspace.ts";

/** GET/PATCH /workspace, the API keys, the signing secrets and the log of changes. */
export function product(app: App, ground: Ground): void {
  const { db, clock } = ground;
  const describe = async (row: WorkspaceRow) => ({
    ...row,
    unverified_calls: await unverifiedCalls(ground, row.id),
  });

  app.get(
    "/workspace",
    {
      schema: {
        summary: "Get the workspace's settings",
        ...TAGGED,
        tags: ["workspace"],
        response: { 200: Workspace, 304: UNCHANGED },
      },
    },
    async (request, reply) => {
      const row = await workspaceById(db, request.caller.workspace.id);
      if (!row) throw notFound("workspace");
      return shown(request, reply, WORKSPACES, await describe(row));
    },
  );

  app.patch(
    "/workspace",
    {
      config: { needs: "admin" },
      schema: {
        summary: "Change settings",
        ...TAGGED,
        tags: ["workspace"],
        body: WorkspacePatch,
        response: { 200: Workspace },
      },
    },
    async (request, reply) => {
      const { id } = request.caller.workspace;
      const change = { origin: originOf(request), done: "changed", id, now: clock.now() };
      const row = await db.transaction((tx) =>
        changing(tx, WORKSPACES, change, () => changeSettings(tx, id, request.body, change.now)),
      );
      return answered(reply, WORKSPACES, await describe(row));
    },
  );

  apiKeys(app, ground);
  signingSecrets(app, ground);
  auditLog(app, ground);
}

function signingSecrets(app: App, ground: Ground): void {
  const { db, clock, seal } = ground;

  app.get(
    "/signing-secrets",
    {
      schema: {
        summary: "List signing secrets, newest first",
        tags: ["workspace"],
        querystring: Type.Object(ListQuery),
        response: { 200: SigningSecretList },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const before = decodeCursor(cursor, "instant", "text");
      const workspaceId = request.caller.workspace.id;
      const rows = (await secretsOf(inListTurns(ground, workspaceId), workspaceId)).filter(
        (row) => !before || [row.created_at.toISOString(), row.kid].join() < before.join(),
      );
      return page(rows, limit, (row) => [row.created_at.toISOString(), row.kid], shapeSecret);
    },
  );

  app.post(
    "/signing-secrets",
    {
      config: { needs: "admin" },
      preValidation: bodyOptional,
      schema: {
        summary: "Create a signing secret for person tokens; two may be valid at once",
        tags: ["workspace"],
        body: SigningSecretInput,
        response: { 201: SigningSecretCreated },
      },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      return creating(db, { request, reply, scope, now: clock.now(), seal }, async (tx) => {
        const { row, secret } = await createSecret(tx, seal, originOf(request), clock.now());
        return { ...shapeSecret(row), secret };
      });
    },
  );

  app.delete(
    "/signing-secrets/:kid",
    {
      config: { needs: "admin" },
      schema: {
        summary: "Revoke a signing secret, and the tokens that it signed",
        tags: ["workspace"],
        params: Type.Object({ kid: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      if (!isKid(request.params.kid)) throw notFound("signing secret");
      await db.transaction((tx) => revokeSecret(tx, originOf(request), request.params.kid, clock.now()));
      return reply.code(204).send(null);
    },
  );
}

const shapeSecret = (row: SecretRow) => ({
  kid: row.kid,
  created_at: row.created_at.toISOString(),
  revoked_at: row.revoked_at?.toISOString() ?? null,
});

type Unverified = Awaited<ReturnType<typeof unverifiedCalls>>;

const shape = (row: WorkspaceRow & { unverified_calls?: Unverified }) => ({
  id: encodeId("ws", row.id),
  name: row.name,
  timezone: row.timezone,
  allow_in_app: row.allow_in_app,
  identity_verification: row.identity_verification,
  retention_days: row.retention_days,
  retention: row.retention,
  sender_defaults: row.sender_defaults,
  quiet_defaults: row.quiet_defaults,
  in_app_cap: row.in_app_cap,
  rate_limits: row.rate_limits,
  marketing_limits: row.marketing_limits,
  unverified_calls: row.unverified_calls,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** The settings, as the log of changes and If-Match know them. */
const WORKSPACES = {
  noun: "workspace",
  locked: (tx: Tx, id: string) => lockWorkspaceRow(tx, id),
  shape,
  derived: ["unverified_calls"],
};
