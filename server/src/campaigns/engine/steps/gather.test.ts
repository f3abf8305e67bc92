import { expect, test } from "vitest";
import { inShards } from "../../../../test/support/database/citus.ts";
import { engineService } from "../../../../test/support/services/engine.ts";
import { until } from "../../../../test/support/wait.ts";
import { personKey } from "../../../people/index.ts";
import { sql } from "../../../platform/db/index.ts";
import { encodeId } from "../../../platform/ids.ts";
import type { Published } from "../../definition/published.ts";
import { round } from "../round.ts";

// The step that gathers the runs of one person and key.

const engine = await engineService();
const { it, clock, identify, campaign, begin, settle, forward, runOf, passagesOf, passed, deliveries } = engine;
const { ground } = it.service;
const { db } = ground;
const HOUR = 3_600_000;
const hour = { amount: 1, unit: "hours" };
const content = {
  body: "{{batch.items[0].by}}{% if batch.count > 1 %} and {{batch.count | minus: 1}} others{% endif %}:{% for item in batch.items %} {{item.text}}{% endfor %}",
};
const digest = (own: object = {}) => [
  { id: "wait", type: "batch", key: "trigger.post", window: hour, ...own },
  { id: "tell", type: "message", channel: "sms", content },
];
const author = (id: string, phone: number) => identify(id, { phone: `+4179${String(phone).padStart(7, "0")}` });
/** Lets a person in once for each text, a millisecond after the other. */
async function comments(of: Published, who: string, post: string, ...texts: string[]): Promise<string[]> {
  const runs: string[] = [];
  for (const text of texts) {
    clock.forward(1);
    runs.push(...(await begin(of, [who], { post, by: text.toUpperCase(), text })));
  }
  return runs;
}
const said = async (of: Published) =>
  (await deliveries(of)).map((one) => (one.content as { body: string }).body).sort();
const batches = (of: Published) =>
  db.query<{ open: boolean; count: number; run_ids: string[] }>(
    sql`select open, count, run_ids from campaign_batches where campaign_id = ${of.campaignId} order by count`,
  );
const call = (of: Published, run: string, what: string, body?: object) =>
  it.call("POST", `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}/runs/${encodeId("run", run)}/${what}`, {
    ...(body && { body }),
  });
const history = async (of: Published, run: string) =>
  (await it.call("GET", `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}/runs/${encodeId("run", run)}`)).body
    .history;

test("the first run waits for the window and goes on once with the data of all; the others end, and name it", async () => {
  await author("poster", 1);
  const of = await campaign(digest());
  const [first = ""] = await comments(of, "poster", "p1", "ada");
  await settle();
  const more = await comments(of, "poster", "p1", "bob", "cem");
  const other = await comments(of, "poster", "p2", "dee");
  await settle();
  expect(await runOf(more[0] ?? "")).toMatchObject({ status: "completed", reason: "batched" });
  expect(await passagesOf(more[1] ?? "")).toMatchObject([
    { step_id: "wait", state: "passed", reason: "batched", detail: { run_id: encodeId("run", first) } },
  ]);
  expect(await history(of, first)).toMatchObject([{ step_id: "wait", state: "waiting", detail: { count: 3 } }]);
  await forward(HOUR - 10);
  expect(await said(of)).toEqual([]);
  await forward(10);
  expect(await said(of)).toEqual(["ADA and 2 others: ada bob cem", "DEE: dee"]);
  expect(await passed(first)).toEqual(["tell passed", "wait passed"]);
  expect(await history(of, first)).toMatchObject([{ step_id: "wait", detail: { count: 3 } }, { step_id: "tell" }]);
  expect((await runOf(other[0] ?? "")).status).toBe("completed");
  expect(await batches(of)).toEqual([]);
  await comments(of, "poster", "p1", "eve");
  await forward(HOUR);
  expect(await said(of)).toContain("EVE: eve");
});

