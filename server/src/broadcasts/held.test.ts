import { describe, expect, test } from "vitest";
import { limitedService } from "../../test/support/services/limits.ts";
import { inAppService } from "../../test/support/services/in-app.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";
import { step } from "./fanout/fanout.ts";

// The workspace's limits hold recipients of broadcasts back.

const { it, clock, identify, define } = await inAppService();
const { ground } = it.service;

const { call, limit } = limitedService(it);

const work = async () => {
  while (await step(ground));
};

/** Creates a broadcast by SMS to the people of a group. */
const draft = (group: string, own: object = {}) =>
  call("POST", "/broadcasts", {
    name: "Held",
    channel: "sms",
    content: { body: "Hello" },
    audience: { attribute: "group", op: "eq", value: group },
    ...own,
  });

async function sent(id: string) {
  await call("POST", `/broadcasts/${id}/send`);
  await work();
  return call("GET", `/broadcasts/${id}`);
}

let numbers = 0;
const join = async (group: string, zones: Record<string, string | undefined>) => {
  for (const [name, timezone] of Object.entries(zones))
    await identify(name, { group, timezone, phone: `+4179333${String(++numbers).padStart(4, "0")}` });
};

/** Returns what became of a broadcast's deliveries, by person. */
async function outcomes(id: string): Promise<Record<string, unknown>> {
  const { data } = await call("GET", `/deliveries?source_id=${id}`);
  return Object.fromEntries(
    data.map((row: { person_id: string; status: string; reason: string | null }) => [
      row.person_id,
      row.reason ?? row.status,
    ]),
  );
}

describe("a limit", () => {
  test("excludes whom it leaves no room for: preflight says so, and the delivery, the log and the metrics after it", async () => {
    await limit({ per_day: 1 });
    await join("few", { f1: "UTC", f2: "UTC" });
    await sent((await draft("few")).id);
    await join("few", { f3: "UTC" });
    const { id } = await draft("few");
    const flight = await call("POST", `/broadcasts/${id}/preflight`);
    expect(flight).toMatchObject({ audience: 3, will_receive: 1, excluded: { held_by_limit: 2 } });
    expect(flight.samples.held_by_limit.toSorted()).toEqual(["f1", "f2"]);
    expect(flight).not.toHaveProperty("held");
    const { status, progress } = await sent(id);
    expect([status, progress.total, progress.done]).toEqual(["sent", 3, 3]);
    expect(await outcomes(id)).toEqual({ f1: "held_by_limit", f2: "held_by_limit", f3: "queued" });
    const { data } = await call("GET", "/people/f1/activity?type=sms.suppressed");
    expect(data).toMatchObject([{ source: "broadcast", source_id: id, data: { reason: "held_by_limit" } }]);
    expect(await call("GET", `/broadcasts/${id}/metrics`)).toMatchObject({ failed: 2 });
    clock.forward(24 * 3_600_000);
    const later = await draft("few");
    await sent(later.id);
    expect(Object.values(await outcomes(later.id))).toEqual(["queued", "queued", "queued"]);
  });

  test("of in-app messages writes failed deliveries", async () => {
    await limit({ channels: { in_app: { per_week: 1 } } });
    await join("card", { c1: "UTC" });
    const own = { channel: "in_app", content: undefined, message_id: await define() };
    expect(await outcomesOf(own)).toEqual({ c1: "queued" });
    expect(await outcomesOf(own)).toEqual({ c1: "held_by_limit" });
    expect(await outcomesOf()).toEqual({ c1: "queued" });

    async function outcomesOf(fields?: object) {
      const { id } = await draft("card", fields);
      await sent(id);
      return outcomes(id);
    }
  });

  test("does not concern test sends and exempt topics", async () => {
    await limit({ per_day: 1 });
    await join("free", { x1: "UTC" });
    await sent((await draft("free")).id);
    const topic = await call("POST", "/topics", { name: "Free", default: "subscribed", exempt_from_limits: true });
    const { id } = await draft("free", { topic_id: topic.id });
    await call("POST", `/broadcasts/${id}/test-sends`, { person_id: "x1" });
    expect(await call("POST", `/broadcasts/${id}/preflight`)).toMatchObject({ will_receive: 1 });
    await sent(id);
    expect(await outcomes(id)).toEqual({ x1: "queued" });
  });
});

