import { describe, expect, test } from "vitest";
import { waitingForLocks } from "../../test/support/database/locks.ts";
import { testService } from "../../test/support/service.ts";
import { until } from "../../test/support/wait.ts";
import { decodeId } from "../platform/ids.ts";
import { discardTopic } from "../subscriptions/preferences/topic.ts";

const it = await testService();
const post = (url: string, body: unknown) => it.call("POST", `/api/v1${url}`, { body });
const identify = (person_id: string, attributes: object) =>
  it.call("POST", "/data-gateway/v1/identify", { body: { person_id, attributes } });
const track = (person_id: string, eventName: string, properties: object = {}) =>
  it.call("POST", "/data-gateway/v1/track", { body: { person_id, eventName, properties } });
const made = async (name: string, filter: object) => (await post("/audiences", { name, filter })).body.id as string;
const membersOf = async (id: string): Promise<string[]> => {
  const found: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const answer = await it.call("GET", `/api/v1/audiences/${id}/members?limit=1${cursor && `&cursor=${cursor}`}`);
    expect(answer.status).toBe(200);
    found.push(...answer.body.data.map((one: { person_id: string }) => one.person_id));
    cursor = answer.body.next_cursor;
  }
  return found.sort();
};

await identify("ada", { email: "ada@example.test", plan: "pro", logins: 12 });
await identify("bob", { email: "bob@example.test", plan: "free", logins: 3 });
await identify("=cmd", { email: "eve@example.test", plan: "pro" });
for (const order of [20, 5]) await track("ada", "order_placed", { total: order });
await track("bob", "order_placed", { total: 5 });

const PRO = { attribute: "plan", op: "eq", value: "pro" };
const BOUGHT_TWICE = {
  event: "order_placed",
  op: "performed",
  count: { gte: 2 },
  within: { amount: 30, unit: "days" },
};

const any = expect.any(String);

