import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formOf, imageForm, pngOf } from "../../test/support/images.ts";
import { s3Emulator } from "../../test/support/providers/s3.ts";
import { testClock, testService } from "../../test/support/service.ts";
import { atEnd } from "../../test/support/wait.ts";
import { sql } from "../platform/db/index.ts";
import { clear } from "./remove.ts";

const folder = await mkdtemp(join(tmpdir(), "tidings-media-"));
atEnd(() => rm(folder, { recursive: true, force: true }));
const clock = testClock();
const it = await testService({ clock, env: { DATA_DIR: folder, MEDIA_QUOTA_MIB: "1" } });
const upload = (file: Buffer, more: Record<string, string> = {}, headers: Record<string, string> = {}) => {
  const { raw, headers: own } = imageForm(file, more);
  return it.call("POST", "/api/v1/media", { raw, headers: { ...own, ...headers } });
};
const get = (path: string, headers: Record<string, string> = {}) => it.call("GET", path, { key: null, headers });
const pathOf = (url: string) => new URL(url).pathname;
const files = async () =>
  (await readdir(join(folder, "media"), { recursive: true })).filter((name) => name.includes("."));

test("an image is uploaded, shown at an address that is cached for ever, named and removed", async () => {
  const { status, body, headers } = await upload(pngOf(20, 10, 1), { alt: "A square" });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    id: expect.stringMatching(/^img_/),
    name: "image.png",
    alt: "A square",
    kind: "png",
    width: 20,
    height: 10,
    frames: 1,
    bytes: expect.any(Number),
    url: `http://localhost:0/media/${body.file}`,
  });
  const shown = await get(pathOf(body.url));
  expect(shown).toMatchObject({
    status: 200,
    headers: {
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-length": String(body.bytes),
    },
  });
  expect(shown.headers["set-cookie"]).toBeUndefined();
  const again = await get(pathOf(body.url), { "if-none-match": shown.headers.etag ?? "" });
  expect(again).toMatchObject({ status: 304, body: "" });
  expect(await get(pathOf(body.thumbnail_url))).toMatchObject({
    status: 200,
    headers: { "content-type": "image/webp" },
  });

  const path = `/api/v1/media/${body.id}`;
  const named = await it.call("PATCH", path, {
    body: { name: "Logo", alt: null },
    headers: { "if-match": headers.etag ?? "" },
  });
  expect(named).toMatchObject({ status: 200, body: { name: "Logo", alt: null, url: body.url } });
  expect((await it.call("GET", "/api/v1/media?q=logo&counts=true&kind=png&sort=-bytes")).body).toMatchObject({
    data: [{ id: body.id }],
    counts: { total: 1, by_kind: { png: 1, jpeg: 0, gif: 0, webp: 0 } },
  });
  expect((await it.call("DELETE", path, { headers: { "if-match": headers.etag ?? "" } })).status).toBe(412);
  expect((await it.call("DELETE", path)).status).toBe(204);
  expect(await get(pathOf(body.url))).toMatchObject({
    status: 404,
    headers: { "cache-control": "no-store" },
    body: { code: "not_found" },
  });
  expect((await it.call("GET", path)).status).toBe(404);
  expect(await files()).toEqual([]);
});

test("what shows an image is named, by its address or that of its thumbnail", async () => {
  const { body: image } = await upload(pngOf(9, 9, 77));
  const users = async () => (await it.call("GET", `/api/v1/media/${image.id}/users`)).body.data;
  expect(await users()).toEqual([]);
  const img = `<img src="${image.url}" alt="">`;
  const make = async (path: string, body: object) => {
    const answer = await it.call("POST", `/api/v1${path}`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id as string;
  };
  const email = { subject: "S", body: img, from: "a@example.test" };
  const trigger = { type: "api" };
  const made = {
    email_template: await make("/email-templates", { name: "T", subject: "S", body: img }),
    email_layout: await make("/email-layouts", { name: "L", body: `${img}{{ content }}` }),
    snippet: await make("/snippets", { name: "s", body: img }),
    transactional: await make("/transactionals", {
      name: "R",
      channel: "email",
      subscription_preference: "all",
      content: email,
    }),
    in_app_message: await make("/in-app-messages", {
      name: "M",
      render_type: "modal",
      body: "b",
      image_url: image.thumbnail_url,
    }),
    broadcast: await make("/broadcasts", { name: "B", channel: "email", audience: { all: [] }, content: email }),
    campaign: await make("/campaigns", {
      name: "C",
      trigger,
      steps: [{ id: "hi", type: "message", channel: "email", content: email }],
    }),
  };
  await make("/snippets", { name: "other", body: "no image" });
  const found = Object.fromEntries((await users()).map(({ type, id }: { type: string; id: string }) => [type, id]));
  expect(found).toEqual(made);
});

test("the same image again is the one that is there; four at once make one, and another workspace has its own", async () => {
  const answers = await Promise.all([2, 2, 2, 2].map((seed) => upload(pngOf(9, 9, seed), { name: "Same" })));
  expect(answers.every(({ status }) => [200, 201].includes(status))).toBe(true);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await upload(pngOf(9, 9, 2), { name: "Other name" })).toMatchObject({ status: 200, body: { name: "Same" } });
  const { id, url } = answers[0]?.body ?? {};
  const log = (await it.call("GET", `/api/v1/audit?resource=${id}`)).body.data;
  expect(log.map(({ action }: { action: string }) => action)).toEqual(["image.created"]);

  const other = await it.another();
  const { raw, headers } = imageForm(pngOf(9, 9, 2));
  const theirs = await it.call("POST", "/api/v1/media", { key: other.secretKey, raw, headers });
  expect(theirs.status).toBe(201);
  expect(theirs.body.url).not.toBe(url);
  await it.call("DELETE", `/api/v1/media/${theirs.body.id}`, { key: other.secretKey });
  expect((await get(pathOf(url))).status).toBe(200);
});

