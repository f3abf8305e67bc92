import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CAMPAIGNS_CHANGED } from "../../src/campaigns/definition/entrances.ts";
import { decodeId } from "../../src/platform/ids.ts";
import { receiver } from "../support/network/receiver.ts";
import { testService } from "../support/service.ts";
import { published } from "../support/services/published.ts";
import { atEnd, until } from "../support/wait.ts";

// From a request to the provider and to the webhook, as a collector of OpenTelemetry gets it.

interface Exported {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const spans: Exported[] = [];
let headers: Record<string, unknown> = {};
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  headers = { ...request.headers, url: request.url };
  const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
  for (const { scopeSpans } of resourceSpans) for (const { spans: some } of scopeSpans) spans.push(...some);
  response.setHeader("content-type", "application/json").end("{}");
});
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
atEnd(() => void collector.close());
const { port } = collector.address() as AddressInfo;

const it = await testService({
  roles: "api,worker",
  // As in `tidings serve`: what a request queues is sent by another thread.
  threads: true,
  env: {
    ALLOW_PRIVATE_NETWORK: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc",
  },
});

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const called = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
const attributeOf = (span: Exported | undefined, key: string) =>
  span?.attributes.find((attribute) => attribute.key === key)?.value.stringValue;
/** Waits for a span of a name; a collector gets them up to a second after their end. */
async function spanOf(name: string, traceId = TRACE): Promise<Exported> {
  const find = () => spans.find((span) => span.name === name && span.traceId === traceId);
  await until(() => find() !== undefined, `the span ${name}`);
  return find() as Exported;
}

test("a message is one trace, from the caller's own over the queue and the provider to the webhook", async () => {
  const far = await receiver();
  expect((await it.call("POST", "/api/v1/webhooks", { body: { url: far.url } })).status).toBe(201);
  const body = { identifiers: { email: "ada@example.test" }, subject: "Hello", body: "<p>World</p>" };
  const answer = await it.call("POST", "/data-gateway/transactionals/email", { body, headers: called });
  expect(answer.status).toBe(202);

  const request = await spanOf("POST /data-gateway/transactionals/email");
  expect(request.parentSpanId).toBe("b7ad6b7169203331");
  expect(attributeOf(request, "tidings.request_id")).toBe(answer.headers["x-request-id"]);
  const queued = await spanOf("queue delivery");
  expect(queued.parentSpanId).toBe(request.spanId);
  expect(attributeOf(queued, "tidings.delivery_id")).toBe(answer.body.delivery_id);
  const sent = await spanOf("send delivery");
  expect(sent.parentSpanId).toBe(queued.spanId);
  const handed = await spanOf("hand over");
  expect(handed.parentSpanId).toBe(sent.spanId);
  expect(attributeOf(handed, "tidings.outcome")).toBe("sent");
  const call = await spanOf("call of a webhook");
  const got = far.calls.map((one) => one.headers.traceparent);
  expect(got).toContain(`00-${TRACE}-${call.spanId}-01`);
  expect(headers).toMatchObject({ url: "/v1/traces", authorization: "Bearer abc" });
  // No span names a person: neither an address nor an id that the customer chose.
  expect(JSON.stringify(spans)).not.toContain("ada@");
});

test("a delivery that no call carried here has a trace with its own id", async () => {
  const body = { identifiers: { email: "bob@example.test" }, subject: "Hi", body: "Hi" };
  const { delivery_id: first } = (await it.call("POST", "/data-gateway/transactionals/email", { body })).body;
  await until(
    async () => (await it.call("GET", `/api/v1/deliveries/${first}`)).body.status === "sent",
    "the first delivery",
  );
  const again = await it.call("POST", `/api/v1/deliveries/${first}/resend`);
  const traceId = (decodeId("dlv", again.body.delivery_id) as string).replaceAll("-", "");
  expect((await spanOf("send delivery", traceId)).parentSpanId ?? "").toBe("");
  await spanOf("hand over", traceId);
});

test("a run of a campaign is part of the trace of the call that reported the event", async () => {
  await published(it, { trigger: { type: "event", name: "traced" }, reentry: "always" });
  it.service.ground.signals.publish(CAMPAIGNS_CHANGED, [it.workspaceId]);
  const body = { person_id: "ada", eventName: "traced" };
  const answer = await it.call("POST", "/data-gateway/v1/track", { body, headers: called });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const run = await spanOf("advance run");
  expect(run.parentSpanId).toBe((await spanOf("POST /data-gateway/v1/track")).spanId);
});

test("a sync shows its read of the database, and health checks are left out", async () => {
  await it.call("GET", "/healthz", { headers: called });
  const url = "/data-gateway/v1/in-app/messages/sync?person_id=ada";
  expect((await it.call("GET", url, { headers: called })).status).toBe(200);
  const sync = await spanOf("GET /data-gateway/v1/in-app/messages/sync");
  expect((await spanOf("read live deliveries")).parentSpanId).toBe(sync.spanId);
  expect(spans.map(({ name }) => name)).not.toContain("GET /healthz");
});

test("a caller that is not sampled causes no spans", async () => {
  const other = TRACE.replace("0af7", "1af7");
  const unsampled = { traceparent: `00-${other}-b7ad6b7169203331-00` };
  await it.call("GET", "/api/v1/workspace", { headers: unsampled });
  await it.call("GET", "/api/v1/workspace", { headers: called });
  await spanOf("GET /api/v1/workspace");
  expect(spans.filter(({ traceId }) => traceId === other)).toEqual([]);
});

test("only otlp.ts loads OpenTelemetry, and only where it is switched on", () => {
  const root = fileURLToPath(new URL("../../src/", import.meta.url));
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const importing = (what: RegExp) => names.filter((name) => what.test(readFileSync(root + name, "utf8")));
  expect(importing(/from "@opentelemetry\//)).toEqual(["platform/tracing/otlp.ts"]);
  expect(importing(/from "[./\w]*\/otlp\.ts"/)).toEqual([]);
});
