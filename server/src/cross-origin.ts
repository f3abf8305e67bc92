import type { onRequestHookHandler } from "fastify";
import type { App } from "./platform/http/index.ts";

const ALLOWED =
  "authorization, content-type, idempotency-key, if-none-match, x-api-key, x-person-token, x-request-id, x-retry-count";
/** Chromium keeps the answer to a preflight no longer than two hours, whatever is said here. */
const PREFLIGHT_S = 7_200;

/**
 * Lets pages of any origin call the data gateway, and Segment's client in a browser. Nothing there is granted to a browser by what it sends on its own: the
 * key stands in a header and no cookie counts, so `*` gives a foreign page nothing that it could not do from a server.
 */
export const crossOrigin: onRequestHookHandler = (_request, reply, done) => {
  reply.header("access-control-allow-origin", "*");
  // Without this a page can't read the ETag that it is to send back, nor when to come again.
  reply.header("access-control-expose-headers", "etag, retry-after, x-request-id");
  done();
};

/** Answers the questions that browsers ask before such a call. */
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
