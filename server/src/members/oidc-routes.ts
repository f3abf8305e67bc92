import { Oidc, OidcInput } from "@tidings/contract/members";
import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { type App, notFound } from "../platform/http/index.ts";
import { decodeId } from "../platform/ids.ts";
import { answered, shown, TAGGED, UNCHANGED } from "../platform/resources/authored.ts";
import { originOf, workspaceOf } from "../workspaces/index.ts";
import type { MembersGround } from "./ground.ts";
import { described, removeOidc, setOidc } from "./oidc/provider.ts";
import { beginOidc, completeOidc, type OidcFailure, START_MS } from "./oidc/sign-in.ts";
import { setToken, tokenIn } from "./session/cookie.ts";
import { fromOf } from "./session/request.ts";
import { oidcOf } from "./store/oidc-store.ts";

const tags = ["oidc"];
const COOKIE = { name: "tidings-oidc", lifeMs: START_MS };
const REDIRECT = {
  302: Type.Null({ description: "To the provider, to the dashboard, or to its sign-in with `?error=`." }),
};

/** The sign-in through a workspace's identity provider: a browser goes there, and comes back from there. */
export function oidcEntrance(app: App, ground: MembersGround): void {
  const { config, log, members } = ground;
  const refuse = (reply: FastifyReply, failure: OidcFailure) =>
    reply.redirect(`${config.publicUrl}/sign-in?error=${failure}`, 302) as never;

  app.get(
    "/oidc/start",
    {
      schema: {
        summary: "Begin a sign-in at the identity provider of a workspace",
        tags,
        security: [],
        querystring: Type.Object({ workspace: Type.String({ maxLength: 100 }) }),
        response: REDIRECT,
      },
    },
    async (request, reply) => {
      await members.attempts.count("challenge", "", fromOf(request, ground).address);
      const id = decodeId("ws", request.query.workspace);
      const begun = id && (await beginOidc(ground, id).catch((error: unknown) => unreachable(id, error)));
      if (!begun) return refuse(reply, "oidc_failed");
      setToken(reply, config, begun.cookie, COOKIE);
      return reply.redirect(begun.address.href, 302) as never;
    },
  );

  const unreachable = (workspaceId: string, error: unknown): undefined =>
    void log.warn({ workspace_id: workspaceId, err: String(error) }, "an identity provider can't be used");

  app.get(
    "/oidc/callback",
    {
      schema: {
        summary: "Come back from the identity provider",
        tags,
        security: [],
        querystring: Type.Object({ state: Type.Optional(Type.String({ maxLength: 200 })) }),
        response: REDIRECT,
      },
    },
    async (request, reply) => {
      const cookie = tokenIn(request, config, COOKIE.name);
      const { state } = request.query;
      setToken(reply, config, null, COOKIE);
      if (cookie === undefined || state === undefined) return refuse(reply, "oidc_failed");
      const query = request.url.split("?")[1] ?? "";
      const result = await completeOidc(ground, { query, state, cookie }, fromOf(request, ground));
      if ("failure" in result) return refuse(reply, result.failure);
      setToken(reply, config, result.token);
      return reply.redirect(`${config.publicUrl}/`, 302) as never;
    },
  );
}

/** The settings of the workspace's identity provider. */
export function oidcSettings(app: App, ground: MembersGround): void {
  const { db, clock } = ground;
  const admin = { needs: "admin" } as const;
  app.get(
    "/oidc",
    {
      schema: {
        summary: "Get the identity provider of the workspace",
        ...TAGGED,
        tags,
        response: { 200: Oidc, 304: UNCHANGED },
      },
    },
    async (request, reply) => {
      const row = await oidcOf(db, workspaceOf(request));
      if (!row) throw notFound("identity provider");
      return shown(request, reply, described(ground), row);
    },
  );

  app.put(
    "/oidc",
    {
      config: admin,
      schema: {
        summary: "Set the identity provider of the workspace",
        ...TAGGED,
        tags,
        body: OidcInput,
        response: { 200: Oidc },
      },
    },
    async (request, reply) => {
      const row = await db.transaction((tx) => setOidc(tx, ground, originOf(request), request.body));
      return answered(reply, described(ground), row);
    },
  );

  app.delete(
    "/oidc",
    {
      config: admin,
      schema: {
        summary: "Remove the identity provider of the workspace",
        ...TAGGED,
        tags,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await db.transaction((tx) => removeOidc(tx, originOf(request), clock.now()));
      return reply.code(204).send(null);
    },
  );
}