test("a full batch goes on at once, the next run leads another one, and people are apart", async () => {
  await author("full-a", 2);
  await author("full-b", 3);
  const of = await campaign(digest({ max: 2 }));
  await comments(of, "full-a", "p", "a1");
  await comments(of, "full-b", "p", "b1");
  await settle();
  expect(await said(of)).toEqual([]);
  await comments(of, "full-a", "p", "a2", "a3", "a4", "a5");
  await settle();
  expect(await said(of)).toEqual(["A1 and 1 others: a1 a2", "A3 and 1 others: a3 a4"]);
  await forward(HOUR);
  expect(await said(of)).toEqual(["A1 and 1 others: a1 a2", "A3 and 1 others: a3 a4", "A5: a5", "B1: b1"]);
});

test.skipIf(inShards)(
  "a full batch whose leader another transaction has locked is woken after that transaction",
  async () => {
    await author("held", 4);
    const of = await campaign(digest({ max: 2 }));
    const [first = ""] = await comments(of, "held", "p", "a1");
    await settle();
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = db.transaction(async (tx) => {
      await tx.query(sql`select from campaign_runs where id = ${first} for no key update`);
      locked.resolve();
      await released.promise;
    });
    await Promise.race([locked.promise, held]);
    try {
      await comments(of, "held", "p", "a2");
      await settle();
      expect((await runOf(first)).due_at?.getTime()).toBeGreaterThan(clock.now().getTime());
    } finally {
      released.resolve();
      await held;
    }
    await until(async () => (await runOf(first)).due_at?.getTime() === clock.now().getTime(), "the leader is woken");
    await settle();
    expect(await said(of)).toEqual(["A1 and 1 others: a1 a2"]);
  },
);

test("workers at once gather each run exactly once, also while leaders leave, and count beyond the items", async () => {
  await author("busy", 5);
  const of = await campaign(digest());
  const many = async (count: number) => {
    for (let i = 0; i < count; i += 50)
      await begin(of, Array(50).fill("busy"), { post: `p${i % 3}`, by: "x", text: "t" });
  };
  let begun = 0;
  for (let i = 0; i < 4; i++) {
    await many(300);
    begun += 300;
    clock.forward(HOUR / 2);
    await Promise.all([round(ground, 60_000), round(ground, 60_000), many(100)]);
    begun += 100;
  }
  await settle();
  await forward(HOUR);
  expect(await batches(of)).toEqual([]);
  const rows = await db.query<{ reason: string | null; batch: { count: number; items: unknown[] } | null }>(
    sql`select reason, outputs -> 'wait' -> 'batch' as batch from campaign_runs where campaign_id = ${of.campaignId}`,
  );
  const leaders = rows.flatMap(({ batch }) => (batch ? [batch] : []));
  expect(rows).toHaveLength(begun);
  expect(leaders.reduce((sum, { count }) => sum + count, 0)).toBe(begun);
  expect(rows.filter(({ reason }) => reason === "batched")).toHaveLength(begun - leaders.length);
  expect(await deliveries(of)).toHaveLength(leaders.length);
  expect(leaders.some(({ count }) => count > 100)).toBe(true);
  expect(leaders.every(({ count, items }) => items.length === Math.min(count, 100))).toBe(true);
});

test("the database refuses a second open batch of a key", async () => {
  await author("one", 6);
  const of = await campaign(digest());
  await comments(of, "one", "p", "a");
  await settle();
  await expect(
    db.execute(sql`
      insert into campaign_batches select person_key, gen_random_uuid(), step_id, workspace_id, campaign_id, key, open, count, run_ids
      from campaign_batches where campaign_id = ${of.campaignId}`),
  ).rejects.toThrow(/campaign_batches_open/);
});

