import type { RateLimits } from "@tidings/contract/workspaces";
import type { FastifyReply, FastifyRequest, onRequestHookHandler, preHandlerHookHandler, RouteOptions } from "fastify";
import { type App, Problem } from "./platform/http/index.ts";
import { type WindowResult, windows } from "./platform/limits/windows.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** How many calls are in one call: a batch counts its items. */
    items?: (body: never) => number;
  }
}

type Group = Exclude<keyof RateLimits, "new_people_per_hour">;

/** A browser's EventSource gives up for ever at a 429. Beyond the limit it is told when to come again, and is closed. */
const STREAM = "/data-gateway/v1/in-app/messages/stream";
const MINUTE_MS = 60_000;
const MOST = 100_000;

const groupOf = (path: string): Group => {
  if (path.startsWith("/api/")) return "product";
  if (path.startsWith("/data-gateway/transactionals/") || path.startsWith("/compat/customerio/v1/send/"))
    return "triggers";
  return path.startsWith("/data-gateway/v1/in-app/") ? "in_app" : "ingestion";
};

/**
 * Gives the hook after authentication that holds a workspace to its own limits, counted a minute and process. A workspace
 * without limits pays one look-up. A route that takes many calls in one says how many there are (`items`): the call counts when
 * it comes, the rest once its body has been read.
 */
export function limiter(app: App): onRequestHookHandler {
  const counts = windows(MINUTE_MS, MOST);
  app.addHook("onRoute", (route: RouteOptions) => {
    if (route.config?.items) route.preHandler = [[route.preHandler ?? []].flat(), countItems].flat();
  });

  /** Counts `n` more of `all` that came in one call. False where the request has been answered here. @throws Problem rate_limited */
  function hold(request: FastifyRequest, reply: FastifyReply, n: number, all: number): boolean {
    const { id, rate_limits } = request.caller.workspace;
    const url = request.routeOptions.url ?? "";
    const group = groupOf(url);
    const max = rate_limits[group];
    if (max === undefined) return true;
    const taken = counts.take(`${id} ${group}`, n, max);
    const headers = headersOf(taken, max);
    if (taken.taken) {
      reply.headers(headers);
      return true;
    }
    if (url !== STREAM) throw refusal(taken, max, all, headers);
    reply.headers({ ...headers, "content-type": "text/event-stream", "cache-control": "no-store" });
    reply.send(`retry: ${taken.resetsInS * 1_000}\n\n`);
    return false;
  }

  const countItems: preHandlerHookHandler = (request, reply, done) => {
    const all = (request.routeOptions.config.items as (body: unknown) => number)(request.body);
    if (all > 1) hold(request, reply, all - 1, all);
    done();
  };
  return (request, reply, done) => {
    if (hold(request, reply, 1, 1)) done();
  };
}

const headersOf = ({ left, resetsInS }: WindowResult, max: number) => ({
  "ratelimit-limit": String(max),
  "ratelimit-remaining": String(left),
  "ratelimit-reset": String(resetsInS),
});

function refusal(
  { left, resetsInS }: WindowResult,
  max: number,
  all: number,
  headers: Record<string, string>,
): Problem {
  let what = `The limit of ${max} requests a minute is reached.`;
  if (all > max) what = `The batch has ${all} items, and the limit is ${max} a minute: send smaller ones.`;
  // Of its items one is counted: the call itself.
  else if (all > 1)
    what = `The limit of ${max} a minute leaves room for ${left + 1} more, and the batch has ${all} items.`;
  return new Problem("rate_limited", `${what} Repeat after ${resetsInS} s.`, {
    headers: { ...headers, "retry-after": String(resetsInS) },
  });
}