describe("an audience", () => {
  test("is created, listed, read, changed and removed, and lists its members", async () => {
    const answer = await post("/audiences", { name: "Buyers", filter: { all: [PRO, BOUGHT_TWICE] } });
    expect(answer).toMatchObject({ status: 201, body: { kind: "filter", used_by: [], filter: { all: [PRO, {}] } } });
    const url = `/api/v1/audiences/${answer.body.id}`;
    expect(await membersOf(answer.body.id)).toEqual(["ada"]);
    const changed = await it.call("PATCH", url, { body: { filter: PRO } });
    expect(changed).toMatchObject({ status: 200, body: { name: "Buyers", filter: PRO } });
    expect(await membersOf(answer.body.id)).toEqual(["=cmd", "ada"]);
    expect((await it.call("GET", "/api/v1/audiences")).body.data).toEqual([
      { id: answer.body.id, name: "Buyers", kind: "filter", created_at: any, updated_at: any },
    ]);
    expect((await post("/audiences", { name: "buyers", filter: PRO })).status).toBe(409);
    expect((await it.call("DELETE", url)).status).toBe(204);
    expect((await it.call("GET", url)).status).toBe(404);
  });

  test("shows a count and a sample for a filter that is not saved, also if nobody matches", async () => {
    expect((await post("/audiences/preview", { filter: { not: PRO } })).body).toEqual({
      count: 1,
      sample: [{ person_id: "bob" }],
    });
    const nobody = { attribute: "plan", op: "contains", value: ".*" };
    expect((await post("/audiences/preview", { filter: nobody })).body).toEqual({ count: 0, sample: [] });
    expect((await post("/audiences/preview", { filter: { all: [] } })).body.count).toBe(3);
  });

  test("explains why a person is in it or not", async () => {
    const id = await made("Why", { all: [PRO, BOUGHT_TWICE] });
    const why = (person: string) => it.call("GET", `/api/v1/audiences/${id}/people/${encodeURIComponent(person)}`);
    expect((await why("ada")).body).toMatchObject({
      in: true,
      because: 'In, because plan is "pro", asked: eq "pro"; and 2 order_placed in the last 30 days, asked: at least 2.',
      verdict: { kind: "all", pass: true, of: [{ pass: true }, { pass: true }] },
    });
    expect((await why("bob")).body).toMatchObject({
      in: false,
      because: 'Not in, because plan is "free", asked: eq "pro".',
    });
    expect((await why("=cmd")).body.because).toBe(
      "Not in, because 0 order_placed in the last 30 days, asked: at least 2.",
    );
    expect(await why("nobody")).toMatchObject({ status: 404, body: { code: "person_not_found" } });
  });

  test("tests what happened to messages, and the properties of events", async () => {
    const filter = { event: "order_placed", op: "performed", where: [{ property: "total", op: "gt", value: 10 }] };
    expect((await post("/audiences/preview", { filter })).body.sample).toEqual([{ person_id: "ada" }]);
    const message = (await post("/in-app-messages", { name: "Hi", render_type: "modal", body: "Hi" })).body;
    await post(`/in-app-messages/${message.id}/test-sends`, { person_id: "bob" });
    const sent = { message: "sent", source_id: message.id, op: "performed" };
    const unseen = { all: [sent, { message: "shown", source_id: message.id, op: "not_performed" }] };
    expect((await post("/audiences/preview", { filter: unseen })).body.sample).toEqual([{ person_id: "bob" }]);
  });

  test("explains conditions with the names of sources, or the id if a source is gone", async () => {
    const content = { subject: "x", body: "y", from: "a@example.test" };
    const email = { channel: "email", name: "Receipt", subscription_preference: "all", content };
    const receipt = (await post("/transactionals", email)).body.id;
    const hi = (await post("/in-app-messages", { name: "Hello", render_type: "modal", body: "Hi" })).body.id;
    const news = { name: "News X", channel: "in_app", message_id: hi, audience: { all: [] } };
    const broadcast = (await post("/broadcasts", news)).body.id;
    const topic = (await post("/topics", { name: "Travel", default: "unsubscribed" })).body.id;
    const shown = [receipt, hi, broadcast].map((source_id) => ({ message: "shown", op: "performed", source_id }));
    const inner = await made("Nested", { any: shown });
    const id = await made("Named", { any: [{ audience: inner }, { subscribed: true, topic }] });
    const why = async () => (await it.call("GET", `/api/v1/audiences/${id}/people/ada`)).body.because;
    expect(await why()).toBe(
      'Not in, because no message of "Receipt" was shown; and no message of "Hello" was shown; and no message of "News X" was shown; and is not subscribed to "Travel".',
    );
    await it.call("DELETE", `/api/v1/broadcasts/${broadcast}`);
    expect(await why()).toContain(`no message of ${broadcast} was shown`);
  });
});

