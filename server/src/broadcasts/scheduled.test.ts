import { describe, expect, test } from "vitest";
import { broadcastService } from "../../test/support/services/broadcasts.ts";

// Scheduled broadcasts.

const { it, clock, identify, define, removeUsed, post, read, draft, work, deliveriesOf } = await broadcastService();
const HOUR = 3_600_000;

describe("a scheduled broadcast", () => {
  test("is sent when its time comes, to the people who are in the audience then", async () => {
    await identify("sc1", { group: "scheduled" });
    const id = await draft("scheduled");
    const sendAt = new Date(clock.now().getTime() + HOUR).toISOString();
    expect((await post(`/${id}/schedule`, { send_at: sendAt })).body).toMatchObject({
      status: "scheduled",
      send_at: sendAt,
    });
    expect(await work()).toBe(0);
    await identify("sc2", { group: "scheduled" });
    clock.forward(HOUR);
    await work();
    expect(await read(id)).toMatchObject({ status: "sent", progress: { total: 2, done: 2 } });
  });

  test("at each person's own time reaches nobody early, and everyone in the end", async () => {
    clock.set("2026-03-20T12:00:00.000Z");
    const zones = { early: "Pacific/Auckland", mid: "Europe/Zurich", late: "America/New_York", none: undefined };
    for (const [name, timezone] of Object.entries(zones)) await identify(name, { group: "local", timezone });
    await it.call("PATCH", "/api/v1/workspace", { body: { timezone: "UTC" } });
    // Zurich sets its clocks forward between the schedule and this day; New York has done so before.
    const id = await draft("local");
    await post(`/${id}/schedule`, { send_at: "2026-03-30T09:00:00Z", local_time: true });
    const reached = async (instant: string) => {
      clock.set(instant);
      await work();
      return (await deliveriesOf(id)).map(({ person_id }) => person_id).toSorted();
    };
    expect(await reached("2026-03-29T18:59:59Z")).toEqual([]);
    expect(await reached("2026-03-29T20:00:00Z")).toEqual(["early"]);
    expect(await reached("2026-03-30T06:59:59Z")).toEqual(["early"]);
    expect(await reached("2026-03-30T07:00:00Z")).toEqual(["early", "mid"]);
    expect(await reached("2026-03-30T09:00:00Z")).toEqual(["early", "mid", "none"]);
    expect(await read(id)).toMatchObject({ status: "sending", progress: { total: 4, done: 3 } });
    expect(await reached("2026-03-30T13:00:00Z")).toEqual(["early", "late", "mid", "none"]);
    expect(await read(id)).toMatchObject({ status: "sent" });
  });

  test("fails with a reason if in-app is switched off by then, or its message was removed", async () => {
    const message = await define();
    const [off, gone] = [await draft("off"), await draft("off", { message_id: message })];
    const sendAt = (ms: number) => ({ send_at: new Date(clock.now().getTime() + ms).toISOString() });
    await post(`/${off}/schedule`, { ...sendAt(HOUR), allow_empty: true });
    await post(`/${gone}/schedule`, { ...sendAt(2 * HOUR), allow_empty: true });
    const allow = (allow_in_app: boolean) => it.call("PATCH", "/api/v1/workspace", { body: { allow_in_app } });
    await allow(false);
    clock.forward(HOUR);
    await work();
    await allow(true);
    expect(await read(off)).toMatchObject({ status: "failed", reason: expect.stringMatching(/^in_app_disabled: /) });
    await removeUsed(message);
    clock.forward(HOUR);
    await work();
    expect(await read(gone)).toMatchObject({ status: "failed", reason: expect.stringMatching(/^content_missing: /) });
  });

  test("can be changed, rescheduled, sent at once and canceled", async () => {
    await identify("mover", { group: "moved" });
    const id = await draft("moved");
    await post(`/${id}/schedule`, { send_at: new Date(clock.now().getTime() + HOUR).toISOString() });
    expect((await it.call("PATCH", `/api/v1/broadcasts/${id}`, { body: { name: "New" } })).body.name).toBe("New");
    const later = new Date(clock.now().getTime() + 5 * HOUR).toISOString();
    expect((await post(`/${id}/schedule`, { send_at: later })).body.send_at).toBe(later);
    expect((await post(`/${id}/send`)).body).toMatchObject({ status: "sending", send_at: null });
    const other = await draft("moved");
    await post(`/${other}/schedule`, { send_at: later });
    expect((await post(`/${other}/cancel`)).body).toMatchObject({ status: "canceled" });
    clock.forward(6 * HOUR);
    await work();
    expect(await deliveriesOf(other)).toEqual([]);
  });
});
