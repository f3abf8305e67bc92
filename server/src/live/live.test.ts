import { request as httpRequest, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { browserOf } from "../../test/support/browser.ts";
import { testService } from "../../test/support/service.ts";
import { atEnd, until } from "../../test/support/wait.ts";
import { setupLink } from "../members/index.ts";
import { sql } from "../platform/db/index.ts";
import { encodeId } from "../platform/ids.ts";

const encryptionKey = randomBytes(32);
const it = await testService({ encryptionKey });
const second = await testService({ databaseUrl: it.databaseUrl, encryptionKey, roles: "api,worker" });
const here = await it.service.listen();
const there = await second.service.listen();

interface Sent {
  id: string | undefined;
  event: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests read data of every shape
  data: any;
}
interface Reader {
  response: IncomingMessage;
  text: () => string;
  sent: (event: string) => Sent[];
  ended: () => boolean;
}

const read = (block: string): Sent => {
  const line = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  const data = line("data");
  return { id: line("id"), event: line("event"), data: data && JSON.parse(data) };
};

interface Opening {
  key?: string;
  base?: string;
  headers?: object;
  /** A member's session, instead of a key. */
  cookie?: string;
}

async function open(
  query = "",
  { key = it.secretKey, base = here, headers = {}, cookie }: Opening = {},
): Promise<Reader> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(
      `${base}/api/v1/live${query}`,
      { headers: { ...(cookie ? { cookie } : { authorization: `Bearer ${key}` }), ...headers } },
      resolve,
    )
      .on("error", reject)
      .end();
  });
  let text = "";
  let ended = false;
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    text += chunk;
  });
  response.on("error", () => {});
  response.on("close", () => {
    ended = true;
  });
  atEnd(() => response.destroy());
  const sent = (event: string) =>
    text
      .split("\n\n")
      .map(read)
      .filter((one) => one.event === event);
  return { response, text: () => text, sent, ended: () => ended };
}

/** Opens a stream that follows the log already. */
async function following(query = "", options: Parameters<typeof open>[1] = {}): Promise<Reader> {
  const reader = await open(query, options);
  await until(() => /^id: /m.test(reader.text()), "its first id");
  return reader;
}
const identify = (person_id: string, key = it.secretKey) =>
  it.call("POST", "/data-gateway/v1/identify", { key, body: { person_id, attributes: { plan: "pro" } } });
const people = (reader: Reader) => reader.sent("activity").map(({ data }) => data.data.person_id);

test("the stream begins at once with the headers of an event stream, and refuses unknown kinds and strange cursors", async () => {
  const reader = await following();
  expect(reader.text()).toMatch(/^: connected\n\nretry: \d+\n\nid: [\w-]+\n\n$/);
  expect(reader.response.statusCode).toBe(200);
  expect(reader.response.headers).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  for (const query of ["?events=activity,all", "?cursor=strange", "?what=1"])
    expect(await it.call("GET", `/api/v1/live${query}`)).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    });
  expect((await it.call("GET", "/api/v1/live", { headers: { "last-event-id": "strange" } })).status).toBe(400);
  expect((await it.call("GET", "/api/v1/live", { key: it.publicKey })).status).toBe(403);
});

test("activity reaches the streams of its workspace on each node, in the form of GET /events, and no others", async () => {
  const other = await it.another();
  const readers = [await following(), await following("?events=activity", { base: there })];
  const [without, theirs] = [await open("?events=changed"), await following("", { key: other.secretKey })];
  await identify("ann");
  for (const reader of readers) {
    await until(() => reader.sent("activity").length === 1, "the entry");
    const feed = (await it.call("GET", "/api/v1/events?types=person.identified")).body.data;
    expect(reader.sent("activity")[0]?.data).toEqual(feed.at(-1));
    expect(reader.sent("activity")[0]?.data).toMatchObject({ type: "person.identified", data: { person_id: "ann" } });
  }
  expect([without.sent("activity"), theirs.sent("activity")]).toEqual([[], []]);
});

