import { expect, test } from "vitest";
import { testClock, testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";
import { forgetRefused } from "./jobs.ts";

const clock = testClock("2026-03-01T12:00:00.000Z");
const it = await testService({ clock });
const { ground } = it.service;
const gateway = (path: string, body: unknown, method: "POST" | "PUT" = "POST") =>
  it.call(method, `/data-gateway/v1${path}`, { body, key: it.publicKey });
const url = "/api/v1/ingestion/rejected";
const rejected = async (query = "", key = it.secretKey) => (await it.call("GET", `${url}${query}`, { key })).body.data;
/** The log is written a moment after the answer. */
const noted = (query: string, count = 1) =>
  until(async () => {
    const found = await rejected(query);
    return found.length >= count && found;
  }, `${count} refused with ${query}`);
const counts = async () => (await it.call("GET", `${url}/counts`)).body;

test("refused data is in the log with its reason, its index, its person and an excerpt without secrets", async () => {
  const wrong = { person_id: "ada", attributes: { email: "no address", note: "x".repeat(500) }, token: "t" };
  const answer = await gateway("/identify", wrong);
  expect(answer.status).toBe(400);
  expect(await noted("?person_id=ada")).toEqual([
    {
      id: expect.stringMatching(/^rej_/),
      at: "2026-03-01T12:00:00.000Z",
      route: "POST /data-gateway/v1/identify",
      item: null,
      request_id: answer.headers["x-request-id"],
      person_id: "ada",
      code: "invalid_request",
      reason: answer.body.detail,
      errors: answer.body.errors,
      data: {
        person_id: "ada",
        attributes: { email: "no address", note: `${"x".repeat(120)}... (500 characters)` },
        token: "[redacted]",
      },
    },
  ]);
  const [item] = await rejected("?person_id=ada");
  expect((await it.call("GET", `${url}/${item.id}`)).body).toEqual(item);
});

test("an item of a batch has its index, and stored items leave no entry", async () => {
  const items = [
    { type: "track", person_id: "bob", eventName: "taken" },
    { type: "track", person_id: "bob" },
    null,
    { type: "track", person_id: "bob", eventName: "big", properties: { text: "x".repeat(33_000) } },
    { type: "track", person_id: "bob", eventName: "late", ts: "2026-02-30T00:00:00Z" },
    { type: "track", person_id: "bob", eventName: "screen_view", properties: { screen: "[object Object]" } },
  ];
  expect((await gateway("/batch", { items })).status).toBe(200);
  const found = await noted("?person_id=bob", 4);
  expect(found.map((row: { item: number; code: string }) => [row.item, row.code])).toEqual([
    [5, "screen_name"],
    [4, "invalid_request"],
    [3, "payload_too_large"],
    [1, "invalid_request"],
  ]);
  expect(found[1].errors).toMatchObject([{ pointer: "/ts" }]);
  expect((await rejected("?code=invalid_request")).map((row: { item: number | null }) => row.item)).toContain(2);
});

test.each([
  ["/devices", "PUT", { person_id: "cleo", platform: "pager", token: "secret-token" }, "invalid_request"],
  ["/track", "POST", { person_id: "cleo", eventName: "screen_view", properties: {} }, "screen_name"],
  ["/track", "POST", { person_id: "cleo", eventName: "x", ts: 5 }, "invalid_request"],
] as const)("%s with %j is noted", async (path, method, body, code) => {
  const before = (await rejected("?person_id=cleo")).length;
  await gateway(path, body, method);
  const [newest] = await noted("?person_id=cleo", before + 1);
  expect(newest).toMatchObject({ code, route: `${method} /data-gateway/v1${path}` });
  expect(JSON.stringify(newest)).not.toContain("secret-token");
});

test("a body that can't be read is logged without an excerpt, and a call without a valid key is not logged", async () => {
  const call = (key: string, raw: string) => it.call("POST", "/data-gateway/v1/track", { key, raw });
  expect((await call(it.publicKey, '{"person_id": "\\u0000"}')).status).toBe(400);
  expect((await call("tid_pub_nobody", '{"person_id": "\\u0000"}')).status).toBe(401);
  const found = await until(async () => {
    const unread = (await rejected("?limit=200")).filter((row: { reason: string }) => /NUL/.test(row.reason));
    return unread.length > 0 && unread;
  }, "the NUL");
  expect(found).toMatchObject([{ person_id: null, data: null, code: "invalid_request" }]);
});

test("an erased person is not named, not even by data that an old phone still sends", async () => {
  await gateway("/identify", { person_id: "gone" });
  await gateway("/track", { person_id: "gone" });
  await noted("?person_id=gone");
  const { body } = await it.call("GET", "/api/v1/people/gone/export");
  expect(body.rejected_data).toMatchObject([{ code: "invalid_request", data: { person_id: "gone" } }]);
  expect((await it.call("DELETE", "/api/v1/people/gone")).status).toBe(204);
  expect(await rejected("?person_id=gone")).toEqual([]);

  expect((await gateway("/track", { person_id: "gone", eventName: "late" })).body).toEqual({
    event_id: expect.any(String),
    recorded: false,
  });
  expect((await gateway("/devices", { person_id: "gone", platform: "ios", token: "t" }, "PUT")).status).toBe(409);
  for (const row of await noted("?code=person_erased", 2)) expect(row).toMatchObject({ person_id: null, data: null });
  const rows = await ground.db.query({ text: "select * from rejected_data", values: [] });
  expect(JSON.stringify(rows)).not.toContain("gone");
});

test("a merge moves the refused data of the source", async () => {
  for (const person_id of ["from", "into"]) await gateway("/identify", { person_id });
  await gateway("/track", { person_id: "from" });
  await noted("?person_id=from");
  expect((await it.call("POST", "/api/v1/people/from/merge", { body: { into: "into" } })).status).toBe(200);
  expect(await rejected("?person_id=into")).toMatchObject([{ person_id: "from" }]);
});

test("of a flood some entries are kept and all are counted", async () => {
  const other = await it.another();
  const flood = (body: unknown) => it.call("POST", "/data-gateway/v1/track", { key: other.publicKey, body });
  for (let i = 0; i < 30; i++) expect((await flood({ person_id: "x" })).status).toBe(400);
  expect((await flood({ person_id: "x", eventName: "screen_view" })).status).toBe(202);
  const theirs = async () => (await it.call("GET", `${url}/counts`, { key: other.secretKey })).body;
  const all = await until(async () => {
    const found = await theirs();
    return found.rejected === 31 && found;
  }, "31 counted");
  const route = "POST /data-gateway/v1/track";
  expect(all.data).toMatchObject([
    { route, code: "invalid_request", rejected: 30, not_kept: 10, last_at: "2026-03-01T12:00:00.000Z" },
    { route, code: "screen_name", rejected: 1, not_kept: 0 },
  ]);
  expect(await rejected("?limit=200", other.secretKey)).toHaveLength(21);
  clock.forward(60_000);
  await flood({ person_id: "x" });
  await until(async () => (await rejected("?limit=200", other.secretKey)).length === 22, "the next minute");
});

test("pages and filters work as in every list, and wrong ones are 400", async () => {
  const all = await rejected("?limit=200");
  const first = await it.call("GET", `${url}?limit=2`);
  const second = await it.call("GET", `${url}?limit=2&cursor=${first.body.next_cursor}`);
  expect([...first.body.data, ...second.body.data]).toEqual(all.slice(0, 4));
  expect(await rejected("?since=2026-03-01T12:00:00.000Z&limit=200")).toHaveLength(all.length);
  expect(await rejected("?until=2026-03-01T12:00:00.000Z")).toEqual([]);
  expect(await rejected("?code=nonsense")).toEqual([]);
  for (const query of ["?since=2026-02-30T00:00:00Z", "?cursor=x", "?limit=0", "?person_id="])
    expect((await it.call("GET", url + query)).status, query).toBe(400);
  expect((await it.call("GET", url, { key: it.publicKey })).status).toBe(403);
});

test("if the database loses the entries they are written again, and no answer waits for that", async () => {
  const before = (await counts()).rejected;
  const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'into rejected_counts'`;
  await ground.db.transaction(async (tx) => {
    await tx.execute({ text: "lock table rejected_counts in access exclusive mode", values: [] });
    expect((await gateway("/track", { person_id: "dora" })).status).toBe(400);
    // Outside of this transaction, which would see the same activity for ever.
    await until(
      async () =>
        (await ground.db.query({ text: `select pg_terminate_backend(pid) ${waiting}`, values: [] })).length > 0,
      "the log to be written",
    );
    expect((await gateway("/track", { person_id: "dora" })).status).toBe(400);
  });
  await noted("?person_id=dora", 2);
  expect((await counts()).rejected).toBe(before + 2);
});

test("entries are deleted after 7 days, or with the workspace's events, or beyond the newest 10,000", async () => {
  const count = async () =>
    (await ground.db.query<{ n: number }>({ text: "select count(*) as n from rejected_data", values: [] }))[0]?.n;
  await it.call("PATCH", "/api/v1/workspace", { body: { retention: { events: 2 } } });
  const other = await it.another();
  await it.call("POST", "/data-gateway/v1/track", { key: other.publicKey, body: { person_id: "x" } });
  await until(async () => (await rejected("", other.secretKey)).length === 1, "theirs");
  clock.forward(3 * 86_400_000);
  await forgetRefused(ground);
  expect(await rejected()).toEqual([]);
  expect(await rejected("", other.secretKey)).toHaveLength(1);
  clock.forward(5 * 86_400_000);
  await ground.db.execute({
    text: `insert into rejected_data (workspace_id, id, at, route, request_id, code, reason)
      select $1, gen_random_uuid(), $2, 'r', 'r', 'c', 'r' from generate_series(1, 10600)`,
    values: [it.workspaceId, clock.now()],
  });
  await forgetRefused(ground);
  expect(await count()).toBe(10_000);
});
