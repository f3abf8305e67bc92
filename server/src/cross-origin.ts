import type { onRequestHookHandler } from "fastify";
import type { App } from "./platform/http/index.ts";

const ALLOWED =
  "authorization, content-type, idempotency-key, if-none-match, x-api-key, x-person-token, x-request-id, x-retry-count";
/** Chromium keeps the answer to a preflight for two hours at most, whatever the header says. */
const PREFLIGHT_S = 7_200;

/**
 * Lets pages of any origin call the data gateway, and the routes for Segment's client in a browser. These routes take the key from a
 * header and ignore cookies, so `*` lets a foreign page do nothing that it could not do from a server.
 */
export const crossOrigin: onRequestHookHandler = (_request, reply, done) => {
  reply.header("access-control-allow-origin", "*");
  // Without this header a page can read neither the ETag that it should send back, nor Retry-After.
  reply.header("access-control-expose-headers", "etag, retry-after, x-request-id");
  done();
};

/** Answers the preflight requests that browsers send before such a call. */
export function preflights(app: App): void {
  for (const path of ["/data-gateway/*", "/compat/segment/*"]) {
    app.options(path, { schema: { hide: true }, onRequest: crossOrigin }, (_request, reply) =>
      reply
        .header("access-control-allow-methods", "GET, POST, PUT, DELETE")
        .header("access-control-allow-headers", ALLOWED)
        .header("access-control-max-age", PREFLIGHT_S)
        .code(204)
        .send(),
    );
  }
}
