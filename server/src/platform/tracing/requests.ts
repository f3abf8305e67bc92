import type { FastifyRequest } from "fastify";
import type { App } from "../http/index.ts";
import type { Span, Traces } from "./traces.ts";

/** Asked all the time, by those who watch the service and by browsers that load the dashboard. */
const LEFT_OUT = new Set(["/healthz", "/readyz", "/metrics", "/assets/*"]);

/** Makes a span of each request, from its head to the start of its answer, as part of the trace that its `traceparent` names. */
export function traceRequests(app: App, traces: Traces): void {
  if (!traces.on) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, _reply, done) => {
    const { method, headers, id } = request;
    const route = request.routeOptions.url ?? "none";
    if (LEFT_OUT.has(route)) return done();
    const { traceparent } = headers;
    // No address: it may name a person.
    const attributes = { "http.request.method": method, "http.route": route, "tidings.request_id": id };
    const options = {
      kind: "server",
      attributes,
      ...(typeof traceparent === "string" && { parent: traceparent }),
    } as const;
    spans.set(request, traces.start(`${method} ${route}`, options));
    done();
  });
  // Only here: the events of a body that arrives later do not run in the work that waits for them.
  app.addHook("preHandler", (request, _reply, done) => {
    const span = spans.get(request);
    if (span) traces.within(span, done);
    else done();
  });
  app.addHook("onSend", (request, { statusCode }, _body, done) => {
    const failed = statusCode >= 500 ? String(statusCode) : undefined;
    spans.get(request)?.end({ "http.response.status_code": statusCode }, failed);
    done();
  });
}
