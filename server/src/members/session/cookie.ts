import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../platform/config.ts";

/** The longest that a session lives. */
export const SESSION_MS = 7 * 86_400_000;

type Addressed = Pick<Config, "publicUrl">;

const overTls = ({ publicUrl }: Addressed): boolean => publicUrl.startsWith("https:");

/**
 * Browsers take a cookie whose name begins with `__Host-` only over TLS, for this host and for all of its paths, so that no other host of
 * the domain can set it. Without TLS there is no such cookie.
 */
const named = (config: Addressed, name: string): string => (overTls(config) ? `__Host-${name}` : name);

export const SESSION = "tidings-session";

/** Returns the token in this cookie of the request. A text that no token of ours can be is none. */
export function tokenIn({ headers }: FastifyRequest, config: Addressed, name = SESSION): string | undefined {
  if (headers.cookie === undefined) return undefined;
  const wanted = named(config, name);
  for (const pair of headers.cookie.split(";")) {
    const at = pair.indexOf("=");
    if (pair.slice(0, at).trim() !== wanted) continue;
    const value = pair.slice(at + 1).trim();
    if (/^[\w-]{43}$/.test(value)) return value;
  }
  return undefined;
}

/** Sets a cookie that scripts can't read and that other sites' requests don't carry; `token` null removes it. */
export function setToken(
  reply: FastifyReply,
  config: Addressed,
  token: string | null,
  { name = SESSION, lifeMs = SESSION_MS }: { name?: string; lifeMs?: number } = {},
): void {
  const parts = [
    `${named(config, name)}=${token ?? ""}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    `Max-Age=${token === null ? 0 : Math.floor(lifeMs / 1_000)}`,
    ...(overTls(config) ? ["Secure"] : []),
  ];
  // Fastify adds a further set-cookie to those before.
  reply.header("set-cookie", parts.join("; "));
}
