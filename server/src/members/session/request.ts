import type { SessionAnswer } from "@tidings/contract/members";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../platform/config.ts";
import { setToken, tokenIn } from "./cookie.ts";
import { describeSession } from "./describe.ts";
import { type From, noSession, type Session, type Sessions } from "./sessions.ts";

interface Signing {
  config: Pick<Config, "publicUrl">;
  members: { sessions: Sessions };
}

/** Where a request came from. */
export const fromOf = (request: FastifyRequest, { config }: Pick<Signing, "config">): From => ({
  address: request.raw.socket.remoteAddress ?? "",
  agent: request.headers["user-agent"],
  before: tokenIn(request, config),
});

/** Returns the live session that the request's cookie names; undefined without one. */
export async function sessionOf(request: FastifyRequest, { config, members }: Signing): Promise<Session | undefined> {
  const token = tokenIn(request, config);
  return token === undefined ? undefined : members.sessions.find(token);
}

/** Sets the cookie of a new session, and returns what the answer says about it. */
export async function begun(reply: FastifyReply, { config, members }: Signing, token: string): Promise<SessionAnswer> {
  const session = await members.sessions.find(token);
  if (!session) throw noSession();
  setToken(reply, config, token);
  return describeSession(session);
}
