import { beforeEach, describe, expect, test } from "vitest";
import { analyticsService } from "../../test/support/services/analytics.ts";
import { forget } from "../activity/jobs.ts";
import { decodeId, encodeId, newId } from "../platform/ids.ts";
import { dropEmptyCounts, rollUp } from "./jobs.ts";

const { call, clock, get, ground, identify, it, sendNow, settings, reset } = await analyticsService();
const DAY = 86_400_000;
const table = async (name: string) =>
  (await ground.db.query<{ n: number }>({ text: `select count(*) as n from ${name}`, values: [] }))[0]?.n;
beforeEach(reset);

describe("the numbers of a workspace", () => {
  const [one, two] = [newId(), newId()].toSorted() as [string, string];

  test("are given by channel, by kind of source and by source, the newest first, page by page", async () => {
    await sendNow(1, { sourceId: one });
    await sendNow(2, { sourceId: two, channel: "sms" });
    await sendNow(3, { sourceId: two, source: "broadcast" });
    await sendNow(4);
    await sendNow(5, { source: "test" });
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
      const some = `${encodeId("bc", two)},tx_nonsense,${encodeId("tx", one)}`;
      expect(sent(await rows(`by=source_id&source=transactional&source_id=${some}`), "source_id")).toEqual([
        [encodeId("tx", two), 2],
        [encodeId("tx", one), 1],
      ]);
      await rollUp(ground);
    }
    expect(await table("delivery_changes")).toBe(0);
  });

  test("lose nothing while two processes add up and deliveries are added", async () => {
    const adding = () => rollUp(ground, 2);
    await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => sendNow(1 + (i % 3), { sourceId: i % 2 ? one : two })),
      adding(),
      adding(),
    ]);
    const sent = async () => (await get("/analytics/metrics?by=source_id")).totals.sent;
    expect(await sent()).toBe(39);
    await Promise.all([adding(), adding()]);
    expect(await sent()).toBe(39);
  });

  test("name their quarters of an hour, and contain nothing of another workspace", async () => {
    await sendNow(1);
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

  test("name their sources, and are sorted by any number, page by page", async () => {
    const named = async (name: string) => {
      const content = { subject: "a", body: "b" };
      const body = { name, trigger_name: name, channel: "email", subscription_preference: "all", content };
      return (await it.call("POST", "/api/v1/transactionals", { body })).body.id as string;
    };
    const [welcome, receipt] = [await named("Welcome"), await named("Receipt")];
    await sendNow(3, { sourceId: decodeId("tx", welcome) as string });
    await sendNow(5, { sourceId: decodeId("tx", receipt) as string });
    await sendNow(3, { sourceId: one, source: "broadcast" });
    await sendNow(4);
    const paged = async (sort: string) => {
      const rows = [];
      for (let cursor = ""; ; ) {
        const answer = await get(`/analytics/metrics?by=source_id&sort=${sort}&limit=1${cursor}`);
        rows.push(...answer.data);
        if (answer.next_cursor === null) return rows.map(({ name, sent }) => [name, sent]);
        cursor = `&cursor=${answer.next_cursor}`;
      }
    };
    const most = [
      ["Receipt", 5],
      [null, 4],
      ["Welcome", 3],
      [null, 3],
    ];
    expect(await paged("-sent")).toEqual(most);
    expect(await paged("sent")).toEqual(most.toReversed());
    expect((await paged("opened")).length).toBe(4);

    const { next_cursor } = await get("/analytics/metrics?by=source_id&sort=-sent&limit=1");
    for (const wrong of [`by=source_id&cursor=${next_cursor}`, "by=channel&sort=sent", "by=source_id&sort=name"])
      expect((await call(`/analytics/metrics?${wrong}`)).status, wrong).toBe(400);
    // Its `from` is of the number, and not of the queueing: without a metric it would mean nothing.
    expect((await call("/deliveries?from=2026-03-10T12:00:00Z")).status).toBe(400);
  });

  test("are exported as CSV, as are those over time", async () => {
    await sendNow(3, { sourceId: one });
    const file = async (url: string) => {
      const answer = await call(url);
      expect(answer.headers).toMatchObject({ "content-type": "text/csv; charset=utf-8", "cache-control": "no-store" });
      return answer.body.trim().split("\r\n");
    };
    const names = "sent,delivered,shown,opened,clicked,dismissed,bounced,unsubscribed,failed";
    expect(await file("/analytics/metrics/export")).toEqual([`channel,${names}`, "email,3,0,0,0,0,0,0,0,0"]);
    expect(await file("/analytics/metrics/export?by=source_id")).toEqual([
      `source,source_id,name,${names}`,
      `transactional,${encodeId("tx", one)},,3,0,0,0,0,0,0,0,0`,
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
  test("can be limited to one channel and to a time of queueing", async () => {
    const body = {
      name: "T",
      trigger_name: "t",
      channel: "email",
      subscription_preference: "all",
      content: { subject: "a", body: "b" },
    };
    const { id } = (await it.call("POST", "/api/v1/transactionals", { body })).body;
    await sendNow(2, { sourceId: decodeId("tx", id) as string });
    const sent = async (query: string) => (await get(`/transactionals/${id}/metrics?${query}`)).sent;
    expect(await sent("")).toBe(2);
    expect(await sent("channel=email")).toBe(2);
    expect(await sent("channel=in_app")).toBe(0);
    expect(await sent("since=2026-03-10T12:00:00Z&channel=email")).toBe(2);
    expect(await sent("since=2026-03-10T12:00:00Z&channel=sms")).toBe(0);
    expect(await sent("until=2026-03-10T12:00:00Z")).toBe(0);
  });
});

describe("deliveries that are removed", () => {
  const sent = async () => (await get("/analytics/metrics")).totals.sent;

  test("are still counted if their person is erased, and counted once if their person is merged", async () => {
    for (const person of ["ada", "bob"]) await identify(person);
    await sendNow(2, { person: "ada" });
    await sendNow(3, { person: "bob" });
    const merged = await it.call("POST", "/api/v1/people/bob/merge", { body: { into: "ada" } });
    expect(merged.status, JSON.stringify(merged.body)).toBe(200);
    expect(await sent()).toBe(5);
    expect((await it.call("DELETE", "/api/v1/people/ada")).status).toBeLessThan(300);
    expect(await sent()).toBe(5);
    expect((await get("/deliveries")).data).toHaveLength(5);
  });

  test("are not counted after retention, and leave no empty counts", async () => {
    await settings({ retention_days: 10 });
    await sendNow(3);
    await rollUp(ground);
    clock.forward(11 * DAY);
    await sendNow(1);
    await forget(ground);
    expect(await sent()).toBe(1);
    expect((await get("/deliveries")).data).toHaveLength(1);
    await rollUp(ground);
    expect(await sent()).toBe(1);
    // In shards the deliveries are counted themselves.
    if (ground.db.distributed) return;
    expect(await table("delivery_counts")).toBe(2);
    await dropEmptyCounts(ground);
    for (const name of ["delivery_counts", "delivery_days", "workspace_counts"])
      expect(await table(name), name).toBe(1);
    expect(await sent()).toBe(1);
  });
});
