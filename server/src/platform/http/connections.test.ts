import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { pino } from "pino";
import { expect, test } from "vitest";
import { until } from "../../../test/support/wait.ts";
import { groundMetrics } from "../metrics.ts";
import { createApp } from "./app.ts";

/** Sends a request as a browser does, which ends its side of the connection only when it looks at it again, minutes later. */
async function asked(port: number, path: string): Promise<{ socket: Socket; read: () => string }> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  socket.setEncoding("utf8").on("data", (part) => (text += part));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, "data");
  return { socket, read: () => text };
}

test("a stop waits neither for a client that keeps its end open, nor longer than an answer that has begun", async () => {
  const app = createApp(pino({ level: "silent" }), groundMetrics());
  const body = new PassThrough();
  app.get("/short", async () => "done");
  app.get("/long", async (_, reply) => reply.type("text/plain").send(body));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const idle = await asked(port, "/short");
  body.write("the first half");
  const busy = await asked(port, "/long");

  let stopped = false;
  const stop = app.close().then(() => {
    stopped = true;
  });
  const connections = promisify(app.server.getConnections.bind(app.server)) as () => Promise<number>;
  await until(async () => (await connections()) === 1, "the end of the idle connection");
  expect(stopped).toBe(false);
  body.end(", and the second");
  await stop;
  await until(() => /the first half.*, and the second\r\n0\r\n\r\n$/s.test(busy.read()), "the whole answer");
  for (const { socket } of [idle, busy]) socket.destroy();
  // A kept connection is open for 65 s.
}, 30_000);

test("an address and headers of more than 16 KiB are refused with a reason", async () => {
  const app = createApp(pino({ level: "silent" }), groundMetrics());
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  const answer = await fetch(`${address}/?q=${"x".repeat(17_000)}`);
  expect(answer.status).toBe(431);
  expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  expect(await answer.json()).toMatchObject({ status: 431, code: "headers_too_large" });
  await app.close();
});
