import { lookup as systemLookup } from "node:dns";
import { constants, createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createHttp2Fetcher } from "./index.ts";

const servers: Http2Server[] = [];
const sessions = new Set<ServerHttp2Session>();
const fetchers: { close(): void }[] = [];
afterAll(() => {
  for (const fetcher of fetchers) fetcher.close();
  for (const session of sessions) session.destroy();
  for (const server of servers) server.close();
});

type Answer = (stream: ServerHttp2Stream, path: string, body: string) => void;

/** A real server of HTTP/2 without TLS on a free port. `connections` counts those ever made. */
async function serve(answer: Answer) {
  const it = { url: "", connections: 0 };
  const server = createServer();
  servers.push(server);
  server.on("session", (session) => {
    it.connections++;
    sessions.add(session);
    session.on("error", () => {});
    session.on("close", () => sessions.delete(session));
  });
  server.on("stream", (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on("error", () => {});
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => answer(stream, String(headers[":path"]), Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return it;
}

function fetcher(options: Parameters<typeof createHttp2Fetcher>[0] = { allowPrivate: true }) {
  const made = createHttp2Fetcher(options);
  fetchers.push(made);
  return made;
}

const echo: Answer = (stream, path, body) => {
  stream.respond({ ":status": 418, "x-kind": "teapot" });
  stream.end(JSON.stringify({ path, body }));
};

test("path, body, status and headers are transferred, over one connection for all calls", async () => {
  const far = await serve(echo);
  const { fetchOut } = fetcher();
  const first = await fetchOut(`${far.url}/a?b=c`, { method: "POST", headers: { "x-one": "1" }, body: "grüße" });
  expect(first.status).toBe(418);
  expect(first.headers["x-kind"]).toBe("teapot");
  expect(JSON.parse(first.body.toString())).toEqual({ path: "/a?b=c", body: "grüße" });
  const more = await Promise.all(Array.from({ length: 250 }, (_, at) => fetchOut(`${far.url}/${at}`)));
  expect(more.map(({ body }) => JSON.parse(body.toString()).path)).toEqual(more.map((_, at) => `/${at}`));
  expect(far.connections).toBe(1);
});

test("after the other side went away, a new connection is made", async () => {
  const far = await serve(echo);
  const { fetchOut } = fetcher();
  await fetchOut(far.url);
  for (const session of sessions) session.close();
  await expect.poll(() => sessions.size, { timeout: 15_000 }).toBe(0);
  expect((await fetchOut(far.url)).status).toBe(418);
  expect(far.connections).toBe(2);
});

test("a call that the other side says it did not process is made again through a new connection", async () => {
  let calls = 0;
  const far = await serve((stream, path, body) => {
    calls++;
    if (calls === 2) stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 1);
    else echo(stream, path, body);
  });
  const { fetchOut } = fetcher();
  await fetchOut(far.url);
  expect((await fetchOut(`${far.url}/again`)).status).toBe(418);
  expect([calls, far.connections]).toEqual([3, 2]);
});

test("a refused call is made once more, and then fails as certainly not arrived", async () => {
  let calls = 0;
  const far = await serve((stream, path, body) => {
    if (++calls === 1) echo(stream, path, body);
    else stream.close(constants.NGHTTP2_REFUSED_STREAM);
  });
  const { fetchOut } = fetcher();
  await fetchOut(far.url);
  await expect(fetchOut(far.url)).rejects.toMatchObject({ failure: "not_connected", mayHaveArrived: false });
  expect([calls, far.connections]).toEqual([3, 2]);
});

test("a call without an answer fails with a timeout, and the next call gets a new connection", async () => {
  let silent = false;
  const far = await serve((stream, path, body) => {
    if (!silent) echo(stream, path, body);
  });
  const { fetchOut } = fetcher();
  await fetchOut(far.url);
  silent = true;
  await expect(fetchOut(far.url, { timeoutMs: 1_000 })).rejects.toMatchObject({ failure: "timeout" });
  silent = false;
  expect((await fetchOut(far.url)).status).toBe(418);
  expect(far.connections).toBe(2);
});

test("a call to a server that accepts the connection and never speaks HTTP/2 fails with a timeout", async () => {
  const mute = createTcpServer((socket) => socket.on("error", () => {}).resume());
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const { fetchOut, close } = fetcher();
  const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  await expect(fetchOut(url, { timeoutMs: 300 })).rejects.toMatchObject({ failure: "timeout" });
  close();
  await new Promise((resolve) => mute.close(resolve));
});

test("a call whose connection or answer breaks in the middle may have arrived, and is not repeated", async () => {
  let calls = 0;
  const far = await serve((stream, path) => {
    calls++;
    if (path === "/reset") return void stream.session?.socket.resetAndDestroy();
    if (path === "/cancel") return stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    stream.respond({ ":status": 200 });
    stream.write("half", () => stream.session?.socket.resetAndDestroy());
  });
  const { fetchOut } = fetcher();
  for (const path of ["/reset", "/cancel", "/half"])
    await expect(fetchOut(far.url + path)).rejects.toMatchObject({ failure: "connection_lost", mayHaveArrived: true });
  expect(calls).toBe(3);
});

test("a long answer is refused, or cut", async () => {
  const far = await serve((stream) => {
    stream.respond({ ":status": 200 });
    stream.end("x".repeat(100_000));
  });
  const { fetchOut } = fetcher();
  await expect(fetchOut(far.url, { maxBytes: 1_000 })).rejects.toMatchObject({ failure: "too_large" });
  expect((await fetchOut(far.url, { maxBytes: 1_000, cut: true })).body).toHaveLength(1_000);
  expect((await fetchOut(far.url)).body).toHaveLength(100_000);
});

test("a call can be given up, and closing the fetcher ends running calls", async () => {
  const far = await serve(() => {});
  const { fetchOut, close } = fetcher();
  const control = new AbortController();
  const given = fetchOut(far.url, { signal: control.signal });
  const left = fetchOut(far.url);
  control.abort();
  await expect(given).rejects.toMatchObject({ failure: "aborted" });
  await expect.poll(() => sessions.size, { timeout: 15_000 }).toBeGreaterThan(0);
  close();
  await expect(left).rejects.toMatchObject({ name: "OutboundError" });
});

test("a name that resolves to a private address is refused, and is resolved for each connection", async () => {
  const far = await serve(echo);
  await expect(fetcher({ allowPrivate: false }).fetchOut(far.url)).rejects.toMatchObject({
    failure: "private_address",
    mayHaveArrived: false,
  });
  const asked: string[] = [];
  const lookup = ((name: string, options: object, done: never) => {
    asked.push(name);
    systemLookup("127.0.0.1", options, done);
  }) as unknown as typeof systemLookup;
  const named = `http://public.example:${new URL(far.url).port}/`;
  const guarded = fetcher({ allowPrivate: false, lookup });
  for (let time = 0; time < 2; time++)
    await expect(guarded.fetchOut(named)).rejects.toMatchObject({ failure: "private_address" });
  expect(far.connections).toBe(0);
  expect((await fetcher({ allowPrivate: true, lookup }).fetchOut(named)).status).toBe(418);
  expect(asked).toEqual(["public.example", "public.example", "public.example"]);
});

test("a closed port, an unknown name and an invalid header each have their own failure", async () => {
  const far = await serve(echo);
  const rude = createTcpServer();
  await new Promise<void>((resolve) => rude.listen(0, "127.0.0.1", resolve));
  const closed = `http://127.0.0.1:${(rude.address() as AddressInfo).port}`;
  await new Promise((resolve) => rude.close(resolve));
  const { fetchOut } = fetcher();
  await expect(fetchOut(closed)).rejects.toMatchObject({ failure: "not_connected", mayHaveArrived: false });
  await expect(fetchOut(far.url, { headers: { "x-a": "1\r\nx-b: 2" } })).rejects.toMatchObject({
    failure: "not_connected",
  });
  await expect(fetchOut(far.url.replace("http:", "https:"))).rejects.toMatchObject({ failure: "not_connected" });
  const notFound = Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  const lookup = ((_name: string, _options: object, done: (error: Error) => void) => done(notFound)) as never;
  const lost = fetcher({ allowPrivate: true, lookup });
  await expect(lost.fetchOut("http://nobody.example/")).rejects.toMatchObject({ failure: "name_not_found" });
});
