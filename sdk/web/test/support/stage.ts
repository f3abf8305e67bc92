import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type TestService, testService } from "../../../../server/test/support/service.ts";
import { until } from "../../../../server/test/support/wait.ts";

/** A real service, with what a test does through the product API. */
export interface Stage {
  address: string;
  secretKey: string;
  publicKey: string;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: never }>;
  /** Defines a message; returns its id. */
  define(fields?: Record<string, unknown>): Promise<string>;
  /** Sends it to a person; returns the id of the delivery. */
  send(messageId: string, personId: string): Promise<string>;
  delivery(id: string): Promise<{ status: string; impressions: number; events: { type: string }[] }>;
  openStreams(): Promise<number>;
}

/** The service of a test file, which listens. */
export interface StageService {
  address: string;
  it: TestService;
}

/** Starts the service for the stages of a test file. One for each test would take 2 s, with its connections and its end. */
export async function stageService(): Promise<StageService> {
  const it = await testService({ roles: "api,worker" });
  return { it, address: await it.service.listen() };
}

/** Gives a test a workspace of its own. `openStreams` counts all of the service, so the streams of the test before must have ended. */
export async function stage({ address, it }: StageService): Promise<Stage> {
  const own = stageAt(address, await it.another());
  await until(async () => (await own.openStreams()) === 0, "the end of earlier streams");
  return own;
}

/** A stage in a service of another kind. */
export function stageAt(address: string, keys: { secretKey: string; publicKey: string }): Stage {
  async function call(method: string, path: string, body?: unknown) {
    const response = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${keys.secretKey}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : undefined) as never };
  }
  return {
    address,
    secretKey: keys.secretKey,
    publicKey: keys.publicKey,
    call,
    async define(fields = {}) {
      const input = { name: "Hello", render_type: "modal", body: "Hello", ...fields };
      const { status, body } = await call("POST", "/api/v1/in-app-messages", input);
      if (status !== 201) throw new Error(`the message was refused: ${JSON.stringify(body)}`);
      return (body as { id: string }).id;
    },
    async send(messageId, personId) {
      await call("POST", "/data-gateway/v1/identify", { person_id: personId });
      const { body } = await call("POST", `/api/v1/in-app-messages/${messageId}/test-sends`, { person_id: personId });
      return (body as { delivery_id: string }).delivery_id;
    },
    async delivery(id) {
      return (await call("GET", `/api/v1/deliveries/${id}`)).body;
    },
    async openStreams() {
      const text = await (await fetch(`${address}/metrics`)).text();
      return Number(/^tidings_streams_open (\d+)/m.exec(text)?.[1]);
    },
  };
}

const CREATE = `
  import { createTidings } from "/tidings.js";
  globalThis.refused = [];
  document.addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective + " " + event.blockedURI));
  globalThis.createTidings = createTidings;
`;

/**
 * Serves a site of another origin than the service, with the strictest policy that a page with scripts can have. The page has
 * only `createTidings` and a list of what the policy refused.
 */
export async function site(code: string, service: string, script = CREATE): Promise<string> {
  const files: Record<string, [string, string]> = {
    "/": [
      "text/html",
      '<!doctype html><title>A page</title><main></main><script type="module" src="/page.js"></script>',
    ],
    "/tidings.js": ["text/javascript", code],
    "/page.js": ["text/javascript", script],
    "/favicon.ico": ["image/x-icon", ""],
  };
  const server = createServer((request, response) => {
    const [type, text] = files[request.url ?? ""] ?? ["text/plain", ""];
    response.setHeader("content-type", type);
    response.setHeader("content-security-policy", `default-src 'none'; script-src 'self'; connect-src ${service}`);
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
