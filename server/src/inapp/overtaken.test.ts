import { expect, test } from "vitest";
import { inShards } from "../../test/support/database/citus.ts";
import { inAppService } from "../../test/support/services/in-app.ts";
import { type Db, type Queries, type Statement, sql } from "../platform/db/index.ts";
import { decodeId, newId } from "../platform/ids.ts";
import { personKey } from "../workspaces/index.ts";
import { moveStates, type StateRow, statesOf } from "./delivery/store.ts";
import { interactor } from "./interact/interact.ts";

// A delivery that changes between the read that an interaction is decided on and the write of what was decided.

const { it, identify, define, send } = await inAppService();
const { ground } = it.service;

interface Sent {
  personKey: string;
  id: string;
}

async function sent(definition: object): Promise<Sent> {
  const person = newId();
  await identify(person);
  const id = decodeId("dlv", await send(await define(definition), person)) as string;
  return { personKey: personKey(it.workspaceId, person), id };
}

/** Reports an impression, and before each of the first writes runs one of `between`. Gives the outcome and the statements. */
async function impression({ personKey, id }: Sent, ...between: (() => Promise<unknown>)[]) {
  const statements: string[] = [];
  const watched = <Q extends Queries>(q: Q): Q => ({
    ...q,
    query: async <R>(statement: Statement) => {
      statements.push(statement.name ?? statement.text);
      // In shards the log is written by a second statement of a transaction.
      if (["inapp.moveAndLog", "inapp.moveStates"].includes(statement.name ?? "")) await between.shift()?.();
      return q.query<R>(statement);
    },
  });
  const transaction: Db["transaction"] = (work) => ground.db.transaction((tx) => work(watched(tx)));
  const db: Db = { ...watched(ground.db), transaction };
  const report = { deliveryId: id, type: "impression" as const };
  const [outcome] = await interactor({ ...ground, db })({
    workspaceId: it.workspaceId,
    personKey,
    reports: [report],
  });
  expect(between).toEqual([]);
  return { outcome, statements };
}

const kept = async ({ personKey, id }: Sent) =>
  (
    await ground.db.query(sql`
      select d.impressions, d.status, (select count(*) from activity a where a.person_key = d.person_key and a.delivery_id = d.id
        and a.type = 'in_app.impression') as logged
      from deliveries d where d.person_key = ${personKey} and d.id = ${id}`)
  )[0];

const ONCE = ["inapp.statesOf", "inapp.moveAndLog"];

test.skipIf(inShards)(
  "an impression of a delivery that was marked as read meanwhile is decided again, and counts once",
  async () => {
    const one = await sent({ render_type: "inbox_card" });
    const mark = () => ground.db.execute(sql`update deliveries set read_at = now() where id = ${one.id}`);
    const { outcome, statements } = await impression(one, mark, mark);
    expect(outcome).toEqual({ status: "shown", recorded: true });
    expect(statements).toEqual([...ONCE, ...ONCE, ...ONCE]);
    expect(await kept(one)).toEqual({ impressions: 1, status: "shown", logged: 1 });
  },
);

test("an impression that is written after another device's finds the cap reached", async () => {
  const one = await sent({});
  const { outcome } = await impression(one, () => impression(one));
  expect(outcome).toEqual({ status: "shown", recorded: false });
  expect(await kept(one)).toEqual({ impressions: 1, status: "shown", logged: 1 });
});

test("an impression of a delivery that is gone meanwhile is not found", async () => {
  const one = await sent({});
  const { outcome } = await impression(one, () =>
    ground.db.execute(sql`delete from deliveries where person_key = ${one.personKey}`),
  );
  expect(outcome).toBeUndefined();
});

test("an impression of a delivery whose row has moved, because the table was rewritten, counts once", async () => {
  const others = [await sent({}), await sent({})];
  const one = await sent({});
  for (const other of others)
    await ground.db.execute(sql`delete from deliveries where person_key = ${other.personKey}`);
  const { outcome } = await impression(one, () => ground.db.execute(sql`vacuum full deliveries`));
  expect(outcome).toEqual({ status: "shown", recorded: true });
  expect(await kept(one)).toEqual({ impressions: 1, status: "shown", logged: 1 });
});

test.skipIf(inShards)(
  "a row is updated only if its position, its writer and its id are still those that were read",
  async () => {
    const [one, other] = [await sent({}), await sent({})];
    const [first, second] = (await statesOf(ground.db, [one, other])) as [StateRow, StateRow];
    const moved = (id: string, from: StateRow) =>
      ground.db.transaction((tx) =>
        moveStates(tx, [{ id, from, to: { ...from, impressions: 1, status: "shown" } }], new Date()),
      );
    expect((await moved(one.id, second)).size).toBe(0);
    expect((await moved(one.id, { ...first, place: second.place })).size).toBe(0);
    expect((await moved(one.id, { ...first, writer: second.writer })).size).toBe(0);
    expect((await moved(one.id, first)).size).toBe(1);
    expect((await moved(one.id, first)).size).toBe(0);
  },
);

test("states are returned in the order of the keys, undefined for deliveries that the person does not have", async () => {
  const [one, other] = [await sent({}), await sent({})];
  const found = await statesOf(ground.db, [other, { ...one, personKey: other.personKey }, one]);
  expect(found.map((row) => row?.message_id)).toEqual([expect.any(String), undefined, expect.any(String)]);
  if (!inShards) expect(found[0]?.place).not.toBe(found[2]?.place);
});
