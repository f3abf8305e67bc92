import { describe, expect, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { testClock, testService } from "../../../test/support/service.ts";
import { entriesWhere } from "../../activity/index.ts";
import { createMissing, findPeople, type Person } from "../../people/index.ts";
import { type Db, type Queries, type Statement, sql, type Tx } from "../../platform/db/index.ts";
import { decodeId, derivedId, newId } from "../../platform/ids.ts";
import { type Workspace, workspaceById } from "../../workspaces/index.ts";
import { interactor } from "../interact/interact.ts";
import { expire } from "../jobs.ts";
import { syncer } from "../sync/sync.ts";
import { type Batch, QUEUED, queue } from "./queue.ts";

const clock = testClock("2026-03-10T12:00:00.000Z");
const it = await testService({ clock });
const { ground } = it.service;
const workspace = (await workspaceById(ground.db, it.workspaceId)) as Workspace;

async function people(count: number): Promise<Person[]> {
  const ids = Array.from({ length: count }, () => newId());
  const missing = ids.map((personId) => ({ workspaceId: it.workspaceId, personId }));
  await ground.db.transaction((tx) => createMissing(tx, missing, clock.now()));
  return (await findPeople(
    ground.db,
    ids.map((id) => ({ workspaceId: it.workspaceId, id })),
  )) as Person[];
}

async function message(definition: object = {}): Promise<string> {
  const body = { name: "n", render_type: "modal", body: "b", ...definition };
  return decodeId("msg", (await it.call("POST", "/api/v1/in-app-messages", { body })).body.id) as string;
}

const broadcast = (messageId: string, recipients: Person[]): Batch => ({
  source: "broadcast",
  sourceId: derivedId("broadcast", messageId),
  messageId,
  version: 1,
  recipients: recipients.map((person) => ({ deliveryId: derivedId(messageId, person.person_key), person })),
  now: clock.now(),
});

/** The statements that `db` runs from now on, transactions included. */
function counted(db: Db): { db: Db; texts: string[] } {
  const texts: string[] = [];
  const noted = (q: Queries): Queries => ({
    distributed: q.distributed,
    query: <R>(statement: Statement) => {
      texts.push(statement.name ?? statement.text);
      return q.query<R>(statement);
    },
    execute: (statement) => {
      texts.push(statement.name ?? statement.text);
      return q.execute(statement);
    },
  });
  const wrapped: Db = {
    ...db,
    ...noted(db),
    transaction: (work) => db.transaction((tx) => work({ ...tx, ...noted(tx) })),
  };
  return { db: wrapped, texts };
}

describe("queueing for many", () => {
  test("is one statement, with a log entry for each delivery and one signal after the commit; a repeated batch changes nothing", async () => {
    const batch = broadcast(await message(), await people(500));
    const { db, texts } = counted(ground.db);
    const heard: string[][] = [];
    const end = ground.signals.subscribe(QUEUED, (items) => heard.push(items));
    const outcomes = await db.transaction(async (tx) => {
      const made = await queue(tx, workspace, batch);
      expect(heard).toEqual([]);
      return made;
    });
    expect(outcomes.every((one) => one.status === "queued" && one.fresh)).toBe(true);
    const own = texts.filter((name) => name !== "inapp.versionsOf");
    if (!inShards) expect(own).toEqual(["inapp.insertDeliveries"]);
    else
      expect(own).toEqual([expect.stringContaining("pg_current_xact_id"), expect.stringContaining("into deliveries")]);
    expect(heard.map((items) => items.length)).toEqual([500]);
    const again = await db.transaction((tx) => queue(tx, workspace, batch));
    expect(again.some((one) => one.fresh)).toBe(false);
    expect(heard).toHaveLength(1);
    end();
    const [count] = await ground.db.query<{ rows: number; logs: number }>(sql`
      select count(*) as rows, count(queued_txid) as logs from deliveries where message_id = ${batch.messageId}`);
    expect(count).toEqual({ rows: 500, logs: 500 });
  });

  test("nothing is told of a transaction that is rolled back", async () => {
    const batch = broadcast(await message(), await people(2));
    const heard: string[] = [];
    const end = ground.signals.subscribe(QUEUED, (items) => heard.push(...items));
    await expect(
      ground.db.transaction(async (tx) => {
        await queue(tx, workspace, batch);
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    end();
    expect(heard).toEqual([]);
  });

  test("a person whose content can't be rendered gets a failed delivery with its reason, the others go on", async () => {
    const recipients = await people(3);
    const bad = recipients[1] as Person;
    bad.attributes = { rounds: 100_000_000 };
    const id = await message({ body: "{% for i in (1..person.rounds) %}{{ i }}{% endfor %}!" });
    const outcomes = await ground.db.transaction((tx) => queue(tx, workspace, broadcast(id, recipients)));
    expect(outcomes.map((one) => one.status)).toEqual(["queued", "failed", "queued"]);
    expect(outcomes[1]?.reason).toMatch(/Liquid/);
    const failed = await it.call("GET", `/api/v1/deliveries?person_id=${bad.person_id}`);
    expect(failed.body.data).toMatchObject([{ status: "failed", reason: outcomes[1]?.reason }]);
    const log = await it.call("GET", `/api/v1/people/${bad.person_id}/activity`);
    expect(log.body.data[0]).toMatchObject({ type: "in_app.failed", data: { reason: outcomes[1]?.reason } });
    const sync = syncer(ground);
    expect(await sync(workspace, { person_id: bad.person_id, limit: 10 })).toBe("[]");
    expect(await sync(workspace, { person_id: (recipients[0] as Person).person_id, limit: 10 })).toContain(
      '"body": "!"',
    );
  });

  test("content without Liquid is not copied to the deliveries", async () => {
    const id = await message({ body: "same for all" });
    await ground.db.transaction(async (tx) => queue(tx, workspace, broadcast(id, await people(2))));
    const rows = await ground.db.query(sql`select distinct content from deliveries where message_id = ${id}`);
    expect(rows).toEqual([{ content: null }]);
  });

  test("is refused while in-app is off", async () => {
    const batch = broadcast(await message(), await people(1));
    const off = { ...workspace, allow_in_app: false };
    await expect(ground.db.transaction((tx) => queue(tx, off, batch))).rejects.toMatchObject({
      code: "in_app_disabled",
    });
  });
});

describe("statements of the hot flows", () => {
  test("64 simultaneous syncs are at most two statements, and a single sync is one", async () => {
    const recipients = await people(64);
    const id = await message();
    await ground.db.transaction((tx) => queue(tx, workspace, broadcast(id, recipients)));
    const { db, texts } = counted(ground.db);
    const sync = syncer({ ...ground, db });
    const answers = await Promise.all(
      recipients.map((person) => sync(workspace, { person_id: person.person_id, limit: 10 })),
    );
    expect(answers.every((body) => JSON.parse(body).length === 1)).toBe(true);
    expect(texts.length).toBeLessThanOrEqual(2);
    texts.length = 0;
    await sync(workspace, { person_id: (recipients[0] as Person).person_id, limit: 10 });
    expect(texts).toEqual(["inapp.firstLive"]);
  });

  test("many simultaneous impressions become two batches, each with one read and one guarded update with its log", async () => {
    const recipients = await people(32);
    const id = await message();
    const outcomes = await ground.db.transaction((tx) => queue(tx, workspace, broadcast(id, recipients)));
    const { db, texts } = counted(ground.db);
    const interact = interactor({ ...ground, db });
    const done = await Promise.all(
      outcomes.map(({ deliveryId }, i) =>
        interact({
          workspaceId: it.workspaceId,
          personKey: (recipients[i] as Person).person_key,
          reports: [{ deliveryId, type: "impression" }],
        }),
      ),
    );
    expect(done.flat().every((outcome) => outcome?.recorded)).toBe(true);
    // In shards the log is written by a second statement.
    const writes = inShards ? ["activity.recordFresh", "inapp.moveStates"] : ["inapp.moveAndLog"];
    expect(texts.toSorted()).toEqual([...writes, "inapp.statesOf"].flatMap((name) => [name, name]));
  });

  test("reports of two processes on one delivery never exceed its cap", async () => {
    const [person] = await people(1);
    const id = await message({ persistence: { mode: "persistent_until_dismissed", max_impressions: 30 } });
    const [made] = await ground.db.transaction((tx) => queue(tx, workspace, broadcast(id, [person as Person])));
    // Each of 8 processes reports one after the other, and every event comes from two of them at the same time.
    const processes = Array.from({ length: 8 }, async (_, process) => {
      const interact = interactor(ground);
      let recorded = 0;
      for (let i = 0; i < 12; i++) {
        const [outcome] = await interact({
          workspaceId: it.workspaceId,
          personKey: (person as Person).person_key,
          reports: [{ deliveryId: made?.deliveryId as string, type: "impression", eventId: `${process % 4} ${i}` }],
        });
        if (outcome?.recorded) recorded++;
      }
      return recorded;
    });
    const recorded = (await Promise.all(processes)).reduce((sum, count) => sum + count, 0);
    expect(recorded).toBe(30);
    const [row] = await ground.db.query(sql`
      select d.impressions, d.live, count(a.id) as logged from deliveries d
      join activity a on a.person_key = d.person_key and a.delivery_id = d.id and a.type = 'in_app.impression'
      where d.person_key = ${(person as Person).person_key} group by 1, 2`);
    expect(row).toEqual({ impressions: 30, live: false, logged: 30 });
  });
});

describe("updates", () => {
  test.skipIf(inShards)("an impression that does not end the delivery is a HOT update", async () => {
    const [person] = (await people(1)) as [Person];
    const id = await message({ persistence: { mode: "persistent_until_dismissed" } });
    const [made] = await ground.db.transaction((tx) => queue(tx, workspace, broadcast(id, [person])));
    const updates: number[][] = [];
    const counts = async (q: Queries): Promise<number[]> =>
      (
        await q.query<{ counts: number[] }>(sql`
          select array[n_tup_upd, n_tup_hot_upd]::integer[] as counts from pg_stat_xact_user_tables where relname = 'deliveries'`)
      )[0]?.counts ?? [0, 0];
    const counting = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      ground.db.transaction(async (tx) => {
        const before = await counts(tx);
        const result = await work(tx);
        updates.push((await counts(tx)).map((count, i) => count - (before[i] as number)));
        return result;
      });
    const db: Db = {
      ...ground.db,
      transaction: counting,
      query: (statement) =>
        statement.name === "inapp.moveAndLog" ? counting((tx) => tx.query(statement)) : ground.db.query(statement),
    };
    const deliveryId = made?.deliveryId as string;
    const interact = interactor({ ...ground, db });
    const ask = (type: "impression" | "dismiss") =>
      interact({ workspaceId: it.workspaceId, personKey: person.person_key, reports: [{ deliveryId, type }] });
    await ask("impression");
    await ask("impression");
    await ask("dismiss");
    // [updates, of them HOT]: only the end of a life touches the index.
    expect(updates).toEqual([
      [1, 1],
      [1, 1],
      [1, 0],
    ]);
  });
});

describe("expiry", () => {
  test("the job sets deliveries past their expiry to expired, with a log entry, and leaves the others", async () => {
    const recipients = await people(3);
    const soon = await message({ expiry: { amount: 1, unit: "minutes" } });
    const never = await message();
    for (const id of [soon, never])
      await ground.db.transaction((tx) => queue(tx, workspace, broadcast(id, recipients)));
    const statuses = async (id: string) =>
      (
        await ground.db.query<{ status: string }>(sql`select distinct status from deliveries where message_id = ${id}`)
      ).map((row) => row.status);
    await expire(ground);
    expect(await statuses(soon)).toEqual(["queued"]);
    clock.forward(60_000);
    await expire(ground);
    await expire(ground);
    expect([await statuses(soon), await statuses(never)]).toEqual([["expired"], ["queued"]]);
    const [log] = await ground.db.query(sql`
      select count(*) as n from (${entriesWhere((e) => sql`${e.type} = 'in_app.expired'`)}) e`);
    expect(log).toEqual({ n: 3 });
  });
});