test("a stream that was cut continues after its last event and misses none, also far behind and on another node", async () => {
  const first = await following("?events=activity");
  await identify("before");
  await until(() => first.sent("activity").length === 1, "the first entry");
  const { id = "" } = first.sent("activity")[0] as Sent;
  const start = /^id: (.*)$/m.exec(first.text())?.[1] ?? "";
  first.response.destroy();
  const names = Array.from({ length: 450 }, (_, i) => `missed ${i}`);
  const items = names.map((person_id) => ({ type: "identify", person_id, attributes: {} }));
  await it.call("POST", "/data-gateway/v1/batch", { body: { items } });
  await identify("last");
  for (const [from, base] of [
    [id, there],
    [id, here],
    [start, there],
  ] as const) {
    const again = await open("?events=activity", { base, headers: { "last-event-id": from } });
    await until(() => people(again).includes("last"), "the newest entry");
    expect(
      people(again)
        .filter((one) => one !== "before")
        .toSorted(),
    ).toEqual([...names, "last"].toSorted());
    expect(new Set(again.sent("activity").map((one) => one.id)).size).toBe(again.sent("activity").length);
    expect(people(again).includes("before")).toBe(from === start);
  }
  const fed = (await it.call("GET", `/api/v1/events?cursor=${id}&limit=1`)).body;
  const resumed = await open(`?cursor=${fed.next_cursor}&events=activity`);
  await until(() => people(resumed).length === 450, "all but the one that GET /events had");
});

test("entries that an older transaction holds back come when it ends, in their order and once", async () => {
  const reader = await following("?events=activity");
  const { db } = it.service.ground;
  const held = Promise.withResolvers<void>();
  const long = db.transaction(async (tx) => {
    await tx.execute(sql`select pg_current_xact_id()`);
    await held.promise;
  });
  await sleep(100);
  await identify("held back");
  await sleep(1_500);
  expect(people(reader)).toEqual([]);
  held.resolve();
  await long;
  await until(() => people(reader).includes("held back"), "the entry");
  expect(people(reader)).toEqual(["held back"]);
});

test("a hundred streams of one workspace read its log once a second, and none reads when all are gone", async () => {
  const mine = await it.another();
  const readers = await Promise.all(Array.from({ length: 100 }, () => following("", { key: mine.secretKey })));
  const query = vi.spyOn(it.service.ground.listDb, "query");
  const reads = () => query.mock.calls.filter(([{ text }]) => text.includes("with mark as materialized")).length;
  const since = performance.now();
  for (let i = 0; i < 3; i++) {
    await identify(`crowd ${i}`, mine.secretKey);
    await sleep(300);
  }
  await until(() => readers.every((reader) => people(reader).length === 3), "all entries in all streams");
  // The three entries take a second, and more only where the machine is slow.
  const seconds = Math.max(1, Math.floor((performance.now() - since) / 1_000));
  expect(reads()).toBeLessThanOrEqual(3 + seconds);
  for (const { response } of readers) response.destroy();
  await sleep(400);
  query.mockClear();
  await identify("nobody listens", mine.secretKey);
  await sleep(1_300);
  expect(reads()).toBe(0);
  query.mockRestore();
});

test("a change by the product API is told with its type and id; calls that only look, and failed ones, are not", async () => {
  const reader = await following("?events=changed,activity", { base: there });
  const { id } = (await it.call("POST", "/api/v1/audiences", { body: { name: "Live", kind: "list" } })).body;
  await it.call("PATCH", `/api/v1/audiences/${id}`, { body: { name: "Lively" } });
  await it.call("PATCH", `/api/v1/audiences/${id}`, { body: { name: "" } });
  await it.call("GET", `/api/v1/audiences/${id}`);
  await it.call("POST", "/api/v1/audiences/preview", { body: { filter: { attribute: "plan", op: "exists" } } });
  const looked = await it.call("POST", "/api/v1/email-templates/preview-texts", { body: { body: "<p>Hello</p>" } });
  expect(looked.status).toBe(200);
  await it.call("PATCH", "/api/v1/workspace", { body: { name: "Live" } });
  await until(() => reader.sent("changed").some(({ data }) => data.type === "workspace"), "the last change");
  const told = reader.sent("changed").map(({ data }) => data);
  expect(told.filter(({ type }) => type === "workspace")).toEqual([{ type: "workspace", id: null }]);
  expect(told.filter(({ type }) => type === "email-templates")).toEqual([]);
  const audiences = told.filter(({ type }) => type === "audiences");
  expect(new Set(audiences.map((one) => one.id))).toEqual(new Set([id]));
  expect(told).toHaveLength(audiences.length + 1);
  const many = Array.from({ length: 60 }, (_, i) =>
    it.call("POST", "/api/v1/topics", { body: { name: `Topic ${i}`, default: "subscribed" } }),
  );
  await Promise.all(many);
  await until(() => reader.sent("changed").some(({ data }) => data.type === "topics"), "changed topics");
});

