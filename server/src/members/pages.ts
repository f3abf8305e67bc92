import type { FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { type App, Problem, refuseUnknownParameters } from "../platform/http/index.ts";
import { account, resets } from "./account-routes.ts";
import type { MembersGround } from "./ground.ts";
import { oidcEntrance } from "./oidc-routes.ts";
import { passkeyEntrance, passkeys } from "./passkey-routes.ts";
import { assertOwnOrigin } from "./session/origin.ts";
import { sessionOf } from "./session/request.ts";
import { noSession, type Session } from "./session/sessions.ts";
import { entrance, invitations, sessions } from "./session-routes.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The session of a request to the routes of a person, who needs no workspace there. */
    session: Session;
  }
  interface FastifyContextConfig {
    /** Also for a session that a workspace's identity provider opened: such a session is for that workspace, and not for the account. */
    limitedSession?: boolean;
  }
}

/** Mounts the routes of a person without a workspace: signing in, and the own account. No key opens them. */
export function pages(app: App, ground: MembersGround): void {
  const ownOrigin: onRequestAsyncHookHandler = async (request) => assertOwnOrigin(request, ground.config);
  const signedIn = async (request: FastifyRequest) => {
    const session = await sessionOf(request, ground);
    if (!session) throw noSession();
    if (session.workspace_id !== null && !request.routeOptions.config.limitedSession) throw limited();
    request.session = session;
  };
  app.register(
    async (scope: App) => {
      scope.addHook("onRequest", ownOrigin);
      scope.addHook("onRequest", refuseUnknownParameters);
      entrance(scope, ground);
      resets(scope, ground);
      invitations(scope, ground);
      passkeyEntrance(scope, ground);
      scope.register(async (inside: App) => {
        inside.addHook("onRoute", ({ schema }) => {
          if (schema) Object.assign(schema, { security: [{ session: [] }] });
        });
        inside.addHook("onRequest", signedIn);
        sessions(inside, ground);
        account(inside, ground);
        passkeys(inside, ground);
      });
    },
    { prefix: "/api/v1" },
  );
  // A browser comes to these routes from the provider, with parameters that the provider chooses.
  app.register(async (scope: App) => oidcEntrance(scope, ground), { prefix: "/api/v1" });
}

const limited = (): Problem =>
  new Problem(
    "not_permitted",
    "A workspace's identity provider signed you in, for that workspace only. Sign in with a password or a passkey.",
  );
