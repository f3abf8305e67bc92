import { expect, test } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { noted } from "../../../test/support/database/plans.ts";
import { engineService } from "../../../test/support/services/engine.ts";
import { recordEvents } from "../../events/index.ts";
import type { InTransaction } from "../../platform/db/announcements.ts";
import { sql, type Statement, type Tx } from "../../platform/db/index.ts";
import { newId } from "../../platform/ids.ts";
import { personKey } from "../../workspaces/index.ts";
import { CAMPAIGNS_CHANGED, EntranceIndex } from "../definition/entrances.ts";
import { hearsEvents } from "./by-event.ts";

// One person does the event of a trigger thousands of times, as a broken client does.

const EVENTS = 10_000;
const BATCH = 500;
const { it, identify, campaign, clock, settle } = await engineService();
const { ground } = it.service;
const { db, signals } = ground;
const { workspaceId } = it;

await identify("busy");
await identify("calm");
const of = await campaign([{ id: "stay", type: "wait", for: { amount: 1, unit: "days" } }], {
  trigger: { type: "event", name: "ticked" },
  reentry: "once",
});
signals.publish(CAMPAIGNS_CHANGED, [workspaceId]);

/** Records events of a person, as the gateway does. */
const tick = (tx: Tx, personId: string, times: number) => {
  const whom = { workspaceId, personKey: personKey(workspaceId, personId) };
  const event = { ...whom, name: "ticked", properties: {}, ts: clock.now(), eventId: undefined };
  return recordEvents(
    tx,
    Array.from({ length: times }, () => event),
    clock.now(),
  );
};

/** The rows of the person in the campaign: with the transaction that wrote each, so that a row that is written again is another. */
const rows = (personId: string) =>
  db.query<{ of: string; xmin: string }>(sql`
    select 'entry' as of, xmin::text from campaign_entries where campaign_id = ${of.campaignId} and person_key = ${personKey(workspaceId, personId)}
    union all
    select 'run', xmin::text from campaign_runs where campaign_id = ${of.campaignId} and person_key = ${personKey(workspaceId, personId)}
    order by 1`);

test("a person who does the event 10,000 times enters once, and nobody waits for them", async () => {
  // The first entry is not committed yet while another person, and the same person again, do the event.
  const again: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await tick(tx, "busy", BATCH);
    again.push(db.transaction((second) => tick(second, "busy", BATCH)));
    await db.transaction((others) => tick(others, "calm", 1));
    expect(await rows("calm")).toMatchObject([{ of: "entry" }, { of: "run" }]);
  });
  await Promise.all(again);
  await settle();
  const written = await rows("busy");
  expect(written).toMatchObject([{ of: "entry" }, { of: "run" }]);
  for (let i = 2 * BATCH; i < EVENTS; i += BATCH) await db.transaction((tx) => tick(tx, "busy", BATCH));
  expect(await rows("busy")).toEqual(written);
  const [counted] = await db.query<{ events: number }>(
    sql`select count(*)::integer as events from events where person_key = ${personKey(workspaceId, "busy")}`,
  );
  expect(counted).toEqual({ events: EVENTS });
});

test.skipIf(inShards)("500 events of one person take as many statements as one", async () => {
  const listener = hearsEvents(ground, new EntranceIndex(signals)).listener as InTransaction<object>;
  const statementsOf = async (times: number) => {
    const events = Array.from({ length: times }, () => ({
      ...{ personKey: personKey(workspaceId, "busy"), id: newId(), workspaceId, name: "ticked", properties: {} },
      ts: clock.now(),
    }));
    const seen: Statement[] = [];
    await db.transaction((tx) => listener.take(noted(tx, seen), events));
    return seen.map(({ name }) => name);
  };
  await statementsOf(1);
  const one = await statementsOf(1);
  expect(one).toEqual(["campaigns.insertRuns"]);
  expect(await statementsOf(BATCH)).toEqual(one);
});
