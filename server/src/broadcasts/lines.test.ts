import { expect, test } from "vitest";
import { inAppService } from "../../test/support/services/in-app.ts";
import { type Db, sql } from "../platform/db/index.ts";
import { step } from "./fanout/fanout.ts";

// Two batches at once, each in a transaction of its own, and a step around them that fails.

const { it, clock, define } = await inAppService();
const { ground } = it.service;
const read = async (id: string) => (await it.call("GET", `/api/v1/broadcasts/${id}`)).body;
const sent = async (id: string) => (await it.call("GET", `/api/v1/broadcasts/${id}/metrics`)).body.sent;

/** Returns a broadcast to a group of new people, after its audience is collected. */
async function collected(group: string, people: number): Promise<string> {
  await ground.db.execute(sql`
    insert into people (person_key, workspace_id, person_id, attributes, identified_at, created_at, updated_at)
    select gen_random_uuid(), ${it.workspaceId}, ${group}::text || n, jsonb_build_object('group', ${group}::text), '2026-01-01', '2026-01-01', '2026-01-01'
    from generate_series(1, ${people}::integer) n`);
  const audience = { attribute: "group", op: "eq", value: group };
  const body = { name: "Lines", channel: "in_app", audience, message_id: await define() };
  const { id } = (await it.call("POST", "/api/v1/broadcasts", { body })).body;
  await it.call("POST", `/api/v1/broadcasts/${id}/send`);
  await step(ground);
  expect((await read(id)).progress).toMatchObject({ total: people, done: 0 });
  return id;
}

async function rest(): Promise<void> {
  while (await step(ground, 0));
}

test("a step that dies after its batches leaves the progress late, and the next step corrects it", async () => {
  const id = await collected("late", 1_700);
  let outermost = true;
  const workDb: Db = {
    ...ground.workDb,
    transaction: (work) => {
      const around = outermost;
      outermost = false;
      return ground.workDb.transaction(async (tx) => {
        const result = await work(tx);
        if (around) throw new Error("killed");
        return result;
      });
    },
  };
  expect(await step({ ...ground, workDb }, 0)).toBe(false);
  expect(await sent(id)).toBe(1_000);
  expect((await read(id)).progress).toMatchObject({ total: 1_700, done: 0 });
  clock.forward(5_000);
  await rest();
  expect(await read(id)).toMatchObject({ status: "sent", progress: { total: 1_700, done: 1_700 } });
  expect(await sent(id)).toBe(1_700);
});

test("a batch that another transaction holds is skipped, and the broadcast does not end before that batch is queued", async () => {
  const id = await collected("held", 1_200);
  await ground.db.transaction(async (tx) => {
    await tx.query(sql`select from broadcast_pages limit 1 for update`);
    await rest();
    expect((await read(id)).status).toBe("sending");
    expect(await sent(id)).toBeLessThan(1_200);
  });
  clock.forward(1_000);
  await rest();
  expect(await read(id)).toMatchObject({ status: "sent", progress: { done: 1_200 } });
  expect(await sent(id)).toBe(1_200);
});