test("the window stands still while the campaign is paused", async () => {
  await author("paused", 7);
  const of = await campaign(digest());
  await comments(of, "paused", "p", "a");
  await settle();
  const path = `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}`;
  await it.call("POST", `${path}/pause`);
  await forward(5 * HOUR);
  await it.call("POST", `${path}/resume`);
  await comments(of, "paused", "p", "b");
  await forward(HOUR - 10);
  expect(await said(of)).toEqual([]);
  await forward(10);
  expect(await said(of)).toEqual(["A and 1 others: a b"]);
});

test("a run that an operator skips or moves takes along what it gathered; one that is ended keeps the number, and the next run leads", async () => {
  await author("op", 8);
  const of = await campaign([...digest(), { id: "later", type: "message", channel: "sms", content }]);
  const [skips = ""] = await comments(of, "op", "p1", "a", "b");
  const [moves = ""] = await comments(of, "op", "p2", "c", "d");
  const [ends = ""] = await comments(of, "op", "p3", "e", "f");
  await settle();
  expect((await call(of, skips, "skip")).status).toBe(200);
  expect((await call(of, moves, "move", { step_id: "later" })).status).toBe(200);
  expect((await call(of, ends, "end")).status).toBe(200);
  await settle();
  expect(await said(of)).toEqual(["A and 1 others: a b", "A and 1 others: a b", "C and 1 others: c d"]);
  expect(await history(of, ends)).toMatchObject([{ state: "exited", reason: "ended", detail: { count: 2 } }]);
  await comments(of, "op", "p3", "g");
  await forward(HOUR);
  expect(await said(of)).toContain("G: g");
  expect(await batches(of)).toMatchObject([{ open: false, count: 2 }]);
});

test("later content reads the batch that was gathered last, and each one by its step", async () => {
  await author("twice", 9);
  const last = { body: "{{batch.count}} {{steps.wait.batch.count}} {{steps.more.batch.items[0].text}}" };
  const of = await campaign([
    { id: "wait", type: "batch", key: "trigger.post", window: hour },
    { id: "more", type: "batch", window: hour },
    { id: "tell", type: "message", channel: "sms", content: last },
  ]);
  await comments(of, "twice", "p1", "a", "b");
  await comments(of, "twice", "p2", "c");
  await forward(HOUR);
  await forward(HOUR);
  expect(await said(of)).toEqual(["2 2 a"]);
});

test("items end where their data together is longer than 128 KiB, and the count goes on", async () => {
  await author("long", 10);
  const of = await campaign(digest());
  await comments(of, "long", "p", "x".repeat(60_000), "y".repeat(60_000), "z");
  await settle();
  const [run] = await db.query<{ id: string }>(
    sql`select id from campaign_runs where campaign_id = ${of.campaignId} and step_id is not null`,
  );
  await forward(HOUR);
  const { batch } = (await runOf(run?.id ?? "")).outputs.wait ?? {};
  expect([batch?.count, batch?.items.length]).toEqual([3, 1]);
});

test("an export has the batches of a person, erasing removes them, and two merged people have one open batch of a key", async () => {
  const of = await campaign(digest());
  for (const [i, id] of ["keep", "gone", "erased"].entries()) {
    await author(id, 11 + i);
    await comments(of, id, "p", id);
  }
  await settle();
  const exported = await it.call("GET", "/api/v1/people/erased/export");
  expect(exported.body.campaign_batches).toMatchObject([{ step_id: "wait", open: true, count: 1 }]);
  expect((await it.call("DELETE", "/api/v1/people/erased")).status).toBe(204);
  expect((await it.call("POST", "/api/v1/people/gone/merge", { body: { into: "keep" } })).status).toBe(200);
  const rows = await db.query<{ person_key: string; open: boolean }>(
    sql`select person_key, open from campaign_batches where campaign_id = ${of.campaignId} order by open`,
  );
  const person_key = personKey(it.workspaceId, "keep");
  expect(rows).toEqual([
    { person_key, open: false },
    { person_key, open: true },
  ]);
  await comments(of, "keep", "p", "new");
  await forward(HOUR);
  expect(await said(of)).toEqual(["GONE: gone", "KEEP and 1 others: keep new"]);
});
