import { beforeEach, describe, expect, test } from "vitest";
import { analyticsService } from "../../test/support/services/analytics.ts";

const { call, clock, get, identify, define, send, report, sendNow, settings, reset } = await analyticsService();
const DAY = 86_400_000;
beforeEach(reset);

describe("numbers over time", () => {
  test("are of the last 30 days, or 48 hours, unless a range is given, with every bucket", async () => {
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

  test("follow the workspace's time zone: an instant is in another day or hour of another zone", async () => {
    clock.set("2026-03-10T18:20:00.000Z");
    await sendNow(2);
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

  test("are also given for each channel or kind of source, with all buckets of each", async () => {
    await sendNow(2, { channel: "sms" });
    await sendNow(3, { source: "broadcast" });
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

  test("count each delivery at the first event of a kind, for any time of queueing", async () => {
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
  ])("of %s are an answer, or a 400 that names the parameter", async (query, parameter) => {
    const answer = await call(`/analytics?${query}`);
    if (parameter === undefined && query.startsWith("to=")) return expect(answer.status).toBe(200);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    if (parameter) expect(answer.body.errors[0].parameter).toBe(parameter);
    expect((await call(`/analytics/export?${query}`)).status).toBe(400);
  });
});
