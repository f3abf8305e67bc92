import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";
import type { Queries } from "../platform/db/index.ts";
import { sql } from "../platform/db/index.ts";
import { csvRecords } from "../platform/transfer/csv.ts";
import { personKey } from "../workspaces/index.ts";
import { filterOf } from "./deliveries/delivery-view.ts";
import { deliveryLines } from "./export.ts";

const { clock, it, identify, define, send, report } = await inAppService();
const { db } = it.service.ground;

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of list) found.push(one);
  return found;
}

async function file(url: string, key = it.secretKey) {
  const answer = await it.call("GET", `/api/v1${url}`, { key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(answer.headers["content-disposition"]).toMatch(/^attachment; filename="\w+\.csv"$/);
  expect(answer.headers["cache-control"]).toBe("no-store");
  const [head = [], ...lines] = (await all(csvRecords(Readable.from([Buffer.from(answer.body)])))).map(
    (record) => record.fields,
  );
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
}
const list = async (url: string) => {
  const answer = await it.call("GET", `/api/v1${url}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};

const email = (person: string, subject = "Hi") =>
  it.call("POST", "/data-gateway/transactionals/email", {
    body: { identifiers: { id: person }, to: `${person}@example.test`, from: "hello@acme.test", subject, body: "Hi" },
  });

await identify("ada");
await identify("bob");
const message = await define({ persistence: { mode: "persistent_until_dismissed" } });
const card = await send(message, "ada");
clock.forward(60_000);
await report(card, "impression", { person_id: "ada" });
clock.forward(60_000);
await report(card, "click", { person_id: "ada" });
clock.forward(60_000);
await report(card, "dismiss", { person_id: "ada" });
clock.forward(60_000);
const other = await send(message, "bob");
const { delivery_id: mail } = (await email("ada")).body;

describe("message activity", () => {
  test("has the events of each delivery if asked for, oldest first, and none otherwise", async () => {
    const [, , first] = await list("/deliveries?include=events");
    expect(first.id).toBe(card);
    expect(first.events.map(({ type }: { type: string }) => type)).toEqual([
      "in_app.queued",
      "in_app.impression",
      "in_app.click",
      "in_app.dismiss",
    ]);
    expect((await list("/deliveries"))[2]).not.toHaveProperty("events");
  });

  test("is filtered by the time of queueing", async () => {
    const ids = async (query: string) => (await list(`/deliveries?${query}`)).map(({ id }: { id: string }) => id);
    expect(await ids("until=2026-03-10T12:00:00.001Z")).toEqual([card]);
    expect((await ids("since=2026-03-10T12:00:00.001Z")).toSorted()).toEqual([mail, other].toSorted());
    expect(await ids("since=2026-03-10T12:04:00Z&channel=email")).toEqual([mail]);
    expect(await it.call("GET", "/api/v1/deliveries?since=yesterday")).toMatchObject({ status: 400 });
    expect(await it.call("GET", "/api/v1/deliveries?include=everything")).toMatchObject({ status: 400 });
    expect(await it.call("GET", "/api/v1/deliveries?status=lost")).toMatchObject({ status: 400 });
  });

  test("comes as CSV, with the fields of the list as columns and its filters", async () => {
    const lines = await file("/deliveries/export");
    const rows = await list("/deliveries");
    const text = (value: unknown) => (value === null ? "" : String(value));
    expect(lines).toEqual(
      rows.map((row: object) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)]))),
    );
    expect((await file("/deliveries/export?channel=in_app&person_id=bob")).map(({ id }) => id)).toEqual([other]);
    expect(await file("/deliveries/export?source_id=nonsense")).toEqual([]);
    expect(await it.call("GET", "/api/v1/deliveries/export?since=yesterday")).toMatchObject({ status: 400 });
  });

  test("comes as CSV event by event, also of one type", async () => {
    const lines = await file("/deliveries/events/export?channel=in_app&person_id=ada");
    expect(lines.map(({ type, at, delivery_id, person_id }) => [type, at, delivery_id, person_id])).toEqual([
      ["in_app.queued", "2026-03-10T12:00:00.000Z", card, "ada"],
      ["in_app.impression", "2026-03-10T12:01:00.000Z", card, "ada"],
      ["in_app.click", "2026-03-10T12:02:00.000Z", card, "ada"],
      ["in_app.dismiss", "2026-03-10T12:03:00.000Z", card, "ada"],
    ]);
    expect(JSON.parse(lines[0]?.data as string)).toMatchObject({ source: "test" });
    expect((await file("/deliveries/events/export?type=in_app.queued")).map((line) => line.delivery_id)).toEqual([
      other,
      card,
    ]);
  });

  test("of another workspace is not in the file", async () => {
    expect(await file("/deliveries/export", (await it.another()).secretKey)).toEqual([]);
  });

  test("text that looks like a formula is no formula in a spreadsheet, and commas and quotes stay in their cell", async () => {
    await identify('=cmd|"x",1');
    await send(message, '=cmd|"x",1');
    const [first] = await file(`/deliveries/export?person_id=${encodeURIComponent('=cmd|"x",1')}`);
    expect(first?.person_id).toBe(`'=cmd|"x",1`);
  });
});