test("an Idempotency-Key gives the first answer again, and is refused with another image", async () => {
  const key = { "idempotency-key": "upload-1" };
  const first = await upload(pngOf(5, 5, 3), {}, key);
  const second = await upload(pngOf(5, 5, 3), {}, key);
  expect(second).toMatchObject({ status: 201, body: first.body, headers: { "idempotent-replayed": "true" } });
  expect((await upload(pngOf(5, 5, 4), {}, key)).body.code).toBe("idempotency_key_reused");
});

test("a form that is wrong is refused with the field", async () => {
  const image = { name: "file", filename: "a.png", data: pngOf(3, 3, 5) };
  const post = (form: { raw: Buffer; headers: Record<string, string> }) => it.call("POST", "/api/v1/media", form);
  const at = async (...parts: Parameters<typeof formOf>[0]) => {
    const { status, body } = await post(formOf(parts));
    return [status, body.errors?.[0].pointer, body.errors?.[0].message];
  };
  expect(await at(image, image)).toEqual([400, "/file", "is there twice: send one image at a time"]);
  expect(await at({ name: "name", data: "x" })).toEqual([400, "/file", expect.stringContaining("is missing")]);
  expect(await at({ ...image, data: "" })).toEqual([400, "/file", "is empty"]);
  expect(await at({ ...image, name: "picture" })).toEqual([400, "/picture", expect.stringContaining("no file")]);
  expect(await at(image, { name: "colour", data: "x" })).toEqual([400, "/colour", "is not known"]);
  expect(await at(image, { name: "alt", data: "x".repeat(501) })).toEqual([
    400,
    "/alt",
    expect.stringContaining("500"),
  ]);
  expect(await at(image, { name: "name", data: "a\nb" })).toEqual([
    400,
    "/name",
    expect.stringContaining("line breaks"),
  ]);
  const { raw, headers } = formOf([image]);
  expect(await post({ raw: raw.subarray(0, raw.length - 20), headers })).toMatchObject({ status: 400 });
  expect(await post({ raw, headers: { "content-type": "multipart/form-data" } })).toMatchObject({ status: 400 });
  expect(await post({ raw: Buffer.alloc(0), headers })).toMatchObject({ status: 400 });
  expect(await post({ raw: Buffer.from("{}"), headers: { "content-type": "application/json" } })).toMatchObject({
    status: 415,
    body: { detail: expect.stringContaining("multipart/form-data") },
  });
  const typed = formOf([{ ...image, filename: "../../etc/évil\0.svg", type: "text/html" }]);
  expect(await post(typed)).toMatchObject({ status: 201, body: { name: "évil.svg", kind: "png" } });
});

test("what is no image, or too large a one, is refused with a code of its own", async () => {
  expect(await upload(Buffer.from("<svg/>"))).toMatchObject({ status: 422, body: { code: "image_refused" } });
  expect(await upload(pngOf(16_000, 2_000, 1))).toMatchObject({ status: 422, body: { code: "image_too_large" } });
  const large = Buffer.concat([pngOf(3, 3, 9), Buffer.alloc(10 * 1024 * 1024)]);
  expect(await upload(large)).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  const exact = Buffer.concat([pngOf(3, 3, 9), Buffer.alloc(10 * 1024 * 1024 - pngOf(3, 3, 9).length)]);
  expect((await upload(exact)).status).toBe(201);
});

test("a body that says to be too large is refused before it is sent", async () => {
  const address = new URL(await it.service.listen());
  const socket = connect(Number(address.port), "127.0.0.1");
  socket.write(
    `POST /api/v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.secretKey}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 99999999\r\n\r\n--b\r\n`,
  );
  const [head] = (await socket.toArray()).join("").split("\r\n");
  expect(head).toBe("HTTP/1.1 413 Payload Too Large");
});

