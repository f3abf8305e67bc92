import { describe, expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";
import { createMissing } from "../people/index.ts";
import { sql } from "../platform/db/index.ts";
import { decodeId } from "../platform/ids.ts";
import { step } from "./fanout/fanout.ts";

const { it, clock, identify, define, sync } = await inAppService();
const { ground } = it.service;
const message = await define();
const post = (path: string, body?: object) => it.call("POST", `/api/v1${path}`, body ? { body } : {});
const read = async (id: string) => (await it.call("GET", `/api/v1/broadcasts/${id}`)).body;
const remove = (id: string) => it.call("DELETE", `/api/v1/broadcasts/${id}`);
const draft = async (audience: object): Promise<string> => {
  const answer = await post("/broadcasts", { name: "Test", channel: "in_app", message_id: message, ...audience });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
};
async function work(): Promise<void> {
  while (await step(ground, 0));
}

describe("a broadcast to nobody", () => {
  const list = async (name: string) => (await post("/audiences", { name, kind: "list" })).body.id as string;
  test.each([
    ["a filter that nobody matches", async () => ({ audience: { attribute: "nothing", op: "exists" } })],
    ["an empty list", async () => ({ audience_id: await list("Empty") })],
    ["a filter of an empty list", async () => ({ audience: { all: [{ audience: await list("Inner") }] } })],
  ])(
    "by %s is shown by the preflight, refused, and with allow_empty sent at once without deliveries",
    async (_what, audience) => {
      await identify("somebody");
      const id = await draft(await audience());
      expect((await post(`/broadcasts/${id}/preflight`)).body).toMatchObject({ audience: 0, will_receive: 0 });
      const send_at = new Date(clock.now().getTime() + 60_000).toISOString();
      for (const refused of [
        await post(`/broadcasts/${id}/send`),
        await post(`/broadcasts/${id}/schedule`, { send_at }),
      ])
        expect(refused).toMatchObject({ status: 422, body: { code: "audience_empty" } });
      expect((await read(id)).status).toBe("draft");
      expect((await post(`/broadcasts/${id}/schedule`, { send_at, allow_empty: true })).body.status).toBe("scheduled");
      expect((await post(`/broadcasts/${id}/send`, { allow_empty: true })).body.status).toBe("sending");
      await work();
      expect(await read(id)).toMatchObject({
        status: "sent",
        reason: "audience_empty",
        progress: { total: 0, done: 0 },
      });
      expect((await read(id)).finished_at).not.toBeNull();
      expect((await it.call("GET", `/api/v1/broadcasts/${id}/metrics`)).body).toMatchObject({ sent: 0, failed: 0 });
      expect((await it.call("GET", `/api/v1/deliveries?source_id=${id}`)).body.data).toEqual([]);
    },
  );

  test("is sent without deliveries if its list is emptied between schedule and send", async () => {
    const audience_id = await list("Emptied");
    await identify("left");
    await it.call("PUT", `/api/v1/audiences/${audience_id}/members/left`);
    const id = await draft({ audience_id });
    const send_at = new Date(clock.now().getTime() + 60_000).toISOString();
    expect((await post(`/broadcasts/${id}/schedule`, { send_at })).status).toBe(200);
    expect((await it.call("DELETE", `/api/v1/audiences/${audience_id}`)).body.code).toBe("conflict");
    await it.call("DELETE", "/api/v1/people/left");
    clock.forward(60_000);
    await work();
    expect(await read(id)).toMatchObject({ status: "sent", reason: "audience_empty", progress: { total: 0, done: 0 } });
  });
});

test("a broadcast can't be removed at any moment while it is sent, but after a cancel it can, and nothing more is queued", async () => {
  const ids = Array.from({ length: 4_500 }, (_, i) => `crowd-${i}`);
  await ground.db.transaction((tx) =>
    createMissing(
      tx,
      ids.map((personId) => ({ workspaceId: it.workspaceId, personId })),
      clock.now(),
    ),
  );
  await ground.db.execute(sql`update people set attributes = '{"crowd": true}' where person_id like 'crowd-%'`);
  const id = await draft({ audience: { attribute: "crowd", op: "exists" } });
  await post(`/broadcasts/${id}/send`);
  await step(ground, 0);
  const sending = step(ground, 0);
  const during = await Promise.all([remove(id), remove(id)]);
  expect(during.map(({ body }) => body.code)).toEqual(["wrong_status", "wrong_status"]);
  const [canceled, removed] = await Promise.all([post(`/broadcasts/${id}/cancel`), remove(id)]);
  expect(canceled.body.status).toBe("canceled");
  expect([204, 409]).toContain(removed.status);
  if (removed.status === 409) expect((await remove(id)).status).toBe(204);
  await sending;
  const out = async () => {
    const [row] = await ground.db.query<{ n: number; people: number }>(sql`
      select count(*) as n, count(distinct person_key) as people from deliveries where source_id = ${decodeId("bc", id)}`);
    const pages = await ground.db.query(sql`select from broadcast_pages where broadcast_id = ${decodeId("bc", id)}`);
    return { n: row?.n, people: row?.people, pages: pages.length };
  };
  const after = await out();
  expect(after).toMatchObject({ people: after.n, pages: 0 });
  await work();
  expect(await out()).toEqual(after);
  expect((await it.call("GET", `/api/v1/broadcasts/${id}`)).status).toBe(404);
  expect((await post(`/broadcasts/${id}/send`)).status).toBe(404);
  expect((await remove(id)).status).toBe(404);
});

describe("scheduled at an instant with an offset", () => {
  test.each([
    // Berlin goes from +01:00 to +02:00 at 01:00 UTC on 29 March 2026, and back at 01:00 UTC on 25 October.
    ["after the clocks went forward", "2026-03-28T12:00:00Z", "2026-03-29T03:30:00+02:00", "2026-03-29T01:30:00.000Z"],
    ["in the hour that is skipped", "2026-03-28T12:00:00Z", "2026-03-29T02:30:00+01:00", "2026-03-29T01:30:00.000Z"],
    [
      "in the hour that comes twice, the first time",
      "2026-10-24T12:00:00Z",
      "2026-10-25T02:30:00+02:00",
      "2026-10-25T00:30:00.000Z",
    ],
    [
      "in the hour that comes twice, the second time",
      "2026-10-24T12:00:00Z",
      "2026-10-25T02:30:00+01:00",
      "2026-10-25T01:30:00.000Z",
    ],
  ])("%s, it is sent at that instant and not an hour off", async (what, now, send_at, instant) => {
    clock.set(now);
    await it.call("PATCH", "/api/v1/workspace", { body: { timezone: "Europe/Berlin" } });
    const person = what.replaceAll(/[ ,]+/g, "-");
    await identify(person, { clock: what, timezone: "America/New_York" });
    const id = await draft({ audience: { attribute: "clock", op: "eq", value: what } });
    expect((await post(`/broadcasts/${id}/schedule`, { send_at })).body).toMatchObject({ send_at: instant });
    clock.set(new Date(Date.parse(instant) - 1));
    await work();
    expect(await read(id)).toMatchObject({ status: "scheduled" });
    expect(await sync(person)).toEqual([]);
    clock.set(instant);
    await work();
    expect(await read(id)).toMatchObject({ status: "sent", started_at: instant, progress: { total: 1, done: 1 } });
    expect(await sync(person)).toHaveLength(1);
  });

  test.each([
    "2026-02-30T00:00:00Z",
    "+275760-09-13T00:00:00Z",
    "275760-09-13",
    "",
    "tomorrow",
    "2026-11-01",
    5,
    null,
    {},
    [],
  ])("%j is refused", async (send_at) => {
    const id = await draft({ audience: { all: [] } });
    const answer = await post(`/broadcasts/${id}/schedule`, { send_at });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: "/send_at" }] } });
    expect(await read(id)).toMatchObject({ status: "draft", send_at: null });
  });
});
