import { expect, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { birthday, pause, scheduledService } from "../../../test/support/campaigns/scheduled.ts";
import { noted, plansOf } from "../../../test/support/database/plans.ts";
import { type Statement, sql } from "../../platform/db/index.ts";
import { encodeId, newId } from "../../platform/ids.ts";
import { peopleWithDate } from "../schedule/occurrences-store.ts";
import { zonesOf } from "../schedule/schedules-store.ts";
import { doNext } from "./next-work.ts";

const { clock, it, ground, db, moveTo, call, activate, work, nextYear } = await scheduledService();

test("a trigger that is incomplete or has an offset of less than days can't be activated", async () => {
  const problems = async (trigger: object) => {
    const made = await call("POST", "/api/v1/campaigns", { name: newId(), trigger, steps: [pause] });
    const { body } = await call("POST", `/api/v1/campaigns/${made.body.id}/validate`, {});
    return body.problems.map((one: { code: string; pointer: string }) => `${one.code} ${one.pointer}`);
  };
  const offset = { amount: 2, unit: "hours", direction: "before" };
  expect(await problems({ type: "date", attribute: "born", offset })).toEqual([
    "field_missing /trigger/at",
    "field_invalid /trigger/offset/unit",
  ]);
  const audience_id = encodeId("aud", newId());
  expect(await problems({ type: "recurring", days: ["mon"], at: "09:00", audience_id })).toEqual([
    "audience_gone /trigger/audience_id",
  ]);
});

test("work that fails is put off for five minutes, and repeated by the loop after a deadlock", async () => {
  const until: Date[] = [];
  const failing = (error: Error) =>
    doNext(ground, {
      failed: "it failed",
      take: async () => ({ campaign_id: newId() }),
      work: () => Promise.reject(error),
      putOff: async (_tx, _one, at) => until.push(at),
    });
  expect(await failing(new Error("the audience can't be evaluated"))).toBe(true);
  await expect(failing(Object.assign(new Error("deadlock detected"), { code: "40P01" }))).rejects.toThrow("deadlock");
  expect(until).toEqual([new Date(clock.now().getTime() + 300_000)]);
});

test("pages of 2,000 people are read by the index of their zone, and all of 4,500 enter once", async () => {
  const { workspaceId, secretKey } = await it.another();
  moveTo(secretKey);
  const y = nextYear();
  clock.set(`${y}-05-16T12:00:00Z`);
  await db.execute(sql`
    insert into people (person_key, workspace_id, person_id, timezone, attributes, identified_at, created_at, updated_at)
    select gen_random_uuid(), ${workspaceId}, 'p' || n, case when n % 3 = 0 then 'Asia/Tokyo' end, '{"born": "1990-05-17"}', now(), now(), now()
    from generate_series(1, 4500) n`);
  const id = await activate({ ...birthday });
  clock.set(`${y}-05-17T12:00:00Z`);
  await Promise.all([work(), work()]);
  const { body } = await call("GET", `/api/v1/campaigns/${id}/metrics`);
  expect(body.occurrences).toEqual([{ date: `${y}-05-17`, status: "done", entered: 4_500, unreadable: 0 }]);
});

test.skipIf(inShards)(
  "planning and reading cost no look at other people: the statements use the index of zones",
  async () => {
    const { workspaceId } = await it.another();
    await db.execute(sql`
    insert into people (person_key, workspace_id, person_id, timezone, attributes, identified_at, created_at, updated_at)
    select gen_random_uuid(), ${workspaceId}, 'p' || n, case when n % 100 = 0 then 'Asia/Tokyo' else 'Europe/Berlin' end, '{}', now(), now(), now()
    from generate_series(1, 50000) n`);
    await db.execute(sql`analyze people`);
    const seen: Statement[] = [];
    const spy = noted(db, seen);
    expect(await zonesOf(spy, workspaceId)).toEqual(["Asia/Tokyo", "Europe/Berlin"]);
    const page = { workspaceId, zone: "Asia/Tokyo", after: null, limit: 2_000 };
    expect(await peopleWithDate(spy, page, { attribute: "born", dates: ["05-17"] })).toMatchObject({ read: 500 });
    for (const plan of await plansOf(db, seen)) {
      expect(plan).toContain("people_zone");
      expect(plan).not.toContain("Seq Scan on people");
    }
  },
);
