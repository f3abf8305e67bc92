import type { RateLimits } from "@tidings/contract/workspaces";
import type { FastifyReply, FastifyRequest, onRequestHookHandler, preHandlerHookHandler, RouteOptions } from "fastify";
import { type App, Problem } from "./platform/http/index.ts";
import { type WindowResult, windows } from "./platform/limits/windows.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** How many calls a request counts as: a batch counts its items. */
    items?: (body: never) => number;
  }
}

type Group = Exclude<keyof RateLimits, "new_people_per_hour">;

/** A browser's EventSource gives up for ever at a 429. Beyond the limit, a stream is told when to reconnect and is closed. */
const STREAMS = ["/data-gateway/v1/in-app/messages/stream", "/api/v1/live"];
const MINUTE_MS = 60_000;
const MOST = 100_000;

const groupOf = (path: string): Group => {
  if (path.startsWith("/api/")) return "product";
  if (path.startsWith("/data-gateway/transactionals/") || path.startsWith("/compat/customerio/v1/send/"))
    return "triggers";
  return path.startsWith("/data-gateway/v1/in-app/") ? "in_app" : "ingestion";
};

/**
 * Returns the hook that applies a workspace's own limits to its keys, after authentication. Each process counts by the minute. A workspace without
 * limits costs one look-up. A route for batches tells its number of items (`items`): the request counts as one when it arrives, and
 * the other items count once its body has been read.
 */
export function limiter(app: App): onRequestHookHandler {
  const counts = windows(MINUTE_MS, MOST);
  app.addHook("onRoute", (route: RouteOptions) => {
    if (route.config?.items) route.preHandler = [[route.preHandler ?? []].flat(), countItems].flat();
  });

  /** Counts `n` of the `all` items of a request. Returns false if the request has been answered here. @throws Problem rate_limited */
  function hold(request: FastifyRequest, reply: FastifyReply, n: number, all: number): boolean {
    const { kind, workspace } = request.caller;
    // A page of the dashboard asks a dozen things: members would lock themselves out of the page that raises the limit.
    if (kind === "session") return true;
    const { id, rate_limits } = workspace;
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
    if (!STREAMS.includes(url)) throw refusal(taken, max, all, headers);
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
  // One of its items has been counted before: the request itself.
  else if (all > 1)
    what = `The limit of ${max} a minute leaves room for ${left + 1} more, and the batch has ${all} items.`;
  return new Problem("rate_limited", `${what} Repeat after ${resetsInS} s.`, {
    headers: { ...headers, "retry-after": String(resetsInS) },
  });
}
