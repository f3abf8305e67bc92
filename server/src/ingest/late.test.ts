import { expect, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { waitingForLocks } from "../../test/support/database/locks.ts";
import { engineService } from "../../test/support/services/engine.ts";
import { until } from "../../test/support/wait.ts";
import { record } from "../activity/index.ts";
import { recordEvents } from "../events/index.ts";
import { createUnlessErased, personKey } from "../people/index.ts";
import { eraseLate } from "../people/holdings/late.ts";
import { raw, sql } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";
import { mergeLateRows } from "./merge.ts";

// What a transaction writes of a person who is merged or erased before it ends.

const { it, clock, campaign, identify, settle, define, send, sync } = await engineService();
const { ground } = it.service;
const { db } = ground;

const merge = (from: string, into: string) => it.call("POST", `/api/v1/people/${from}/merge`, { body: { into } });
const erase = (id: string) => it.call("DELETE", `/api/v1/people/${id}`);
const exported = async (id: string) => (await it.call("GET", `/api/v1/people/${id}/export`)).body;
const track = (person_id: string, eventName: string) =>
  it.call("POST", "/data-gateway/v1/track", { body: { person_id, eventName } });
const rowsOf = (table: string, id: string) =>
  db.query(sql`select * from ${raw(table)} where person_key = ${personKey(it.workspaceId, id)}`);

async function people(): Promise<[string, string]> {
  const [from, into] = [`from-${newId()}`, `into-${newId()}`];
  await identify(from);
  await identify(into);
  return [from, into];
}

/** Records an event of a person, as `track` does, in a transaction that ends after something else has happened. */
const recordDuring = (personId: string, name: string, meanwhile: () => Promise<{ status: number }>): Promise<void> =>
  db.transaction(async (tx) => {
    const whom = { workspaceId: it.workspaceId, personId, personKey: personKey(it.workspaceId, personId) };
    await createUnlessErased(tx, [whom], clock.now());
    await recordEvents(tx, [{ ...whom, name, properties: {}, ts: undefined, eventId: undefined }], clock.now());
    expect((await meanwhile()).status).toBeLessThan(300);
  });

test("an event that was being recorded during a merge becomes the target's, and the campaign that it began goes on", async () => {
  const steps = [{ id: "note", type: "update", attributes: { came: "yes" } }];
  await campaign(steps, { trigger: { type: "event", name: "came late" } });
  const [from, into] = await people();
  await recordDuring(from, "came late", () => merge(from, into));
  expect((await exported(into)).events).toEqual([]);
  await settle();
  expect(await rowsOf("campaign_runs", from)).toMatchObject([{ status: "active" }]);

  await mergeLateRows(ground);
  await settle();
  const all = await exported(into);
  expect(all.events).toMatchObject([{ name: "came late" }]);
  expect(all.campaign_runs).toMatchObject([{ status: "completed" }]);
  expect(all.person.attributes).toEqual({ came: "yes" });
  for (const table of ["events", "activity", "campaign_runs", "campaign_passages"])
    expect(await rowsOf(table, from), table).toEqual([]);
});

test.skipIf(inShards)(
  "a transaction that ends during a merge has all of its rows with one person, also where the old id is created anew",
  async () => {
    const [from, into] = await people();
    const key = personKey(it.workspaceId, from);
    const list = (await it.call("POST", "/api/v1/audiences", { body: { name: newId(), kind: "list" } })).body.id;
    await it.call("PUT", `/api/v1/audiences/${list}/members/${from}`);
    const id = newId();
    let merging: Promise<{ status: number }> | undefined;
    await db.transaction(async (blocking) => {
      await blocking.query(sql`select from audience_members where person_key = ${key} for update`);
      merging = merge(from, into);
      await until(async () => (await waitingForLocks(db)) === 1, "the merge in the midst of its moves", 900);
      await db.transaction(async (tx) => {
        await tx.execute(sql`
          insert into deliveries (person_key, id, workspace_id, channel, source, status, queued_at)
          values (${key}, ${id}, ${it.workspaceId}, 'sms', 'test', 'sent', ${clock.now()})`);
        await record(tx, [
          { workspaceId: it.workspaceId, personKey: key, type: "sms.sent", deliveryId: id, at: clock.now() },
        ]);
      });
    });
    expect((await merging)?.status).toBe(200);
    await identify(from);
    await mergeLateRows(ground);
    const whose = await db.query<{ key: string }>(sql`
      select person_key as key from deliveries where id = ${id}
      union all select person_key from activity where delivery_id = ${id}`);
    expect(new Set(whose.map((row) => row.key)).size).toBe(1);
    expect(whose).toHaveLength(2);
  },
);

test("of a broadcast that was being queued for a person during a merge, and that the target has too, one copy stays", async () => {
  const [from, into] = await people();
  const [source, target] = [from, into].map((id) => personKey(it.workspaceId, id));
  await send(await define(), into);
  expect((await merge(from, into)).status).toBe(200);
  const broadcast = newId();
  await db.execute(sql`
    update deliveries set source = 'broadcast', source_id = ${broadcast} where person_key = ${target}`);
  await db.execute(sql`
    insert into deliveries
      (person_key, id, workspace_id, channel, source, source_id, status, queued_at, message_id, message_version, live)
    select ${source}, ${newId()}, workspace_id, channel, source, source_id, status, queued_at, message_id, message_version, live
    from deliveries where person_key = ${target}`);

  await mergeLateRows(ground);
  expect(await sync(into)).toHaveLength(1);
  expect((await exported(into)).deliveries.map(({ status }: { status: string }) => status).sort()).toEqual([
    "canceled",
    "queued",
  ]);
  expect(await rowsOf("deliveries", from)).toEqual([]);
  const log = (await it.call("GET", `/api/v1/people/${into}/activity`)).body.data;
  expect(log).toContainEqual(expect.objectContaining({ type: "in_app.canceled", data: { reason: "merged" } }));
});

test("the rows of a person who was created anew after the merge stay theirs", async () => {
  const [from, into] = await people();
  await recordDuring(from, "before", () => merge(from, into));
  expect((await track(from, "after")).body.recorded).toBe(true);
  await mergeLateRows(ground);
  expect((await exported(from)).events.map(({ name }: { name: string }) => name).sort()).toEqual(["after", "before"]);
  expect((await exported(into)).events).toEqual([]);
});

test("what is left of people who were merged into an erased person is erased, and late data does not bring them back", async () => {
  const [from, into] = await people();
  await recordDuring(from, "secretly", async () => {
    expect((await merge(from, into)).status).toBe(200);
    return await erase(into);
  });
  expect(await rowsOf("events", from)).toHaveLength(1);
  await mergeLateRows(ground);
  await eraseLate(ground);
  expect(await rowsOf("events", from)).toEqual([]);
  for (const id of [from, into]) expect((await track(id, "later")).body.recorded).toBe(false);
  await identify(from);
  expect((await track(from, "again")).body.recorded).toBe(true);
});

test("whoever was created anew after the merge is another person, whom the erasure does not concern", async () => {
  const [from, into] = await people();
  expect((await merge(from, into)).status).toBe(200);
  await identify(from);
  expect((await erase(into)).status).toBe(204);
  expect((await track(from, "later")).body.recorded).toBe(true);
});