describe("a window", () => {
  const window = { from: "09:00", to: "20:00" };

  test("moves those for whom it is closed, and the broadcast is sent when it opened for the last of them", async () => {
    clock.set("2026-04-01T12:00:00Z");
    await limit({ window });
    await join("night", {
      tokyo: "Asia/Tokyo",
      zurich: "Europe/Zurich",
      nowhere: undefined,
      york: "America/New_York",
    });
    const { id, when_held } = await draft("night");
    expect(when_held).toBe("wait");
    const flight = await call("POST", `/broadcasts/${id}/preflight`);
    expect(flight).toMatchObject({ will_receive: 4, held: 2 });
    expect(flight.samples.held.toSorted()).toEqual(["tokyo", "york"]);
    expect(await sent(id)).toMatchObject({
      status: "sending",
      progress: { total: 4, done: 2, people_per_second: null, seconds_left: null },
    });
    expect(Object.keys(await outcomes(id)).toSorted()).toEqual(["nowhere", "zurich"]);
    clock.set("2026-04-01T13:00:00Z");
    await work();
    expect(Object.keys(await outcomes(id)).toSorted()).toEqual(["nowhere", "york", "zurich"]);
    clock.set("2026-04-02T00:00:00Z");
    await work();
    expect(await outcomes(id)).toMatchObject({ tokyo: "queued" });
    expect(await call("GET", `/broadcasts/${id}`)).toMatchObject({ status: "sent", progress: { total: 4, done: 4 } });
  });

  test("that closes for them is in the log of those who wait, and of nobody who would get nothing", async () => {
    clock.set("2026-04-02T22:00:00Z");
    await limit({ window });
    await join("logged", { l1: "UTC", l2: "UTC" });
    await identify("l3", { group: "logged" });
    const { id } = await draft("logged");
    await sent(id);
    const held = async (who: string) => (await call("GET", `/people/${who}/activity?type=sms.held`)).data;
    const about = { source: "broadcast", source_id: id, step_id: null };
    for (const who of ["l1", "l2"])
      expect(await held(who)).toMatchObject([
        { delivery_id: null, ...about, data: { reason: "held_by_window", until: "2026-04-03T09:00:00.000Z" } },
      ]);
    expect(await held("l3")).toEqual([]);
    expect(await outcomes(id)).toEqual({ l3: "no_address" });
    clock.set("2026-04-03T09:00:00Z");
    await work();
    expect(await outcomes(id)).toEqual({ l1: "queued", l2: "queued", l3: "no_address" });
    expect(await held("l1")).toMatchObject([{ delivery_id: expect.any(String), ...about }]);
  });

  test("is asked about again after a change of the limits, also during a pause, and the log notes only a new time", async () => {
    clock.set("2026-04-10T22:00:00Z");
    await limit({ window });
    await join("asked", { a1: "UTC", a2: "UTC" });
    const { id } = await draft("asked");
    await sent(id);
    const paused = await draft("asked");
    await sent(paused.id);
    await call("POST", `/broadcasts/${paused.id}/pause`);
    const held = async () => (await call("GET", "/people/a1/activity?type=sms.held")).data;
    expect(await held()).toHaveLength(2);
    clock.set("2026-04-10T23:00:00Z");
    await limit({ window, per_week: 100 });
    await work();
    expect(await held()).toHaveLength(2);
    await limit({ window: { from: "08:00", to: "20:00" } });
    await work();
    expect((await held())[0]).toMatchObject({ source_id: id, data: { until: "2026-04-11T08:00:00.000Z" } });
    await limit({});
    await work();
    expect(await outcomes(id)).toEqual({ a1: "queued", a2: "queued" });
    expect(await call("GET", `/broadcasts/${id}`)).toMatchObject({ status: "sent", progress: { total: 2, done: 2 } });
    expect(await outcomes(paused.id)).toEqual({});
    await call("POST", `/broadcasts/${paused.id}/resume`);
    await work();
    expect(await outcomes(paused.id)).toEqual({ a1: "queued", a2: "queued" });
  });

  test("does not use up the rate with those for whom it is closed", async () => {
    clock.set("2026-04-12T12:00:00Z");
    await limit({ window });
    await join("rated", { r1: "Asia/Tokyo", r2: "Asia/Tokyo", r3: "Asia/Tokyo", r4: "UTC" });
    const { id } = await draft("rated", { rate_per_second: 1 });
    await sent(id);
    expect(await outcomes(id)).toEqual({ r4: "queued" });
  });

  test("that closes during a pause moves the rest", async () => {
    clock.set("2026-04-03T19:59:00Z");
    await limit({ window });
    await join("slow", { s1: "UTC", s2: "UTC", s3: "UTC" });
    const { id } = await draft("slow", { rate_per_second: 1 });
    await call("POST", `/broadcasts/${id}/send`);
    for (let i = 0; i < 3; i++) await step(ground);
    await call("POST", `/broadcasts/${id}/pause`);
    clock.set("2026-04-03T20:00:00Z");
    await call("POST", `/broadcasts/${id}/resume`);
    await step(ground);
    clock.forward(1_000);
    await work();
    clock.forward(1_000);
    await work();
    expect(Object.keys(await outcomes(id))).toHaveLength(1);
    expect(await call("GET", `/broadcasts/${id}`)).toMatchObject({
      status: "sending",
      progress: { total: 3, done: 1 },
    });
    const pages = await ground.db.query<{ due_at: Date; people: number }>(
      sql`select due_at, people from broadcast_pages where broadcast_id = ${decodeId("bc", id) ?? ""}`,
    );
    const opens = new Date("2026-04-04T09:00:00Z");
    expect(pages).toEqual([
      { due_at: opens, people: 1 },
      { due_at: opens, people: 1 },
    ]);
    clock.set("2026-04-04T09:00:05Z");
    await work();
    clock.forward(1_000);
    await work();
    expect(await outcomes(id)).toEqual({ s1: "queued", s2: "queued", s3: "queued" });
    expect(await call("GET", `/broadcasts/${id}`)).toMatchObject({ status: "sent", progress: { total: 3, done: 3 } });
  });

  test("excludes them where the broadcast drops them", async () => {
    clock.set("2026-04-05T12:00:00Z");
    await limit({ window });
    await join("dropped", { d1: "Asia/Tokyo", d2: "UTC" });
    const { id } = await draft("dropped");
    expect(await call("PATCH", `/broadcasts/${id}`, { when_held: "drop" })).toMatchObject({ when_held: "drop" });
    const flight = await call("POST", `/broadcasts/${id}/preflight`);
    expect(flight).toMatchObject({ will_receive: 1, held: 0, excluded: { held_by_window: 1 } });
    expect(await sent(id)).toMatchObject({ status: "sent" });
    expect(await outcomes(id)).toEqual({ d1: "held_by_window", d2: "queued" });
  });
});