test("an import and a broadcast tell how far they are, until they are done", async () => {
  const reader = await open("?events=progress");
  const { id } = (await it.call("POST", "/api/v1/audiences", { body: { name: "Imported", kind: "list" } })).body;
  const lines = Array.from({ length: 30 }, (_, i) => `file ${i}`);
  const file = await fetch(`${there}/api/v1/audiences/${id}/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${it.secretKey}`, "content-type": "text/csv" },
    body: ["person_id", ...lines].join("\n"),
  });
  const imported = (await file.json()) as { id: string };
  await until(() => reader.sent("progress").some(({ data }) => data.status === "done"), "the end of the import");
  expect(reader.sent("progress").at(-1)?.data).toMatchObject({
    type: "imports",
    id: imported.id,
    status: "done",
    progress: { rows: 30 },
  });
  for (const line of lines.slice(0, 3)) await identify(line);
  const message = { name: "m", render_type: "modal", body: "b" };
  const made = (await it.call("POST", "/api/v1/in-app-messages", { body: message })).body;
  const body = { name: "b", channel: "in_app", audience_id: id, message_id: made.id };
  const broadcast = (await it.call("POST", "/api/v1/broadcasts", { body })).body;
  expect(
    (await it.call("POST", `/api/v1/broadcasts/${broadcast.id}/send`, { body: { allow_empty: true } })).status,
  ).toBeLessThan(300);
  const of = () => reader.sent("progress").filter(({ data }) => data.id === broadcast.id);
  await until(() => of().some(({ data }) => data.status === "sent"), "the end of the broadcast");
  const now = (await it.call("GET", `/api/v1/broadcasts/${broadcast.id}`)).body;
  expect(of().at(-1)?.data).toEqual({ type: "broadcasts", id: broadcast.id, status: "sent", progress: now.progress });
});

test("a stream ends within 5 s when its key is revoked, on any node, and others stay", async () => {
  const made = (await it.call("POST", "/api/v1/api-keys", { body: { kind: "secret", scopes: ["read"] } })).body;
  const readers = [await following("", { key: made.key }), await following("", { key: made.key, base: there })];
  const stays = await following();
  const start = Date.now();
  expect((await it.call("DELETE", `/api/v1/api-keys/${made.id}`)).status).toBe(204);
  await until(() => readers.every((reader) => reader.ended()), "the end of both streams");
  expect(Date.now() - start).toBeLessThan(5_000);
  expect(readers[0]?.text()).toMatch(/retry: \d+\n\n$/);
  expect(stays.ended()).toBe(false);
});

test("a member's stream lasts as long as the session and the membership of its workspace", async () => {
  const browser = browserOf(it);
  const token = (await setupLink(it.service.ground.db, "http://localhost", new Date()))?.split("#token=")[1];
  await browser.post("/setup", { email: "ada@example.org", password: "correct horse battery", token });
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const reader = await following(`?workspace=${encodeId("ws", it.workspaceId)}`, { cookie });
  await identify("seen-by-ada");
  await until(() => people(reader).includes("seen-by-ada"), "the person on the stream");
  // Changes of keys make all processes check at once.
  await it.call("POST", "/api/v1/api-keys", { body: { kind: "public" } });
  await identify("seen-later");
  await until(() => people(reader).includes("seen-later"), "the next person on the stream");
  expect(reader.ended()).toBe(false);
  await it.service.ground.db.execute(sql`delete from memberships where workspace_id = ${it.workspaceId}`);
  await until(() => reader.ended(), "the end of the stream");
});

test("a stop ends streams with a hint when to come back, and the next one continues", async () => {
  const third = await testService({ databaseUrl: it.databaseUrl, encryptionKey });
  const reader = await following("", { base: await third.service.listen() });
  await third.service.stop();
  await until(() => reader.ended(), "the end of the stream");
  expect(reader.text()).toMatch(/retry: \d+\n\n$/);
});