describe("an audience in another", () => {
  test("can't be removed while it is used, and changes only with even_if_used", async () => {
    const inner = await made("Inner", PRO);
    const outer = await made("Outer", { not: { audience: inner } });
    expect(await membersOf(outer)).toEqual(["bob"]);
    const used_by = [{ type: "audience", id: outer, name: "Outer" }];
    const url = `/api/v1/audiences/${inner}`;
    expect((await it.call("GET", url)).body.used_by).toEqual(used_by);
    expect(await it.call("DELETE", url)).toMatchObject({ status: 409, body: { code: "conflict", used_by } });
    const filter = { attribute: "plan", op: "eq", value: "free" };
    expect(await it.call("PATCH", url, { body: { filter } })).toMatchObject({ status: 409, body: { used_by } });
    expect((await it.call("PATCH", url, { body: { name: "Renamed" } })).status).toBe(200);
    expect((await it.call("PATCH", url, { body: { filter, even_if_used: true } })).status).toBe(200);
    expect(await membersOf(outer)).toEqual(["=cmd", "ada"]);
  });

  test("keeps the topic that its filter names from being removed", async () => {
    const topic = (await post("/topics", { name: "News", default: "subscribed" })).body.id;
    const id = await made("Readers", { all: [PRO, { not: { subscribed: false, topic } }] });
    expect(await membersOf(id)).toEqual(["=cmd", "ada"]);
    expect(await it.call("DELETE", `/api/v1/topics/${topic}`)).toMatchObject({
      status: 409,
      body: { code: "conflict", used_by: ["audience Readers"] },
    });
    await it.call("DELETE", `/api/v1/audiences/${id}`);
    expect((await it.call("DELETE", `/api/v1/topics/${topic}`)).status).toBe(204);
  });

  test("names no topic that is removed in the same moment", async () => {
    const topic = (await post("/topics", { name: "Short", default: "subscribed" })).body.id;
    const filter = { subscribed: true, topic };
    const { db } = it.service.ground;
    let stored: ReturnType<typeof post> | undefined;
    await db.transaction(async (tx) => {
      await discardTopic(tx, it.workspaceId, decodeId("top", topic) as string, async () => []);
      stored = post("/audiences", { name: "Late", filter });
      await until(async () => (await waitingForLocks(db)) > 0, "an audience that waits");
    });
    expect(await stored).toMatchObject({ status: 400, body: { errors: [{ pointer: "/filter" }] } });
  });

  test("can't contain itself through the other, also when both are changed at once", async () => {
    const first = await made("First", PRO);
    const second = await made("Second", { not: { audience: first } });
    const third = await made("Third", { any: [{ audience: second }] });
    for (const audience of [first, second, third]) {
      const body = { filter: { all: [{ audience }] }, even_if_used: true };
      const answer = await it.call("PATCH", `/api/v1/audiences/${first}`, { body });
      expect(answer).toMatchObject({ status: 422, body: { code: "audience_circle" } });
    }
    const [left, right] = [await made("Left", PRO), await made("Right", PRO)];
    const point = (from: string, to: string) =>
      it.call("PATCH", `/api/v1/audiences/${from}`, { body: { filter: { audience: to }, even_if_used: true } });
    const both = await Promise.all([point(left, right), point(right, left)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test("can't multiply to a filter of too many conditions", async () => {
    let inner = await made("Doubling", PRO);
    const answers = [];
    for (let i = 0; i < 12; i++) {
      const answer = await post("/audiences", {
        name: `Doubling ${i}`,
        filter: { any: [{ audience: inner }, { audience: inner }] },
      });
      answers.push(answer.body.code ?? "made");
      inner = answer.body.id ?? inner;
    }
    expect(answers).toContain("audience_too_complex");
    expect(await membersOf(inner)).toEqual(["=cmd", "ada"]);
  });
});

describe("a filter", () => {
  const nested = (depth: number): object => (depth === 0 ? PRO : { not: nested(depth - 1) });
  test.each([
    ["nothing", {}, "/filter"],
    ["two conditions in one", { ...PRO, event: "x" }, "/filter"],
    ["a field that it does not have", { ...PRO, vlaue: 1 }, "/filter/vlaue"],
    ["an unknown operator", { ...PRO, op: "matches" }, "/filter/op"],
    ["a text instead of a list", { ...PRO, op: "in" }, "/filter/value"],
    ["gt with a boolean", { ...PRO, op: "gt", value: true }, "/filter/value"],
    ["a date that does not exist", { ...PRO, op: "before", value: "2026-02-30" }, "/filter/value"],
    ["tomorrow", { ...PRO, op: "after", value: "tomorrow" }, "/filter/value"],
    ["an unknown unit", { ...PRO, op: "within_last", value: { amount: 1, unit: "years" } }, "/filter/value/unit"],
    ["an empty any", { all: [{ any: [] }] }, "/filter/all/0/any"],
    ["a negative count", { ...BOUGHT_TWICE, count: { gte: -1 } }, "/filter/count/gte"],
    ["a property without a name", { ...BOUGHT_TWICE, where: [{ op: "exists" }] }, "/filter/where/0/property"],
    ["an invalid source", { message: "shown", op: "performed", source_id: "bc_x" }, "/filter/source_id"],
    ["an unknown audience", { audience: "aud_01h455vb4pex5vsknk084sn02q" }, "/filter"],
    ["an unknown topic", { subscribed: true, topic: "top_01h455vb4pex5vsknk084sn02q" }, "/filter"],
    ["too many conditions", { any: Array.from({ length: 201 }, () => PRO) }, "/filter/any/200"],
    ["50 levels", nested(50), ""],
  ])("with %s is refused with a pointer to the error", async (_what, filter, pointer) => {
    for (const [url, body] of [
      ["/audiences/preview", { filter }],
      ["/audiences", { name: "Bad", filter }],
    ] as const)
      expect(await post(url, body)).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ pointer }] },
      });
  });

  test("may be nested as deep as JSON in requests may be", async () => {
    expect((await post("/audiences/preview", { filter: nested(28) })).body.count).toBe(2);
  });
});

