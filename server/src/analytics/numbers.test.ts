import { beforeEach, describe, expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";
import { forget } from "../activity/jobs.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId, encodeId, newId } from "../platform/ids.ts";
import { personKey } from "../workspaces/index.ts";
import { dropEmptyCounts, rollUp } from "./jobs.ts";

const { clock, it, identify, define, send, report } = await inAppService();
const { ground } = it.service;
const { db } = ground;
const { workspaceId } = it;
const DAY = 86_400_000;

const call = (url: string) => it.call("GET", `/api/v1${url}`);
async function get(url: string) {
  const answer = await call(url);
  expect(answer.status, `${url} ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}
const settings = async (body: object) => {
  expect((await it.call("PATCH", "/api/v1/workspace", { body })).status).toBe(200);
};
const table = async (name: string) =>
  (await db.query<{ n: number }>({ text: `select count(*) as n from ${name}`, values: [] }))[0]?.n;

/** Deliveries that were sent now. */
const made = (
  count: number,
  row: { source?: string; sourceId?: string | null; channel?: string; variant?: string; person?: string } = {},
) =>
  db.execute(sql`
    insert into deliveries (person_key, id, workspace_id, channel, source, source_id, variant, status, queued_at, sent_at)
    select ${personKey(workspaceId, row.person ?? "ada")}, gen_random_uuid(), ${workspaceId}, ${row.channel ?? "email"}, ${row.source ?? "transactional"},
      ${row.sourceId ?? null}, ${row.variant ?? null}, 'sent', ${clock.now()}, ${clock.now()} from generate_series(1, ${count}::integer)`);

beforeEach(async () => {
  await db.execute(sql`truncate deliveries, activity`);
  clock.set("2026-03-10T12:00:00.000Z");
  await settings({ timezone: "UTC" });
});

describe("numbers over time", () => {
  test("are of the last 30 days, or 48 hours, unless a range is named, with a bucket for each", async () => {
    const days = await get("/analytics");
    expect(days).toMatchObject({
      bucket: "day",
      timezone: "UTC",
      from: "2026-02-08T00:00:00.000Z",
      to: "2026-03-11T00:00:00.000Z",
    });
    expect(days.data).toHaveLength(31);
    expect(days.data[0]).toEqual({
      start: "2026-02-08T00:00:00.000Z",
      end: "2026-02-09T00:00:00.000Z",
      ...{
        sent: 0,
        delivered: 0,
        shown: 0,
        opened: 0,
        clicked: 0,
        dismissed: 0,
        bounced: 0,
        unsubscribed: 0,
        failed: 0,
      },
    });
    expect((await get("/analytics?bucket=hour")).data).toHaveLength(48);
  });

  test("follow the workspace's clocks: the same moment is another day, and another hour, elsewhere", async () => {
    clock.set("2026-03-10T18:20:00.000Z");
    await made(2);
    const filled = async (query: string) =>
      (await get(`/analytics?from=2026-03-10T00:00:00Z&to=2026-03-12T00:00:00Z&${query}`)).data.filter(
        ({ sent }: { sent: number }) => sent > 0,
      );
    expect(await filled("bucket=day")).toMatchObject([{ start: "2026-03-10T00:00:00.000Z", sent: 2 }]);
    await settings({ timezone: "Asia/Kathmandu" });
    expect(await filled("bucket=day")).toMatchObject([{ start: "2026-03-10T18:15:00.000Z", sent: 2 }]);
    expect(await filled("bucket=hour")).toMatchObject([
      { start: "2026-03-10T18:15:00.000Z", end: "2026-03-10T19:15:00.000Z" },
    ]);
    await settings({ timezone: "Europe/Berlin" });
    expect(await filled("bucket=hour")).toMatchObject([{ start: "2026-03-10T18:00:00.000Z", sent: 2 }]);
  });

  test("come for each channel or kind of source as well, with all buckets of each", async () => {
    await made(2, { channel: "sms" });
    await made(3, { source: "broadcast" });
    const range = "from=2026-03-09T00:00:00Z&to=2026-03-11T00:00:00Z";
    const { parts, totals } = await get(`/analytics?${range}&by=channel`);
    const shown = parts.map((part: { channel: string; totals: { sent: number }; data: { sent: number }[] }) => [
      part.channel,
      part.totals.sent,
      part.data.map(({ sent }) => sent),
    ]);
    expect(shown).toEqual([
      ["email", 3, [0, 3]],
      ["sms", 2, [0, 2]],
    ]);
    expect(totals.sent).toBe(5);
    const file = (await call(`/analytics/export?${range}&by=source`)).body.split("\r\n");
    expect(file[0]).toMatch(/^source,start,end,sent,/);
    expect(file.slice(1, -1).map((line: string) => line.split(",").slice(0, 4).join())).toEqual([
      "broadcast,2026-03-09T00:00:00.000Z,2026-03-10T00:00:00.000Z,0",
      "broadcast,2026-03-10T00:00:00.000Z,2026-03-11T00:00:00.000Z,3",
      "transactional,2026-03-09T00:00:00.000Z,2026-03-10T00:00:00.000Z,0",
      "transactional,2026-03-10T00:00:00.000Z,2026-03-11T00:00:00.000Z,2",
    ]);
    expect(await get(`/analytics?${range}`)).not.toHaveProperty("parts");
  });

  test("count each delivery when something happened to it first, whenever it was queued", async () => {
    await identify("ada");
    const id = await send(await define({ persistence: { mode: "persistent_until_dismissed" } }), "ada");
    clock.forward(DAY);
    for (const type of ["impression", "click", "click"]) await report(id, type, { person_id: "ada" });
    clock.forward(DAY);
    await report(id, "dismiss", { person_id: "ada" });
    const { data, totals } = await get("/analytics?source=test&from=2026-03-10T00:00:00Z");
    expect(data.map((day: Record<string, number>) => [day.sent, day.shown, day.clicked, day.dismissed])).toEqual([
      [1, 0, 0, 0],
      [0, 1, 1, 0],
      [0, 0, 0, 1],
    ]);
    expect(totals).toMatchObject({ sent: 1, delivered: 1, shown: 1, clicked: 1, dismissed: 1 });
    expect((await get("/analytics?from=2026-03-10T00:00:00Z")).totals).toMatchObject({ sent: 1, shown: 1 });
    expect((await get("/analytics?source=broadcast&from=2026-03-10T00:00:00Z")).totals.sent).toBe(0);
  });

  test.each([
    ["from=2026-03-10T00:00:00Z&to=2026-03-10T00:00:00Z", "from"],
    ["from=2026-04-10T00:00:00Z", "from"],
    ["from=1999-12-31T23:59:59Z&to=2000-01-02T00:00:00Z", "from"],
    ["to=1999-12-31T23:59:59Z", "to"],
    ["from=2020-01-01T00:00:00Z", "from"],
    ["bucket=hour&from=2026-01-01T00:00:00Z", "from"],
    ["to=9999-12-31T23:59:59Z", undefined],
    ["bucket=week", undefined],
    ["channel=fax", undefined],
    ["from=yesterday", undefined],
  ])("of %s are an answer, or a 400 that names what is wrong", async (query, parameter) => {
    const answer = await call(`/analytics?${query}`);
    if (parameter === undefined && query.startsWith("to=")) return expect(answer.status).toBe(200);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    if (parameter) expect(answer.body.errors[0].parameter).toBe(parameter);
    expect((await call(`/analytics/export?${query}`)).status).toBe(400);
  });
});

describe("the numbers of a workspace", () => {
  const [one, two] = [newId(), newId()].toSorted() as [string, string];

  test("come by channel, by kind of source and by source, the latest made first, page by page", async () => {
    await made(1, { sourceId: one });
    await made(2, { sourceId: two, channel: "sms" });
    await made(3, { sourceId: two, source: "broadcast" });
    await made(4);
    await made(5, { source: "test" });
    const rows = async (query: string) => (await get(`/analytics/metrics?${query}`)).data;
    const sent = (data: Record<string, unknown>[], ...names: string[]) =>
      data.map((row) => [...names.map((name) => row[name]), row.sent]);
    for (const _twice of [1, 2]) {
      expect((await get("/analytics/metrics")).totals.sent).toBe(15);
      expect(sent(await rows("by=channel"), "channel")).toEqual([
        ["email", 13],
        ["sms", 2],
      ]);
      expect(sent(await rows("by=source"), "source")).toEqual([
        ["broadcast", 3],
        ["test", 5],
        ["transactional", 7],
      ]);
      const all = await rows("by=source_id");
      expect(sent(all, "source", "source_id")).toEqual([
        ["transactional", encodeId("tx", two), 2],
        ["broadcast", encodeId("bc", two), 3],
        ["transactional", encodeId("tx", one), 1],
        ["transactional", null, 4],
        ["test", null, 5],
      ]);
      const paged = [];
      for (let cursor = ""; ; ) {
        const { data, next_cursor } = await get(`/analytics/metrics?by=source_id&limit=1${cursor}`);
        paged.push(...data);
        if (next_cursor === null) break;
        cursor = `&cursor=${next_cursor}`;
      }
      expect(paged).toEqual(all);
      expect((await get(`/analytics/metrics?source_id=${encodeId("tx", two)}&source=transactional`)).totals.sent).toBe(
        2,
      );
      expect((await get("/analytics/metrics?source_id=tx_nonsense")).totals.sent).toBe(0);
      await rollUp(ground);
    }
    expect(await table("delivery_changes")).toBe(0);
  });

  test("lose nothing where two processes add up while deliveries come", async () => {
    const adding = () => rollUp(ground, 2);
    await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => made(1 + (i % 3), { sourceId: i % 2 ? one : two })),
      adding(),
      adding(),
    ]);
    const sent = async () => (await get("/analytics/metrics?by=source_id")).totals.sent;
    expect(await sent()).toBe(39);
    await Promise.all([adding(), adding()]);
    expect(await sent()).toBe(39);
  });

  test("say of which quarters of an hour they are, and never those of another workspace", async () => {
    await made(1);
    const answer = await get("/analytics/metrics?from=2026-03-10T12:00:01Z&to=2026-03-10T12:10:00Z");
    expect(answer).toMatchObject({
      from: "2026-03-10T12:00:00.000Z",
      to: "2026-03-10T12:15:00.000Z",
      totals: { sent: 1 },
    });
    expect((await call("/analytics/metrics?from=2026-03-10T00:00:00Z&to=2026-03-09T00:00:00Z")).status).toBe(400);
    const { secretKey } = await it.another();
    const theirs = await it.call("GET", "/api/v1/analytics/metrics", { key: secretKey });
    expect(theirs.body).toMatchObject({ from: null, to: null, totals: { sent: 0 }, data: [] });
  });

  test("come as CSV, and so do those over time", async () => {
    await made(3, { sourceId: one });
    const file = async (url: string) => {
      const answer = await call(url);
      expect(answer.headers).toMatchObject({ "content-type": "text/csv; charset=utf-8", "cache-control": "no-store" });
      return answer.body.trim().split("\r\n");
    };
    const names = "sent,delivered,shown,opened,clicked,dismissed,bounced,unsubscribed,failed";
    expect(await file("/analytics/metrics/export")).toEqual([`channel,${names}`, "email,3,0,0,0,0,0,0,0,0"]);
    expect(await file("/analytics/metrics/export?by=source_id")).toEqual([
      `source,source_id,${names}`,
      `transactional,${encodeId("tx", one)},3,0,0,0,0,0,0,0,0`,
    ]);
    const lines = await file("/analytics/export?from=2026-03-09T00:00:00Z");
    expect(lines).toEqual([
      `start,end,${names}`,
      "2026-03-09T00:00:00.000Z,2026-03-10T00:00:00.000Z,0,0,0,0,0,0,0,0,0",
      "2026-03-10T00:00:00.000Z,2026-03-11T00:00:00.000Z,3,0,0,0,0,0,0,0,0",
    ]);
    expect((await call("/analytics/metrics/export?from=1999-01-01T00:00:00Z")).status).toBe(400);
  });
});

describe("the numbers of one source", () => {
  test("are of one channel where asked, and of what was queued within a time", async () => {
    const body = {
      name: "T",
      trigger_name: "t",
      channel: "email",
      subscription_preference: "all",
      content: { subject: "a", body: "b" },
    };
    const { id } = (await it.call("POST", "/api/v1/transactionals", { body })).body;
    await made(2, { sourceId: decodeId("tx", id) as string });
    const sent = async (query: string) => (await get(`/transactionals/${id}/metrics?${query}`)).sent;
    expect(await sent("")).toBe(2);
    expect(await sent("channel=email")).toBe(2);
    expect(await sent("channel=in_app")).toBe(0);
    expect(await sent("since=2026-03-10T12:00:00Z&channel=email")).toBe(2);
    expect(await sent("since=2026-03-10T12:00:00Z&channel=sms")).toBe(0);
    expect(await sent("until=2026-03-10T12:00:00Z")).toBe(0);
  });
});

describe("what is taken away", () => {
  const sent = async () => (await get("/analytics/metrics")).totals.sent;

  test("an erased person's deliveries are still counted, and a merged one's once", async () => {
    for (const person of ["ada", "bob"]) await identify(person);
    await made(2, { person: "ada" });
    await made(3, { person: "bob" });
    const merged = await it.call("POST", "/api/v1/people/bob/merge", { body: { into: "ada" } });
    expect(merged.status, JSON.stringify(merged.body)).toBe(200);
    expect(await sent()).toBe(5);
    expect((await it.call("DELETE", "/api/v1/people/ada")).status).toBeLessThan(300);
    expect(await sent()).toBe(5);
    expect((await get("/deliveries")).data).toHaveLength(5);
  });

  test("what retention forgets is counted no more, and leaves no empty counts", async () => {
    await settings({ retention_days: 10 });
    await made(3);
    await rollUp(ground);
    clock.forward(11 * DAY);
    await made(1);
    await forget(ground);
    expect(await sent()).toBe(1);
    expect((await get("/deliveries")).data).toHaveLength(1);
    await rollUp(ground);
    expect(await sent()).toBe(1);
    expect(await table("delivery_counts")).toBe(2);
    await dropEmptyCounts(ground);
    for (const name of ["delivery_counts", "delivery_days", "workspace_counts"])
      expect(await table(name), name).toBe(1);
    expect(await sent()).toBe(1);
  });
});
