import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { expect, test } from "vitest";
import { waitingForLocks } from "../../../test/support/database/locks.ts";
import { inShards } from "../../../test/support/database/citus.ts";
import { testClock, testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";
import { published } from "../../../test/support/services/published.ts";
import type { InTransaction } from "../../platform/db/announcements.ts";
import { sql, type Statement } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { CAMPAIGNS_CHANGED, EntranceIndex } from "../definition/entrances.ts";
import type { Published } from "../definition/published.ts";
import { hearsEvents } from "./by-event.ts";

const clock = testClock("2026-05-01T12:00:00Z");
const it = await testService({ clock });
const { ground } = it.service;
const { db, signals } = ground;
const { workspaceId } = it;
const listener = hearsEvents(ground, new EntranceIndex(signals)).listener as InTransaction<object>;

interface Happens {
  person: string;
  name: string;
  properties?: Record<string, unknown>;
  agoMs?: number;
}
const eventsOf = (happens: Happens[]) =>
  happens.map(({ person, name, properties = {}, agoMs = 0 }) => ({
    personKey: person,
    id: newId(),
    workspaceId,
    name,
    properties,
    ts: new Date(clock.now().getTime() - agoMs),
  }));

/** Lets events happen in one transaction. */
async function happen(...happens: Happens[]): Promise<void> {
  const mine = eventsOf(happens).filter((event) => listener.cares(event));
  if (mine.length > 0) await db.transaction((tx) => listener.take(tx, mine));
}

async function campaign(own: Partial<CampaignDefinition>): Promise<Published> {
  const made = await published(it, own);
  signals.publish(CAMPAIGNS_CHANGED, [workspaceId]);
  return made;
}

const byEvent = (name: string, own: Partial<CampaignDefinition> = {}) =>
  campaign({ trigger: { type: "event", name }, reentry: "always", ...own });

const runs = ({ campaignId }: Published, person: string) =>
  db.query<Record<string, unknown>>(sql`
    select id, status, reason, data, outputs, cancellation_key, step_id, waits_for, due_at, goal_at from campaign_runs
    where campaign_id = ${campaignId} and person_key = ${person} order by entered_at, id`);

test("an event lets its person in where its properties match, with the properties as data", async () => {
  const where = [{ property: "total", op: "gte", value: 50 }];
  const made = await byEvent("order", { trigger: { type: "event", name: "order", where } });
  const person = newId();
  await happen(
    { person, name: "order", properties: { total: 49 } },
    { person, name: "visit", properties: { total: 60 } },
  );
  expect(await runs(made, person)).toEqual([]);
  await happen({ person, name: "order", properties: { total: 50, cancellation_key: "o-1" } });
  expect(await runs(made, person)).toMatchObject([
    { status: "active", step_id: "pause", data: { total: 50 }, cancellation_key: "o-1" },
  ]);
});

test("an event that is older than entry_max_age starts nothing", async () => {
  const made = await byEvent("late", { entry_max_age: { amount: 1, unit: "hours" } });
  const person = newId();
  await happen({ person, name: "late", agoMs: 3_600_001 });
  expect(await runs(made, person)).toEqual([]);
  await happen({ person, name: "late", agoMs: 3_600_000 });
  expect(await runs(made, person)).toHaveLength(1);
});

test("of 200 parallel events one lets the person in, and a paused campaign none", async () => {
  const made = await byEvent("burst", { reentry: "once" });
  const person = newId();
  await Promise.all(Array.from({ length: 200 }, () => happen({ person, name: "burst" })));
  expect(await runs(made, person)).toHaveLength(1);

  await db.execute(
    sql`update campaigns set status = 'paused', paused_at = ${clock.now()} where id = ${made.campaignId}`,
  );
  const other = newId();
  await happen({ person: other, name: "burst" });
  expect(await runs(made, other)).toEqual([]);
});

test.skipIf(inShards)(
  "an event to which no campaign listens costs no statement, and 100 to which ten listen cost one",
  async () => {
    for (let i = 0; i < 10; i++) await byEvent("popular");
    await happen({ person: newId(), name: "popular" });
    const [quiet] = eventsOf([{ person: newId(), name: "nobody_listens" }]);
    expect(listener.cares(quiet as object)).toBe(false);
    const statements: Statement[] = [];
    await db.transaction((tx) =>
      listener.take(
        {
          ...tx,
          query: (statement) => {
            statements.push(statement);
            return tx.query(statement);
          },
        },
        eventsOf(Array.from({ length: 100 }, () => ({ person: newId(), name: "popular" }))),
      ),
    );
    expect(statements).toHaveLength(1);
  },
);

const WAIT: CampaignDefinition["steps"] = [
  {
    id: "paid",
    type: "wait_until",
    event: "payment",
    where: [{ property: "ok", op: "eq", value: true }],
    timeout: { amount: 1, unit: "days" },
  },
];

/** A run that the engine has brought to its wait. */
async function waiting(own: Partial<CampaignDefinition> = {}) {
  const start = `start_${newId()}`;
  const made = await byEvent(start, { steps: WAIT, ...own });
  const person = newId();
  await happen({ person, name: start });
  await db.execute(sql`
    update campaign_runs set waits_for = 'payment', due_at = ${new Date(clock.now().getTime() + 86_400_000)} where campaign_id = ${made.campaignId}`);
  await db.execute(sql`
    insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, state)
    select person_key, id, step_id, workspace_id, campaign_id, stepped_at, 'waiting' from campaign_runs where campaign_id = ${made.campaignId}`);
  return { made, person };
}

test("a run that waits is woken by the event that matches, once, and keeps its properties", async () => {
  const { made, person } = await waiting();
  await happen(
    { person, name: "payment", properties: { ok: false } },
    { person: newId(), name: "payment", properties: { ok: true } },
  );
  expect(await runs(made, person)).toMatchObject([{ waits_for: "payment", outputs: {} }]);
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => happen({ person, name: "payment", properties: { ok: true, i } })),
  );
  const [run] = await runs(made, person);
  expect(run).toMatchObject({ waits_for: null, due_at: clock.now(), outputs: { paid: { event: { ok: true } } } });
  await happen({ person, name: "payment", properties: { ok: true, i: "late" } });
  expect(await runs(made, person)).toEqual([run]);
});

