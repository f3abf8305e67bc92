import { expect, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { noted, plansOf } from "../../test/support/database/plans.ts";
import { inAppService } from "../../test/support/services/in-app.ts";
import { pageOfKeys } from "../audiences/index.ts";
import { findPeopleByKeys, findStatesByKeys } from "../people/index.ts";
import { type Db, type Statement, sql } from "../platform/db/index.ts";
import { newId } from "../platform/ids.ts";
import { step } from "./fanout/fanout.ts";
import { claimDue } from "./fanout/work-store.ts";
import { cutBatch, remaining, takeBatch } from "./recipients/batch-store.ts";

// The statements of a fan-out: how many there are, and that each finds its rows by an index.

const { it, define } = await inAppService();
const { ground } = it.service;

async function started(audience: object): Promise<string> {
  const body = { name: "Plans", channel: "in_app", audience, message_id: await define() };
  const { id } = (await it.call("POST", "/api/v1/broadcasts", { body })).body;
  expect((await it.call("POST", `/api/v1/broadcasts/${id}/send`)).status).toBe(200);
  return id;
}

const crowd = (name: string, count: number) =>
  ground.db.execute(sql`
    insert into people (person_key, workspace_id, person_id, timezone, attributes, identified_at, created_at, updated_at)
    select gen_random_uuid(), ${it.workspaceId}, ${name}::text || n, 'Europe/Berlin', jsonb_build_object('group', ${name}::text), '2026-01-01', '2026-01-01',
      '2026-01-01' from generate_series(1, ${count}::integer) n`);

test("a batch takes seven statements, for any number of people", async () => {
  await crowd("counted", 700);
  const id = await started({ attribute: "group", op: "eq", value: "counted" });
  await step(ground);
  const batches: string[][] = [];
  const workDb: Db = {
    ...ground.workDb,
    transaction: (work) =>
      ground.workDb.transaction(async (tx) => {
        const seen: Statement[] = [];
        const result = await work(noted(tx, seen));
        batches.push(seen.map(({ name, text }) => name ?? text.trim().split(/\s+/).slice(0, 3).join(" ")));
        return result;
      }),
  };
  await step({ ...ground, workDb }, 0);
  expect((await it.call("GET", `/api/v1/broadcasts/${id}`)).body).toMatchObject({
    status: "sent",
    progress: { done: 700 },
  });
  const [first, second, around] = batches;
  expect(first?.toSorted()).toEqual([
    "broadcasts.dropBatch",
    "broadcasts.takeBatch",
    ...(inShards ? ["insert into deliveries"] : ["inapp.insertDeliveries"]),
    "people.mergesOf",
    "people.preventMerges",
    "people.statesByKeys",
    // A shard would write the number of a transaction of its own.
    ...(inShards ? ["select pg_current_xact_id()::text as"] : []),
  ]);
  expect(second).toEqual(first);
  // The step around the batches claims the row, reads the workspace, counts the remaining people and writes the row; the last one notes
  // the end in the log of changes. A process reads the message once.
  expect(around?.filter((name) => name !== "inapp.versionsOf")).toHaveLength(5);
});

test.skipIf(inShards)("every statement finds its rows by an index among many rows", async () => {
  await crowd("many", 40_000);
  await ground.db.execute(sql`
    insert into broadcasts (workspace_id, id, name, channel, audience, subscription_preference, status, next_at, created_at, updated_at)
    select ${it.workspaceId}, gen_random_uuid(), 'b' || n, 'in_app', '{}', 'all', 'sending', case when n % 500 = 0 then '2026-01-01'::timestamptz + n * interval '1 s' end,
      now(), now() from generate_series(1, 5000) n`);
  await ground.db.execute(sql`
    insert into broadcast_pages (workspace_id, broadcast_id, due_at, id, person_keys)
    select ${it.workspaceId}, b.id, '2026-01-01', gen_random_uuid(), array[gen_random_uuid()] from broadcasts b, generate_series(1, 3)`);
  await ground.db.execute(sql`analyze people, broadcasts, broadcast_pages`);
  const [of] = await ground.db.query<{ workspace_id: string; id: string }>(
    sql`select workspace_id, id from broadcasts limit 1`,
  );
  if (!of) throw new Error("no broadcast");
  const keys = (
    await ground.db.query<{ person_key: string }>(sql`select person_key from people order by person_key limit 20`)
  ).map((row) => row.person_key);
  const now = new Date();
  const seen: Statement[] = [];
  await ground.db.transaction(async (tx) => {
    const spy = noted(tx, seen);
    await claimDue(spy, now);
    await pageOfKeys(spy, it.workspaceId, { filter: { all: [] }, cursor: keys[10], limit: 1_000, now });
    const batch = await takeBatch(spy, of, now);
    await remaining(spy, of);
    await findStatesByKeys(spy, keys);
    await findPeopleByKeys(spy, keys);
    if (batch) await cutBatch(spy, of, batch, [newId()]);
    if (batch) await cutBatch(spy, of, batch, []);
  });
  const asked = seen.filter(({ text }) => !text.startsWith("set local"));
  expect(asked).toHaveLength(8);
  for (const plan of await plansOf(ground.db, asked)) {
    expect(plan).not.toMatch(/Seq Scan/);
    expect(plan).toMatch(/(?:using|on) (?:broadcasts|broadcast_pages|people)_\w+/);
  }
});
