import rateLimit from "@fastify/rate-limit";
import type { RateLimits } from "@tidings/contract/workspaces";
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { type App, Problem } from "./platform/http/index.ts";

type Group = keyof RateLimits;

/** A browser's EventSource gives up for ever at a 429. Beyond the limit it is told when to come again, and is closed. */
const STREAM = "/data-gateway/v1/in-app/messages/stream";

const groupOf = (path: string): Group => {
  if (path.startsWith("/api/")) return "product";
  if (path.startsWith("/data-gateway/transactionals/") || path.startsWith("/compat/customerio/v1/send/"))
    return "triggers";
  return path.startsWith("/data-gateway/v1/in-app/") ? "in_app" : "ingestion";
};

const limitOf = (request: FastifyRequest): number | undefined =>
  request.caller.workspace.rate_limits[groupOf(request.routeOptions.url ?? "")];

/**
 * The hook after authentication that holds a workspace to its own limits, counted a minute and process. A workspace
 * without limits pays one look-up.
 */
export async function limiter(app: App): Promise<onRequestHookHandler> {
  await app.register(rateLimit as never, { global: false });
  const count = (app as unknown as { createRateLimit: typeof createRateLimit }).createRateLimit({
    timeWindow: 60_000,
    max: (request) => limitOf(request) as number,
    keyGenerator: (request) => `${request.caller.workspace.id} ${groupOf(request.routeOptions.url ?? "")}`,
  });
  /** Whether the request may go on; not where it has been answered here. */
  const check = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const state = await count(request);
    if (state.isAllowed) return true;
    const headers = {
      "ratelimit-limit": String(state.max),
      "ratelimit-remaining": String(state.remaining),
      "ratelimit-reset": String(state.ttlInSeconds),
    };
    if (state.isExceeded && request.routeOptions.url === STREAM) {
      reply.headers({ ...headers, "content-type": "text/event-stream", "cache-control": "no-store" });
      reply.send(`retry: ${state.ttlInSeconds * 1_000}\n\n`);
      return false;
    }
    if (state.isExceeded) {
      throw new Problem(
        "rate_limited",
        `The limit of ${state.max} requests a minute is reached. Repeat after ${state.ttlInSeconds} s.`,
        {
          headers: { ...headers, "retry-after": String(state.ttlInSeconds) },
        },
      );
    }
    reply.headers(headers);
    return true;
  };
  return (request, reply, done) => {
    if (limitOf(request) === undefined) done();
    else check(request, reply).then((on) => on && done(), done);
  };
}

type Counted =
  | { isAllowed: true }
  | { isAllowed: false; max: number; remaining: number; ttlInSeconds: number; isExceeded: boolean };
declare function createRateLimit(options: {
  timeWindow: number;
  max: (request: FastifyRequest) => number;
  keyGenerator: (request: FastifyRequest) => string;
}): (request: FastifyRequest) => Promise<Counted>;
