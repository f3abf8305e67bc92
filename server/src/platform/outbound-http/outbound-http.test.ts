import { createServer, type RequestListener, type Server as HttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { lookup as systemLookup } from "node:dns";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createFetcher, isPublicAddress } from "./index.ts";

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const servers: HttpServer[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a real server on a free port. It ends with the test file. */
function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  return listening(server);
}

const open = createFetcher({ allowPrivate: true });
const strict = createFetcher({ allowPrivate: false });
afterAll(() => {
  open.close();
  strict.close();
});

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.31.255.255",
  "192.168.0.1",
  "198.19.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "2001:db8::1",
  "2002:7f00:1::",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "localhost",
  "",
])("%j is not on the public internet", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "100.63.255.255", "100.128.0.1", "172.32.0.1", "192.0.1.1", "2606:4700::1111", "2a00:1450::1"])(
  "%j is on the public internet",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test("no address of a private IPv4 network is public in any IPv6 form", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const hex = (high: number, low: number) => (high * 256 + low).toString(16);
  fc.assert(
    fc.property(byte, byte, byte, fc.constantFrom(10, 127, 0), (b, c, d, a) => {
      expect(isPublicAddress(`${a}.${b}.${c}.${d}`)).toBe(false);
      for (const prefix of ["::ffff:", "::", "64:ff9b::", "2002:"]) {
        const suffix = prefix === "2002:" ? "::1" : "";
        expect(isPublicAddress(`${prefix}${hex(a, b)}:${hex(c, d)}${suffix}`)).toBe(false);
      }
    }),
  );
});

test.each([
  "http://127.0.0.1/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://0177.0.0.1/",
  "http://127.0.0.1./",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "https://[64:ff9b::7f00:1]/",
  "http://0/",
  "http://169.254.169.254/latest/meta-data/",
  "http://localhost/",
])("%s is refused before a connection is made", async (url) => {
  await expect(strict.fetchOut(url)).rejects.toMatchObject({ failure: "private_address", mayHaveArrived: false });
});

test("a name is checked by the address that the connection would use, for each connection", async () => {
  let hits = 0;
  const url = await serve((_request, response) => {
    hits++;
    response.end();
  });
  const asked: string[] = [];
  const answersPrivate = ((name: string, options: object, done: never) => {
    asked.push(name);
    systemLookup("127.0.0.1", options, done);
  }) as unknown as typeof systemLookup;
  const address = `http://public.example:${new URL(url).port}/`;
  const guarded = createFetcher({ allowPrivate: false, lookup: answersPrivate });
  await expect(guarded.fetchOut(address)).rejects.toMatchObject({ failure: "private_address" });
  expect(hits).toBe(0);
  const allowed = createFetcher({ allowPrivate: true, lookup: answersPrivate });
  expect((await allowed.fetchOut(address)).status).toBe(200);
  expect(asked).toEqual(["public.example", "public.example"]);
  guarded.close();
  allowed.close();
});

test("method, headers and body arrive, and status, headers and body come back", async () => {
  const url = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { method, headers } = request;
      response.writeHead(418, { "x-kind": "teapot" });
      response.end(JSON.stringify({ method, headers, body: Buffer.concat(chunks).toString() }));
    });
  });
  const answer = await open.fetchOut(url, { method: "POST", headers: { "x-one": "1" }, body: "grüße" });
  expect(answer.status).toBe(418);
  expect(answer.headers["x-kind"]).toBe("teapot");
  const seen = JSON.parse(answer.body.toString());
  expect(seen).toMatchObject({ method: "POST", body: "grüße", headers: { "x-one": "1", "content-length": "7" } });
  expect(seen.headers["user-agent"]).toMatch(/^Tidings\//);
});

test("a redirect is an answer and is not followed", async () => {
  let followed = false;
  const target = await serve((_request, response) => {
    followed = true;
    response.end();
  });
  const url = await serve((_request, response) => response.writeHead(302, { location: target }).end());
  expect((await open.fetchOut(url)).status).toBe(302);
  expect(followed).toBe(false);
});

test("a connection is reused", async () => {
  const ports = new Set<number | undefined>();
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end("ok");
  });
  for (let i = 0; i < 5; i++) await open.fetchOut(url);
  // Not exactly 1: when the machine stalls for 4 s, the idle connection is closed.
  expect(ports.size).toBeLessThan(5);
});

test("a call whose answer never comes, or never ends, fails with a timeout", async () => {
  const silent = await serve(() => {});
  await expect(open.fetchOut(silent, { timeoutMs: 100 })).rejects.toMatchObject({ failure: "timeout" });
  const endless = await serve((_request, response) => response.writeHead(200).write("a"));
  await expect(open.fetchOut(endless, { timeoutMs: 300 })).rejects.toMatchObject({ failure: "timeout" });
});

test("a call can be given up", async () => {
  const silent = await serve(() => {});
  const control = new AbortController();
  const call = open.fetchOut(silent, { signal: control.signal });
  control.abort();
  await expect(call).rejects.toMatchObject({ failure: "aborted" });
  await expect(open.fetchOut(silent, { signal: control.signal })).rejects.toMatchObject({
    failure: "aborted",
    mayHaveArrived: false,
  });
});

test("a long answer is refused, or cut if only its status matters", async () => {
  const url = await serve((_request, response) => response.writeHead(200).end("x".repeat(100_000)));
  await expect(open.fetchOut(url, { maxBytes: 1_000 })).rejects.toMatchObject({ failure: "too_large" });
  const answer = await open.fetchOut(url, { maxBytes: 1_000, cut: true });
  expect(answer.body.toString()).toBe("x".repeat(1_000));
  expect((await open.fetchOut(url, { maxBytes: 100_000 })).body).toHaveLength(100_000);
});

test("a connection that breaks, a closed port and an unknown name each have their own failure", async () => {
  const rude = createTcpServer((socket) => socket.once("data", () => socket.destroy()));
  const cut = await listening(rude);
  await expect(open.fetchOut(cut)).rejects.toMatchObject({ failure: "connection_lost", mayHaveArrived: true });
  await new Promise((resolve) => rude.close(resolve));
  await expect(open.fetchOut(cut)).rejects.toMatchObject({ failure: "not_connected", mayHaveArrived: false });

  const half = await serve((_request, response) => {
    response.writeHead(200, { "content-length": "10" }).write("half", () => response.destroy());
  });
  await expect(open.fetchOut(half)).rejects.toMatchObject({ failure: "connection_lost" });

  const notFound = Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  const lookup = ((_name: string, _options: object, done: (error: Error) => void) => done(notFound)) as never;
  const lost = createFetcher({ allowPrivate: true, lookup });
  await expect(lost.fetchOut("http://nobody.example/")).rejects.toMatchObject({ failure: "name_not_found" });
  lost.close();
});

test("TLS to a server without a valid certificate fails as not connected", async () => {
  const plain = await serve((_request, response) => response.end());
  await expect(open.fetchOut(plain.replace("http:", "https:"))).rejects.toMatchObject({
    failure: "not_connected",
    mayHaveArrived: false,
  });
});

test.each(["ftp://example.com/", "file:///etc/passwd", "nonsense", ""])("%j can't be called", async (url) => {
  await expect(open.fetchOut(url)).rejects.toMatchObject({ failure: "invalid_url" });
});

test("a header with a line break is refused and nothing is sent", async () => {
  const url = await serve((_request, response) => response.end());
  await expect(open.fetchOut(url, { headers: { "x-a": "1\r\nx-b: 2" } })).rejects.toMatchObject({
    failure: "not_connected",
  });
});