test("an event from before the step counts only from the entry on, and only where the step says so", async () => {
  const [step] = WAIT;
  const hour = 3_600_000;
  for (const counts_from of ["step", "entry"] as const) {
    const { made, person } = await waiting({
      steps: [{ ...step, counts_from } as CampaignDefinition["steps"][number]],
    });
    await db.execute(sql`
      update campaign_runs set entered_at = ${new Date(clock.now().getTime() - 2 * hour)} where campaign_id = ${made.campaignId}`);
    await happen({ person, name: "payment", properties: { ok: true }, agoMs: 3 * hour });
    expect(await runs(made, person)).toMatchObject([{ waits_for: "payment" }]);
    await happen({ person, name: "payment", properties: { ok: true }, agoMs: hour });
    expect(await runs(made, person)).toMatchObject([{ waits_for: counts_from === "step" ? "payment" : null }]);
  }
});

test("a run that went on because its time was over is not woken any more", async () => {
  const { made, person } = await waiting();
  const event = await db.transaction(async (engine) => {
    await engine.execute(sql`
      update campaign_runs set step_id = 'after', waits_for = null where campaign_id = ${made.campaignId}`);
    const late = happen({ person, name: "payment", properties: { ok: true } });
    await until(async () => (await waitingForLocks(db)) > 0, "the event that waits for the engine");
    return { late };
  });
  await event.late;
  expect(await runs(made, person)).toMatchObject([{ step_id: "after", outputs: {} }]);
});

test("an event in a pause wakes the run for the moment in which the pause ends", async () => {
  const { made, person } = await waiting();
  const paused = new Date(clock.now().getTime() - 1_000);
  await db.execute(sql`
    update campaigns set status = 'paused', paused_at = ${paused}, behind = '5 minutes' where id = ${made.campaignId}`);
  // It came to the step now, by a clock that is five minutes behind.
  await db.execute(sql`
    update campaign_runs set stepped_at = ${new Date(clock.now().getTime() - 300_000)} where campaign_id = ${made.campaignId}`);
  signals.publish(CAMPAIGNS_CHANGED, [workspaceId]);
  await happen({ person, name: "payment", properties: { ok: true } });
  expect(await runs(made, person)).toMatchObject([{ waits_for: null, due_at: new Date(paused.getTime() - 300_000) }]);
});

