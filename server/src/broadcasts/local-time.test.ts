import { describe, expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";
import { step } from "./fanout/fanout.ts";

// Sending when each person's own clock shows a time, on days on which clocks are changed and between them.

const { it, clock, identify, define } = await inAppService();
const { ground } = it.service;
const post = (path: string, body?: object) => it.call("POST", `/api/v1/broadcasts${path}`, body ? { body } : {});
const workspaceIn = (timezone: string) => it.call("PATCH", "/api/v1/workspace", { body: { timezone } });
const read = async (id: string) => (await it.call("GET", `/api/v1/broadcasts/${id}`)).body;

/** Schedules a broadcast at local time to new people of these zones, and returns its id. */
async function scheduled(group: string, zones: Record<string, string>, send_at: string) {
  for (const [name, timezone] of Object.entries(zones)) await identify(name, { group, timezone });
  const audience = { attribute: "group", op: "eq", value: group };
  const draft = await post("", { name: "Test", channel: "in_app", audience, message_id: await define() });
  const { id } = draft.body;
  const answer = await post(`/${id}/schedule`, { send_at, local_time: true });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return id as string;
}

async function work(): Promise<void> {
  while (await step(ground));
}

/** Returns who has it at an instant. */
async function reached(id: string, instant: string): Promise<unknown[]> {
  clock.set(instant);
  await work();
  const { data } = (await it.call("GET", `/api/v1/deliveries?source_id=${id}`)).body;
  return data.map((row: { person_id: string }) => row.person_id).toSorted();
}

describe("at local time", () => {
  test("nine is nine for everyone, even if the clocks of some zones were set back since it was scheduled", async () => {
    clock.set("2026-10-20T12:00:00Z");
    await workspaceIn("Europe/Zurich");
    const zones = { tokyo: "Asia/Tokyo", zurich: "Europe/Zurich", london: "Europe/London", york: "America/New_York" };
    // Zurich and London leave summer time on the 25th, New York a week later.
    const id = await scheduled("autumn", zones, "2026-10-26T09:00:00+01:00");
    expect(await read(id)).toMatchObject({ timezone: "Europe/Zurich", send_at: "2026-10-26T08:00:00.000Z" });
    expect(await reached(id, "2026-10-25T23:59:59Z")).toEqual([]);
    expect(await reached(id, "2026-10-26T00:00:00Z")).toEqual(["tokyo"]);
    expect(await reached(id, "2026-10-26T07:59:59Z")).toEqual(["tokyo"]);
    expect(await reached(id, "2026-10-26T08:00:00Z")).toEqual(["tokyo", "zurich"]);
    expect(await reached(id, "2026-10-26T08:59:59Z")).toEqual(["tokyo", "zurich"]);
    expect(await reached(id, "2026-10-26T09:00:00Z")).toEqual(["london", "tokyo", "zurich"]);
    expect(await reached(id, "2026-10-26T12:59:59Z")).toEqual(["london", "tokyo", "zurich"]);
    expect(await reached(id, "2026-10-26T13:00:00Z")).toEqual(["london", "tokyo", "york", "zurich"]);
    expect((await read(id)).status).toBe("sent");
  });

  test("a time that is skipped becomes later by the skipped hour, and of a time that comes twice the first counts", async () => {
    clock.set("2026-03-27T12:00:00Z");
    await workspaceIn("UTC");
    const spring = await scheduled("gap", { gap: "Europe/Zurich" }, "2026-03-29T02:30:00Z");
    // The clocks jump from 2 to 3: half past three.
    expect(await reached(spring, "2026-03-29T01:29:59Z")).toEqual([]);
    expect(await reached(spring, "2026-03-29T01:30:00Z")).toEqual(["gap"]);
    clock.set("2026-10-23T12:00:00Z");
    const autumn = await scheduled("twice", { twice: "Europe/Zurich" }, "2026-10-25T02:30:00Z");
    expect(await reached(autumn, "2026-10-25T00:29:59Z")).toEqual([]);
    expect(await reached(autumn, "2026-10-25T00:30:00Z")).toEqual(["twice"]);
  });

  test("a change of the workspace's zone moves no scheduled broadcast", async () => {
    clock.set("2026-06-01T12:00:00Z");
    await workspaceIn("Europe/Zurich");
    const id = await scheduled(
      "moved",
      { zurich2: "Europe/Zurich", auckland: "Pacific/Auckland" },
      "2026-06-03T07:00:00Z",
    );
    await workspaceIn("Pacific/Auckland");
    expect(await read(id)).toMatchObject({ timezone: "Europe/Zurich" });
    expect(await reached(id, "2026-06-02T20:59:59Z")).toEqual([]);
    expect(await reached(id, "2026-06-02T21:00:00Z")).toEqual(["auckland"]);
    expect(await reached(id, "2026-06-03T06:59:59Z")).toEqual(["auckland"]);
    expect(await reached(id, "2026-06-03T07:00:00Z")).toEqual(["auckland", "zurich2"]);
  });

  test("a person who changes zone after the audience is fixed is reached at the time of the old zone", async () => {
    clock.set("2026-06-01T12:00:00Z");
    await workspaceIn("UTC");
    const id = await scheduled("flew", { flies: "Europe/Zurich", stays: "Asia/Tokyo" }, "2026-06-03T09:00:00Z");
    // Fixed at nine on Kiritimati.
    expect(await reached(id, "2026-06-02T19:00:00Z")).toEqual([]);
    await identify("flies", { timezone: "Asia/Tokyo" });
    expect(await reached(id, "2026-06-03T00:00:00Z")).toEqual(["stays"]);
    expect(await reached(id, "2026-06-03T07:00:00Z")).toEqual(["flies", "stays"]);
  });

  test("the time left is unknown while the local time of some people is still to come", async () => {
    clock.set("2026-06-01T12:00:00Z");
    const id = await scheduled("pace", { east: "Asia/Tokyo", west: "America/New_York" }, "2026-06-03T09:00:00Z");
    await reached(id, "2026-06-03T00:00:00Z");
    clock.forward(5_000);
    expect(await read(id)).toMatchObject({ status: "sending", progress: { total: 2, done: 1, seconds_left: null } });
    await reached(id, "2026-06-03T13:00:00Z");
    expect(await read(id)).toMatchObject({ status: "sent", progress: { people_per_second: null, seconds_left: 0 } });
  });
});

describe("with a rate", () => {
  test("the pace is the recent one, and the time left follows from it; a pause makes both unknown", async () => {
    clock.set("2026-06-10T12:00:00Z");
    await Promise.all(Array.from({ length: 30 }, (_, i) => identify(`rated${i}`, { group: "rated" })));
    const audience = { attribute: "group", op: "eq", value: "rated" };
    const fields = { name: "Test", channel: "in_app", audience, message_id: await define(), rate_per_second: 2 };
    const { id } = (await post("", fields)).body;
    const unknown = { people_per_second: null, seconds_left: null };
    expect((await read(id)).progress).toEqual({ total: null, done: 0, held_out: 0, ...unknown });
    await post(`/${id}/send`);
    await work();
    expect((await read(id)).progress).toMatchObject({ total: 30, done: 2, ...unknown });
    for (let i = 0; i < 4; i++) {
      clock.forward(1_000);
      await work();
    }
    expect((await read(id)).progress).toMatchObject({ done: 10, people_per_second: 2, seconds_left: 10 });
    await post(`/${id}/pause`);
    expect((await read(id)).progress).toMatchObject({ done: 10, ...unknown });
    await post(`/${id}/resume`);
    await work();
    expect((await read(id)).progress).toMatchObject({ done: 12, ...unknown });
  });
});
