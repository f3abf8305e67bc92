import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { groundMetrics } from "../metrics.ts";
import { createApp } from "./app.ts";
import { mountFrames, mountSite } from "./site.ts";

const folder = await mkdtemp(join(tmpdir(), "tidings-site-"));
const app = createApp(pino({ level: "silent" }), groundMetrics());
mountSite(app, { folder, pages: ["/", "/w/*"], missing: "not built yet" });
mountFrames(app);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test("a site that is not built says so, and is there as soon as it is built", async () => {
  const before = await get("/");
  expect([before.statusCode, before.body]).toEqual([503, "not built yet"]);
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets/x-1.js"), "plain");
  await writeFile(join(folder, "assets/x-1.js.br"), "brotli");
  await writeFile(join(folder, "index.html"), '<script nonce="NONCE-OF-THIS-ANSWER">');
  expect((await get("/w/ws_1/people")).statusCode).toBe(200);
  await writeFile(join(folder, "index.html"), 'newer <script nonce="NONCE-OF-THIS-ANSWER">');
  await utimes(join(folder, "index.html"), 1, 1);
  expect((await get("/")).body).toContain("newer");
});

test("each answer has a nonce of its own, which is the only thing that lets a script run", async () => {
  const nonces = [];
  for (const answer of [await get("/"), await get("/")]) {
    const policy = String(answer.headers["content-security-policy"]);
    const nonce = /nonce="([^"]{22,})"/.exec(answer.body)?.[1];
    expect(policy).toContain(`script-src 'nonce-${nonce}' 'strict-dynamic';`);
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("default-src 'none'");
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-frame-options": "DENY" });
    nonces.push(nonce);
  }
  expect(nonces[0]).not.toBe(nonces[1]);
});

test("an asset is kept for ever, compressed for who takes that, and no other file is served", async () => {
  const plain = await get("/assets/x-1.js");
  expect([plain.body, plain.headers["content-encoding"]]).toEqual(["plain", undefined]);
  const compressed = await get("/assets/x-1.js", { "accept-encoding": "gzip, br" });
  expect([compressed.body, compressed.headers["content-encoding"]]).toEqual(["brotli", "br"]);
  expect(compressed.headers).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": "text/javascript; charset=utf-8",
    vary: "accept-encoding",
  });
  for (const name of ["x-2.js", "x-1.js.br", "../index.html", "..%2findex.html"])
    expect((await get(`/assets/${name}`)).statusCode, name).toBe(404);
});

test("a document in a frame can do nothing, and no other site can show one", async () => {
  const show = (by: Record<string, string>) =>
    app.inject({
      method: "POST",
      url: "/frame",
      headers: { "content-type": "text/plain", host: "tidings.test", ...by },
      payload: "html=<b>Hello</b>",
    });
  const shown = await show({ "sec-fetch-site": "same-origin" });
  expect(shown.body).toBe("<b>Hello</b>");
  expect(shown.headers["content-security-policy"]).toMatch(/^sandbox; default-src 'none'; img-src https: data:;/);
  expect((await show({ origin: "http://tidings.test" })).statusCode).toBe(200);
  for (const by of [{ "sec-fetch-site": "cross-site" }, { origin: "http://evil.test" }, { origin: "null" }, {}])
    expect((await show(by as Record<string, string>)).statusCode, JSON.stringify(by)).toBe(400);
});
