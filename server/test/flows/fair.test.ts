import { connect } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { waitingForLocks } from "../support/database/locks.ts";
import { personKey } from "../../src/people/index.ts";
import { decodeId } from "../../src/platform/ids.ts";
import { type Answer, testService } from "../support/service.ts";
import { until } from "../support/wait.ts";

// One workspace tries to use the whole service; another still works.

const it = await testService();
const { db } = it.service.ground;
const other = await it.another("Other");

/** Holds a lock until `free`, so that statements that need it hang, as a filter over too many rows would. */
async function held(text: string, values: unknown[] = []): Promise<{ free(): void; waiting(): Promise<number> }> {
  const [lock, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = db.transaction(async (tx) => {
    await tx.execute({ text, values });
    lock.resolve();
    await end.promise;
  });
  onTestFinished(async () => {
    end.resolve();
    await done;
  });
  await lock.promise;
  return {
    free: end.resolve,
    waiting: () => waitingForLocks(db),
  };
}

const EVENTS = "lock table events in access exclusive mode";
const SLOW = { event: "bought", op: "performed" };
const QUICK = { attribute: "plan", op: "eq", value: "pro" };
const preview = (key: string, filter: object) =>
  it.call("POST", "/api/v1/audiences/preview", { key, body: { filter } });
const identify = (key: string, person_id: string) =>
  it.call("POST", "/data-gateway/v1/identify", {
    key,
    body: { person_id, attributes: { email: `${person_id}@example.test`, plan: "pro" } },
  });
const sync = (key: string) =>
  it.call("GET", "/data-gateway/v1/in-app/messages/sync?person_id=ada&screen=home", { key });
const trigger = (key: string) =>
  it.call("POST", "/data-gateway/transactionals/email", {
    key,
    body: { identifiers: { id: "ada" }, subject: "Hi", body: "<p>Hi</p>", from: "a@example.test" },
  });

// Resources with a unique name are created once for the file: a second try of a test could not create them again.
const made = async (url: string, body: object, key = it.secretKey): Promise<string> =>
  (await it.call("POST", url, { key, body })).body.id;
const buyers = await made("/api/v1/audiences", { name: "Buyers", filter: SLOW });
const [mine, theirs] = [
  await made("/api/v1/audiences", { name: "List", kind: "list" }),
  await made("/api/v1/audiences", { name: "List", kind: "list" }, other.secretKey),
];
for (const key of [it.secretKey, other.secretKey]) await identify(key, "ada");

describe("while previews of one workspace hang", () => {
  test("another one syncs, triggers and previews; the first is refused beyond its share, with the reason", async () => {
    const { free, waiting } = await held(EVENTS);
    const slow = Array.from({ length: 30 }, () => preview(it.secretKey, SLOW));
    await until(async () => (await waiting()) >= 2, "previews that hang");
    expect((await preview(other.secretKey, QUICK)).body).toMatchObject({ count: 1 });
    expect((await sync(other.secretKey)).status).toBe(200);
    expect((await trigger(other.secretKey)).status).toBe(202);
    expect((await sync(it.secretKey)).status).toBe(200);
    // All of this was answered while they hang, and only the workspace's share of them hangs.
    expect(await waiting()).toBe(2);
    const why = ({ body }: Answer): string => body.detail ?? "";
    const isStopped = (answer: Answer) => why(answer).includes("longer than 5 s");
    await Promise.any(slow.map(async (one) => expect(isStopped(await one)).toBe(true)));
    free();
    const answers = await Promise.all(slow);
    const refused = answers.filter((answer) => why(answer).includes("as many as it may"));
    const stopped = answers.filter(isStopped);
    const counted = answers.filter(({ status }) => status === 200);
    expect([refused.length, stopped.length + counted.length]).toEqual([20, 10]);
    expect(counted.length).toBeGreaterThan(0);
    for (const answer of [...refused, ...stopped]) {
      expect(answer).toMatchObject({ status: 429, body: { code: "busy" } });
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    }
  });
});

describe("while lists of one workspace hang", () => {
  const list = (key: string) => it.call("GET", "/api/v1/people/ada/events", { key });

  test("another one syncs, triggers and lists; the first is refused beyond its share", async () => {
    const { free, waiting } = await held(EVENTS);
    const slow = Array.from({ length: 220 }, () => list(it.secretKey));
    await until(async () => (await waiting()) >= 2, "lists that hang");
    expect((await sync(other.secretKey)).status).toBe(200);
    expect((await trigger(other.secretKey)).status).toBe(202);
    expect((await it.call("GET", "/api/v1/deliveries", { key: other.secretKey })).status).toBe(200);
    expect((await sync(it.secretKey)).status).toBe(200);
    expect(await waiting()).toBe(2);
    free();
    const answers = await Promise.all(slow);
    const refused = answers.filter(({ status }) => status === 429);
    const beyond = refused.filter(({ body }) => body.detail.includes("has 200 lists under way or waiting"));
    expect(beyond.length).toBe(20);
    for (const { body, headers } of refused)
      expect([body.code, Number(headers["retry-after"]) > 0]).toEqual(["busy", true]);
    expect(answers.filter(({ status }) => status === 200).length).toBe(220 - refused.length);
  });

  test("no list of the product API reads over the connections of requests", async () => {
    const ids: Record<string, string> = {
      audiences: buyers,
      webhooks: await made("/api/v1/webhooks", { url: "https://example.com/hook" }),
      campaigns: await made("/api/v1/campaigns", { name: "C", trigger: { type: "api" }, steps: [] }),
      "email-templates": await made("/api/v1/email-templates", { name: "T", subject: "Hi", body: "<p>Hi</p>" }),
    };
    const { paths } = (await it.call("GET", "/openapi.json", { key: null })).body;
    const lists = Object.keys(paths).filter(
      (path) =>
        path.startsWith("/api/v1/") &&
        // A stream also continues after a cursor.
        !paths[path].get?.responses["200"]?.content?.["text/event-stream"] &&
        paths[path].get?.parameters?.some(({ name }: { name: string }) => name === "cursor"),
    );
    expect(lists.length).toBeGreaterThan(20);
    for (const path of lists) {
      const url = path.replace("{person_id}", "ada").replace(/([\w-]+)\/\{id\}/, (_, of) => `${of}/${ids[of]}`);
      const asked = vi.spyOn(db, "query");
      expect([path, (await it.call("GET", url)).status]).toEqual([path, 200]);
      const texts = asked.mock.calls.map(([{ text }]) => text);
      asked.mockRestore();
      // The key is looked up at times, and the clock is compared with the database's.
      expect([path, texts.filter((text) => !/\bfrom api_keys\b|clock_timestamp/.test(text))]).toEqual([path, []]);
    }
  });
});

describe("while exports of one workspace hang", () => {
  test("another one exports, and the background work has all of its connections", async () => {
    const exported = () => it.call("GET", `/api/v1/audiences/${buyers}/export`);
    const { free, waiting } = await held(EVENTS);
    // The last to ask for its turn is refused, which need not be the third.
    const three = [exported(), exported(), exported()];
    expect(await Promise.race(three)).toMatchObject({
      status: 429,
      body: { code: "busy" },
      headers: { "retry-after": "5" },
    });
    await until(async () => (await waiting()) === 1, "an export that hangs");
    const file = await it.call("GET", "/api/v1/deliveries/export", { key: other.secretKey });
    expect(file).toMatchObject({ status: 200, headers: { "content-type": "text/csv; charset=utf-8" } });
    // One page of it is being read, the other export of the workspace waits, and neither uses the pool of sending.
    expect(await waiting()).toBe(1);
    free();
    expect((await Promise.all(three)).map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    expect((await exported()).status).toBe(200);
  });
});

describe("while files of one workspace are imported", () => {
  test("one batch of them is written at a time, a fifth file is refused, and another workspace's file is imported", async () => {
    const brought = (key: string, id: string, raw = "person_id\nada\n") =>
      it.call("POST", `/api/v1/audiences/${id}/import`, { key, raw, headers: { "content-type": "text/csv" } });
    const { free, waiting } = await held(
      "insert into audience_members (person_key, audience_id, workspace_id, added_at) values ($1, $2, $3, now())",
      [personKey(it.workspaceId, "ada"), decodeId("aud", mine), it.workspaceId],
    );
    const slow = Array.from({ length: 4 }, () => brought(it.secretKey, mine));
    await until(async () => (await waiting()) === 1, "a batch that hangs");
    const running = () => it.call("GET", "/api/v1/imports?status=running");
    await until(async () => (await running()).body.data.length === 4, "four files that are read in");
    await until(async () => (await brought(it.secretKey, mine, "nonsense")).body.code === "busy", "a refusal");
    expect(await brought(other.secretKey, theirs)).toMatchObject({ status: 200, body: { added: 1 } });
    expect(await waiting()).toBe(1);
    free();
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(200);
  });
});

describe("a client that never finishes its request", () => {
  test("is answered as soon as its headers are late, without waiting for Node's next check half a minute later", async () => {
    const origin = await it.service.listen();
    expect(it.service.app.server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000 });
    Object.assign(it.service.app.server, { headersTimeout: 100 });
    const socket = connect(Number(new URL(origin).port), "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: "));
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.on("data", (data) => (text += data));
    await until(() => text !== "", "an answer", 15_000);
    expect(text).toContain("408 Request Timeout");
  });
});