test("cancel_on ends the person's active runs, with a key those alone that have it, and leaves the step", async () => {
  const start = `start_${newId()}`;
  const made = await byEvent(start, { cancel_on: { event: "order_canceled" }, steps: WAIT });
  const person = newId();
  for (const cancellation_key of ["a", "b", "c"])
    await happen({ person, name: start, properties: { cancellation_key } });
  await happen(
    { person: newId(), name: "order_canceled" },
    { person, name: "order_canceled", properties: { cancellation_key: "b" } },
  );
  const statuses = async () =>
    Object.fromEntries((await runs(made, person)).map((run) => [run.cancellation_key, `${run.status} ${run.reason}`]));
  expect(await statuses()).toEqual({ a: "active null", b: "canceled cancel_on", c: "active null" });
  await happen({ person, name: "order_canceled" });
  expect(await statuses()).toEqual({ a: "canceled cancel_on", b: "canceled cancel_on", c: "canceled cancel_on" });
  expect(await runs(made, person)).toMatchObject(Array(3).fill({ step_id: null, due_at: null, waits_for: null }));

  const { made: other, person: waits } = await waiting({ cancel_on: { event: "order_canceled" } });
  await happen({ person: waits, name: "order_canceled" });
  expect(
    await db.query(sql`select state, reason, left_at from campaign_passages where campaign_id = ${other.campaignId}`),
  ).toEqual([{ state: "exited", reason: "cancel_on", left_at: clock.now() }]);
});

test("what is recorded together happens in its order", async () => {
  const made = await byEvent("placed", { cancel_on: { event: "withdrawn" } });
  const person = newId();
  await happen({ person, name: "placed" }, { person, name: "withdrawn" }, { person, name: "placed" });
  expect((await runs(made, person)).map(({ status }) => status).sort()).toEqual(["active", "canceled"]);
});

test("a goal is noted once, within its time, at runs that are over too, and ends an active run where it is to", async () => {
  const within = { amount: 1, unit: "hours" } as const;
  const where = [{ property: "paid", op: "eq", value: true }];
  const [exits, stays] = [
    await byEvent("begin", { goal: { event: "bought", where, within, exit: true } }),
    await byEvent("begin", { goal: { event: "bought", where, within } }),
  ];
  const [person, over, late] = [newId(), newId(), newId()];
  for (const one of [person, over, late]) await happen({ person: one, name: "begin" });
  await db.execute(
    sql`update campaign_runs set status = 'completed', step_id = null, ended_at = ${clock.now()} where person_key = ${over}`,
  );
  const entered = clock.now();
  clock.forward(1_800_000);
  await happen(
    { person, name: "bought", properties: { paid: false } },
    { person: over, name: "bought", properties: { paid: true } },
  );
  expect(await runs(stays, person)).toMatchObject([{ goal_at: null }]);
  expect(await runs(exits, over)).toMatchObject([{ goal_at: clock.now(), status: "completed" }]);
  await happen({ person, name: "bought", properties: { paid: true } });
  const reached = clock.now();
  clock.forward(60_000);
  await happen({ person, name: "bought", properties: { paid: true } });
  expect(await runs(exits, person)).toMatchObject([{ goal_at: reached, status: "exited", reason: "goal" }]);
  expect(await runs(stays, person)).toMatchObject([{ goal_at: reached, status: "active" }]);
  clock.set(new Date(entered.getTime() + 3_600_001));
  await happen({ person: late, name: "bought", properties: { paid: true } });
  expect(await runs(stays, late)).toMatchObject([{ goal_at: null }]);
});

test("after a pause an event from before the step does not count, as without one", async () => {
  const { made, person } = await waiting();
  await db.execute(sql`update campaigns set behind = '1 hour' where id = ${made.campaignId}`);
  await db.execute(sql`
    update campaign_runs set stepped_at = ${new Date(clock.now().getTime() - 3_600_000)} where campaign_id = ${made.campaignId}`);
  await happen({ person, name: "payment", properties: { ok: true }, agoMs: 30 * 60_000 });
  expect(await runs(made, person)).toMatchObject([{ waits_for: "payment" }]);
  await happen({ person, name: "payment", properties: { ok: true } });
  expect(await runs(made, person)).toMatchObject([{ waits_for: null }]);
});
