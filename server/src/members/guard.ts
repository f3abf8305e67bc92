import type { Role } from "@tidings/contract/members";
import type { KeyScope } from "@tidings/contract/workspaces";
import type { FastifyRequest, onRequestHookHandler } from "fastify";
import { badParameter, Problem } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { assertActive, permit } from "../workspaces/index.ts";
import type { MembersGround } from "./ground.ts";
import { tokenIn } from "./session/cookie.ts";
import { assertOwnOrigin } from "./session/origin.ts";
import { noSession, type Session } from "./session/sessions.ts";

/** What a role may do, as scopes of keys; null: everything. */
export const SCOPES: Record<Role, KeyScope[] | null> = {
  viewer: ["read"],
  editor: ["read", "author", "send", "ingest"],
  owner: null,
};

const WORKSPACE = "X-Tidings-Workspace";

/**
 * Returns the hook that lets members in beside keys: a request without a key that carries the cookie of a session is the member's.
 * `keys` authenticates all others. The workspace is named by a header, or by `?workspace=` where a browser can't set one (a stream, a
 * download), and must be one of the session's. @throws Problem unauthenticated, cross_site_request, not_permitted, workspace_suspended
 */
export function memberGuard(ground: MembersGround, keys: onRequestHookHandler): onRequestHookHandler {
  async function enter(request: FastifyRequest, token: string): Promise<void> {
    assertOwnOrigin(request, ground.config);
    const session = await ground.members.sessions.find(token);
    if (!session) throw noSession();
    const { role, ...workspace } = chosen(request, session);
    assertActive(workspace);
    const caller = {
      workspace,
      keyId: session.id,
      kind: "session" as const,
      scopes: SCOPES[role],
      expiresAt: null,
      actor: { type: "member" as const, id: encodeId("mem", session.member_id), name: session.name ?? session.email },
      role,
    };
    permit(caller, request);
    request.caller = caller;
  }

  return function (request, reply, done) {
    const { authorization, "x-api-key": plain } = request.headers;
    const token = authorization === undefined && plain === undefined ? tokenIn(request, ground.config) : undefined;
    if (token === undefined) return keys.call(this, request, reply, done);
    enter(request, token).then(() => done(), done);
  };
}

/** @throws Problem invalid_request if the request names no workspace, not_permitted for one that is not the session's */
function chosen(request: FastifyRequest, session: Session) {
  const query = request.query as { workspace?: unknown };
  const named = request.headers[WORKSPACE.toLowerCase()] ?? (request.method === "GET" ? query.workspace : undefined);
  // No route has such a parameter of its own, and the next hook refuses those that a route does not know.
  delete query.workspace;
  if (typeof named !== "string") throw badParameter(WORKSPACE, "must name the workspace (ws_...) with a session");
  const id = decodeId("ws", named);
  const found = session.workspaces.find((workspace) => workspace.id === id);
  if (!found) throw new Problem("not_permitted", "You are no member of this workspace, or it does not exist.");
  return found;
}