test("a workspace has room for so many bytes, and removing an image makes room", async () => {
  const other = await it.another();
  const as = { key: other.secretKey };
  const { raw, headers } = imageForm(pngOf(12, 12, 6));
  const one = await it.call("POST", "/api/v1/media", { ...as, raw, headers });
  await it.service.ground.db.execute(
    sql`update media set bytes = ${1024 * 1024 - 100} where workspace_id = ${other.workspaceId}`,
  );
  const more = imageForm(pngOf(12, 12, 7));
  const full = await it.call("POST", "/api/v1/media", { ...as, ...more });
  expect(full).toMatchObject({
    status: 409,
    body: { code: "limit_reached", detail: expect.stringContaining("1 MiB") },
  });
  // The image that is there needs no room.
  expect((await it.call("POST", "/api/v1/media", { ...as, raw, headers })).status).toBe(200);
  await it.call("DELETE", `/api/v1/media/${one.body.id}`, as);
  expect((await it.call("POST", "/api/v1/media", { ...as, ...more })).status).toBe(201);
});

test("a store that can't write answers 503; what that and a killed process leave is removed by the job", async () => {
  const { db } = it.service.ground;
  const before = await files();
  await writeFile(join(folder, "blocked"), "");
  const blocked = await testService({ databaseUrl: it.databaseUrl, env: { DATA_DIR: join(folder, "blocked") } });
  const { raw, headers } = imageForm(pngOf(7, 7, 8));
  expect(await blocked.call("POST", "/api/v1/media", { raw, headers })).toMatchObject({
    status: 503,
    headers: { "retry-after": "5" },
    body: { code: "unavailable" },
  });
  const states = async () =>
    (await db.query<{ state: string }>(sql`select state from media where state <> 'stored'`)).map(({ state }) => state);
  expect(await states()).toEqual(["storing"]);
  // Another image was written, and its process was killed before the row said so.
  const lost = await upload(pngOf(7, 7, 9));
  await db.execute(sql`update media set state = 'storing' where file = ${lost.body.file}`);
  expect((await it.call("GET", `/api/v1/media/${lost.body.id}`)).status).toBe(404);
  await clear(it.service.ground);
  expect(await states()).toHaveLength(2);
  clock.forward(2 * 3_600_000);
  await clear(it.service.ground);
  expect(await states()).toEqual([]);
  expect(await files()).toEqual(before);
});

test("while an image is decoded, other requests are answered", async () => {
  let decoded = false;
  const uploading = upload(pngOf(2_000, 1_500, 1)).then(({ status }) => {
    decoded = true;
    return status;
  });
  for (let i = 0; i < 20; i++) expect((await it.call("GET", "/api/v1/media")).status).toBe(200);
  expect(decoded).toBe(false);
  expect(await uploading).toBe(201);
});

test("images can be kept in a bucket of S3, whose faults are 503", async () => {
  const s3 = await s3Emulator("AKIDEXAMPLE", "secret/with+signs");
  const env = {
    MEDIA_S3_BUCKET: "images",
    MEDIA_S3_ENDPOINT: s3.url,
    MEDIA_S3_ACCESS_KEY_ID: "AKIDEXAMPLE",
    MEDIA_S3_SECRET_ACCESS_KEY: "secret/with+signs",
    MEDIA_URL: "https://images.example.com/",
  };
  const other = await testService({ env });
  const form = imageForm(pngOf(11, 4, 2));
  const { status, body } = await other.call("POST", "/api/v1/media", form);
  expect(status).toBe(201);
  expect(body.url).toBe(`https://images.example.com/${body.file}`);
  expect([...s3.files.keys()].toSorted()).toEqual([body.file, body.thumbnail_file].toSorted());
  expect(s3.files.get(body.file)).toMatchObject({ type: "image/png", cache: expect.stringContaining("immutable") });
  const shown = () => other.call("GET", `/media/${body.file}`, { key: null });
  expect(await shown()).toMatchObject({ status: 200, headers: { "content-type": "image/png" } });
  expect((await other.call("GET", `/media/${"0".repeat(40)}.png`, { key: null })).status).toBe(404);

  s3.fails = 503;
  expect(await shown()).toMatchObject({ status: 503, body: { code: "unavailable" } });
  const refused = await other.call("POST", "/api/v1/media", imageForm(pngOf(11, 4, 3)));
  expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  // It is removed for its workspace, and from the bucket once that works again.
  expect((await other.call("DELETE", `/api/v1/media/${body.id}`)).status).toBe(204);
  s3.fails = undefined;
  expect(s3.files.size).toBe(2);
  await other.service.ground.db.execute(sql`update media set updated_at = updated_at - interval '2 hours'`);
  await clear(other.service.ground);
  expect(s3.files.size).toBe(0);

  const wrong = await testService({ env: { ...env, MEDIA_S3_SECRET_ACCESS_KEY: "another" } });
  expect((await wrong.call("POST", "/api/v1/media", form)).status).toBe(503);
});