describe("the log of a person", () => {
  test("names the message of each entry", async () => {
    const [mine] = (await list("/people/ada/activity?type=in_app.queued")) as Record<string, unknown>[];
    expect(mine).toMatchObject({
      delivery_id: card,
      channel: "in_app",
      source: "test",
      source_id: message,
      message_id: message,
    });
  });

  test("is filtered by channel, type and time, page by page", async () => {
    const types = async (query: string) =>
      (await list(`/people/ada/activity?${query}`)).map(({ type }: { type: string }) => type);
    expect(await types("channel=in_app")).toEqual([
      "in_app.dismiss",
      "in_app.click",
      "in_app.impression",
      "in_app.queued",
    ]);
    expect(await types("channel=email")).toEqual(["email.queued"]);
    expect(await types("type=in_app.click")).toEqual(["in_app.click"]);
    expect(await types("since=2026-03-10T12:01:00Z&until=2026-03-10T12:03:00Z")).toEqual([
      "in_app.click",
      "in_app.impression",
    ]);
    expect(await types("channel=in_app&type=email.queued")).toEqual([]);
    const { next_cursor } = (await it.call("GET", "/api/v1/people/ada/activity?channel=in_app&limit=3")).body;
    expect(await types(`channel=in_app&limit=3&cursor=${next_cursor}`)).toEqual(["in_app.queued"]);
    expect(await it.call("GET", "/api/v1/people/ada/activity?type=Click")).toMatchObject({ status: 400 });
  });

  test("comes as CSV with the same filters; for an unknown person it is 404", async () => {
    const lines = await file("/people/ada/activity/export?channel=in_app");
    expect(lines.map(({ type, delivery_id, source_id }) => [type, delivery_id, source_id])).toEqual(
      ["in_app.dismiss", "in_app.click", "in_app.impression", "in_app.queued"].map((type) => [type, card, message]),
    );
    const unknown = await it.call("GET", "/api/v1/people/nobody/activity/export");
    expect(unknown).toMatchObject({ status: 404, body: { code: "person_not_found" } });
  });
});

describe("a large file", () => {
  const queries: string[] = [];
  const counted: Queries = {
    distributed: db.distributed,
    query: (statement) => {
      queries.push(statement.text);
      return db.query(statement);
    },
    execute: (statement) => db.execute(statement),
  };

  test("is read page by page, has every line once, and an aborted one reads no further page", async () => {
    const { workspaceId } = await it.another();
    await db.execute(sql`
      insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at)
      select ${personKey(workspaceId, "many")}, gen_random_uuid(), ${workspaceId}, 'push', 'transactional', 'sent',
        '2026-03-01'::timestamptz + n / 7 * interval '1 millisecond' from generate_series(1, 4500) as n`);
    const lines = () => deliveryLines(counted, workspaceId, filterOf(workspaceId, {}), async () => new Map());
    const ids = (await all(lines()))
      .join("")
      .split("\r\n")
      .slice(1, -1)
      .map((line) => line.split(",")[0]);
    expect(ids).toHaveLength(4_500);
    expect(new Set(ids).size).toBe(4_500);
    expect(queries).toHaveLength(5);

    queries.length = 0;
    const stream = Readable.from(lines(), { highWaterMark: 1 });
    for await (const _chunk of stream) if (queries.length > 0) break;
    expect(stream.destroyed).toBe(true);
    expect(queries.length).toBeLessThan(4);
  });
});