describe("a list", () => {
  const csv = (id: string, raw: string | Buffer, type = "text/csv") =>
    it.call("POST", `/api/v1/audiences/${id}/import`, { raw, headers: { "content-type": type } });
  const list = async (name: string) => (await post("/audiences", { name, kind: "list" })).body.id as string;

  test("has the people who are put on it, one by one or by a file, and is exported as a file", async () => {
    const id = await list("By hand");
    const member = (method: "PUT" | "DELETE", person: string) =>
      it.call(method, `/api/v1/audiences/${id}/members/${encodeURIComponent(person)}`);
    for (let i = 0; i < 2; i++) expect((await member("PUT", "=cmd")).status).toBe(204);
    expect(await member("PUT", "nobody")).toMatchObject({ status: 404, body: { code: "person_not_found" } });
    expect(await csv(id, "\uFEFFname,person_id\r\nAda,ada\r\nNo,nobody\r\nEve,'=cmd\r\nEmpty,\r\n")).toMatchObject({
      status: 200,
      body: { added: 1, known: 1, refused: 2, errors: [{ line: 3 }, { line: 5 }] },
    });
    expect(await csv(id, "email\nBOB@example.test\nno address\n")).toMatchObject({ body: { added: 1, refused: 1 } });
    expect(await membersOf(id)).toEqual(["=cmd", "ada", "bob"]);
    const file = await it.call("GET", `/api/v1/audiences/${id}/export`);
    expect(file.headers["content-type"]).toContain("text/csv");
    expect(file.body.split("\r\n").sort()).toEqual(
      ["", "'=cmd,eve@example.test,", "ada,ada@example.test,", "bob,bob@example.test,", "person_id,email,phone"].sort(),
    );
    expect((await member("DELETE", "ada")).status).toBe(204);
    expect((await member("DELETE", "ada")).status).toBe(404);
    const copy = await list("From a file");
    expect((await csv(copy, file.body)).body).toMatchObject({ added: 3, refused: 0 });
    expect((await it.call("DELETE", `/api/v1/audiences/${copy}`)).status).toBe(204);
    const left = { text: "select 1 from audience_members", values: [] };
    expect(await it.service.ground.db.query(left)).toHaveLength(2);
  });

  test("takes no filter, and an audience with a filter takes no members", async () => {
    const id = await list("No filter");
    expect((await it.call("PATCH", `/api/v1/audiences/${id}`, { body: { filter: PRO } })).status).toBe(400);
    expect((await post("/audiences", { name: "x", kind: "list", filter: PRO })).status).toBe(400);
    expect((await post("/audiences", { name: "x" })).status).toBe(400);
    const filter = await made("No list", PRO);
    expect(await csv(filter, "person_id\nada\n")).toMatchObject({ status: 422, body: { code: "audience_not_a_list" } });
    expect((await it.call("PUT", `/api/v1/audiences/${filter}/members/ada`)).body.code).toBe("audience_not_a_list");
    expect((await csv(id, "{}", "application/json")).status).toBe(415);
    expect((await csv(id, "x", "text/csv; charset=iso-8859-1")).status).toBe(415);
  });

  test("loses a person who is erased", async () => {
    const id = await list("Erased");
    await identify("gone", {});
    await it.call("PUT", `/api/v1/audiences/${id}/members/gone`);
    expect(await membersOf(id)).toEqual(["gone"]);
    await it.call("DELETE", "/api/v1/people/gone");
    const rows = await it.service.ground.db.query({
      text: "select m.person_key from audience_members m left join people p using (person_key) where p.person_key is null",
      values: [],
    });
    expect(rows).toEqual([]);
  });
});
