import { expect, test, vi } from "vitest";
import { inShards } from "../../../test/support/database/citus.ts";
import { engineService } from "../../../test/support/services/engine.ts";
import { published } from "../../../test/support/services/published.ts";
import { until } from "../../../test/support/wait.ts";
import { testService } from "../../../test/support/service.ts";
import { personKey } from "../../people/index.ts";
import { type Db, type Queries, type Statement, sql } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import type { Published } from "../definition/published.ts";
import { round } from "./round.ts";

// How the engine takes its work: in batches, once only, whatever is cut off, and without one run or campaign keeping others waiting.

const engine = await engineService();
const { it, identify, define, campaign, begin, settle, forward, runOf, passed, deliveries, clock } = engine;
const { ground } = it.service;
const { db } = ground;
const HOUR = 3_600_000;

async function crowd(group: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => `${group}-${i}`);
  await db.execute(sql`
    insert into people (person_key, workspace_id, person_id, phone, attributes, identified_at, created_at, updated_at)
    select t.key, ${it.workspaceId}, t.id, '+41790000000', jsonb_build_object('n', t.n % 2), '2026-01-01', '2026-01-01', '2026-01-01'
    from unnest(${ids.map((id) => personKey(it.workspaceId, id))}::uuid[], ${ids}::text[]) with ordinality as t (key, id, n)`);
  return ids;
}

/** The journey that the tests send people on: in-app, a wait that is due at once, a branch, and a text message. */
const journey = async () => [
  { id: "hello", type: "message", channel: "in_app", message_id: await define({ body: "Hello {{person.n}}" }) },
  { id: "pause", type: "wait", until: "trigger.at" },
  {
    id: "half",
    type: "branch",
    if: { attribute: "n", op: "eq", value: 1 },
    then: [{ id: "text", type: "message", channel: "sms", content: { body: "Hi {{person.n}}" } }],
  },
];
const data = { at: "2026-01-01T00:00:00Z" };

/** A ground whose transactions note the statements, and may be cut off. Nobody asks this process for anything unless `areHere` says so. */
function watched(seen: string[][], cut?: (text: string) => void, areHere = () => false) {
  const spy = <Q extends Queries>(q: Q, into: string[]): Q => {
    const note = ({ name, text }: Statement) => {
      into.push(name ?? text.trim().split(/\s+/).slice(0, 4).join(" "));
      cut?.(text);
    };
    return {
      ...q,
      query: async <R>(statement: Statement) => {
        note(statement);
        return q.query<R>(statement);
      },
      execute: async (statement: Statement) => {
        note(statement);
        return q.execute(statement);
      },
    };
  };
  const workDb: Db = {
    ...ground.workDb,
    transaction: (work) =>
      ground.workDb.transaction((tx) => {
        const own: string[] = [];
        seen.push(own);
        return work(spy(tx, own));
      }),
  };
  return { ...ground, workDb, callers: { arrived() {}, areHere } };
}

const counts = async (of: Published) =>
  db.query<{ status: string; runs: number; passages: number }>(sql`
    select r.status, count(distinct r.id)::integer as runs, count(p.run_id)::integer as passages
    from campaign_runs r left join campaign_passages p on p.person_key = r.person_key and p.run_id = r.id where r.campaign_id = ${of.campaignId} group by r.status`);

test("2,000 runs go through four steps in batches, and the statements of a batch do not grow with its people", async () => {
  const of = await campaign(await journey());
  await begin(of, await crowd("one", 1), data);
  const few: string[][] = [];
  while ((await round(watched(few), 60_000)) <= 0);
  await begin(of, await crowd("many", 2_000), data);
  const many: string[][] = [];
  while ((await round(watched(many), 60_000)) <= 0);
  expect(await counts(of)).toEqual([{ status: "completed", runs: 2_001, passages: 3 * 2_001 + 1_001 }]);
  expect(await deliveries(of)).toHaveLength(2_001 + 1_001);
  if (inShards) return;
  const batches = many.filter((batch) => batch.length > 6);
  expect(batches).toHaveLength(8);
  // Bounds for the longest: what is read once a process is there in the first batch alone.
  const longest = Math.max(...batches.map((batch) => batch.length));
  expect(longest).toBeLessThanOrEqual(Math.max(...few.map((batch) => batch.length)) + 2);
  expect(longest).toBeLessThan(30);
});

test("while somebody asks the service, a round takes fewer runs at once, in one batch after the other", async () => {
  const of = await campaign(await journey());
  await begin(of, await crowd("beside", 400), data);
  const seen: string[][] = [];
  let [most, open] = [0, 0];
  const house = watched(seen, undefined, () => true);
  const { transaction } = house.workDb;
  house.workDb.transaction = async (work) => {
    most = Math.max(most, ++open);
    return transaction(work).finally(() => open--);
  };
  while ((await round(house, 60_000)) <= 0);
  expect(await counts(of)).toEqual([{ status: "completed", runs: 400, passages: 3 * 400 + 200 }]);
  expect([most, seen.filter((batch) => batch.length > 6).length]).toEqual([1, 10]);
});

test("two workers at once take each run once", async () => {
  const of = await campaign(await journey());
  await begin(of, await crowd("two", 1_200), data);
  const other = await testService({ clock, databaseUrl: it.databaseUrl, encryptionKey: Buffer.alloc(32, 7) });
  const work = async (house: typeof ground) => {
    for (;;) if ((await round(house, 60_000)) > 0) return;
  };
  await Promise.all([work(ground), work(other.service.ground)]);
  await settle();
  expect(await counts(of)).toEqual([{ status: "completed", runs: 1_200, passages: 3 * 1_200 + 600 }]);
  expect(await deliveries(of)).toHaveLength(1_800);
});

test("a round that is cut off anywhere has changed nothing, and the next one does it all", async () => {
  const of = await campaign(await journey());
  const people = await crowd("cut", 20);
  const runs = await begin(of, people, data);
  for (const where of [
    "insert into deliveries",
    "update campaign_runs r set status",
    "insert into campaign_passages",
  ]) {
    const cut = (text: string) => {
      if (text.includes(where)) throw new Error("cut off");
    };
    const warned = vi.spyOn(ground.log, "warn").mockImplementation(() => {});
    await round(watched([], cut), 60_000);
    warned.mockRestore();
    expect(await deliveries(of)).toEqual([]);
    expect(await counts(of)).toEqual([{ status: "active", runs: 20, passages: 0 }]);
    clock.forward(HOUR);
  }
  await settle();
  expect(await counts(of)).toEqual([{ status: "completed", runs: 20, passages: 70 }]);
  expect(await deliveries(of)).toHaveLength(30);
  expect((await runOf(runs[0] as string)).attempts).toBe(0);
});

test.skipIf(inShards)("a run that always fails ends with its reason, and keeps nobody waiting", async () => {
  const of = await campaign(await journey());
  const runs = await begin(of, await crowd("poison", 10), data);
  const bad = runs[3] as string;
  await db.execute(sql`
    create function refuse_poison() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$`);
  await db.execute({
    text: `create trigger refuse_poison before update of stepped_at on campaign_runs for each row when (old.id = '${bad}') execute function refuse_poison()`,
    values: [],
  });
  await settle();
  expect(await counts(of)).toEqual([
    { status: "active", runs: 1, passages: 0 },
    { status: "completed", runs: 9, passages: 32 },
  ]);
  for (let attempt = 1; attempt < 5; attempt++) {
    expect((await runOf(bad)).attempts).toBe(attempt);
    await forward(HOUR);
  }
  expect(await runOf(bad)).toMatchObject({ status: "failed", due_at: null, reason: expect.stringContaining("poison") });
  await db.execute(sql`drop trigger refuse_poison on campaign_runs`);
  expect(await deliveries(of)).toHaveLength(9 + 5);
});

async function move(of: Published, verb: "pause" | "resume" | "archive"): Promise<void> {
  const answer = await it.call("POST", `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}/${verb}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

test("a paused campaign stands still, and after it lengths of time go on where they were and dates stay what they are", async () => {
  for (const id of ["still", "fixed"]) await identify(id);
  const wait = (id: string, by: object) => ({ id, type: "wait", ...by });
  const lengths = await campaign([wait("w", { for: { amount: 2, unit: "hours" } })]);
  const dates = await campaign([wait("w", { until: "trigger.at" })]);
  const at = new Date(clock.now().getTime() + 5 * HOUR);
  const [still = ""] = await begin(lengths, ["still"]);
  const [fixed = ""] = await begin(dates, ["fixed"], { at: at.toISOString() });
  await settle();
  for (const of of [lengths, dates]) await move(of, "pause");
  await forward(3 * HOUR);
  expect((await runOf(still)).status).toBe("active");
  for (const of of [lengths, dates]) await move(of, "resume");
  await settle();
  expect((await runOf(still)).status).toBe("active");
  await forward(2 * HOUR - 1);
  expect([(await runOf(still)).status, (await runOf(fixed)).status]).toEqual(["active", "active"]);
  await forward(1);
  expect([(await runOf(still)).status, (await runOf(fixed)).status]).toEqual(["completed", "completed"]);
});

test("the runs of an archived campaign end, with the steps at which they stood", async () => {
  const of = await campaign([{ id: "w", type: "wait", for: { amount: 2, unit: "hours" } }]);
  const runs = await begin(of, await crowd("archived", 600));
  await settle();
  await move(of, "archive");
  await settle();
  expect(await counts(of)).toEqual([{ status: "canceled", runs: 600, passages: 600 }]);
  expect(await passed(runs[0] as string)).toEqual(["w exited campaign_archived"]);
});

test("a workspace with many due campaigns does not keep another waiting", async () => {
  const steps = [{ id: "w", type: "wait", for: { amount: 1, unit: "hours" } }];
  const people = await crowd("fair", 300);
  const busy = [await campaign(steps), await campaign(steps), await campaign(steps)];
  for (const of of busy) await begin(of, people);
  const seen: string[][] = [];
  await settle();
  clock.forward(HOUR);
  while ((await round(watched(seen), 60_000)) <= 0);
  // Three campaigns of 300 runs: each has its first batch before any has its second.
  for (const of of busy) expect(await counts(of)).toEqual([{ status: "completed", runs: 300, passages: 300 }]);
  expect(seen.filter((batch) => batch.length > 6)).toHaveLength(6);
});

test("an entry wakes the engine, which a process with the role of a worker runs", async () => {
  const worker = await testService({ roles: "api,worker" });
  await worker.call("POST", "/data-gateway/v1/identify", {
    body: { person_id: "live", attributes: { phone: "+41790000001" } },
  });
  const of = await published(worker, {
    steps: [{ id: "u", type: "update", attributes: { welcomed: true } }],
  });
  const began = await worker.call("POST", `/api/v1/campaigns/${encodeId("cmp", of.campaignId)}/runs`, {
    body: { person_id: "live" },
  });
  expect(began.status, JSON.stringify(began.body)).toBe(202);
  await until(
    async () => (await worker.call("GET", "/api/v1/people/live")).body.attributes?.welcomed === true,
    "the campaign updating the person",
  );
});

test("a run that is due within the present millisecond is waited for until the next one, and not for a whole poll", async () => {
  await crowd("early", 1);
  const of = await campaign([{ id: "pause", type: "wait", for: { amount: 1, unit: "hours" } }]);
  await begin(of, ["early-0"]);
  await settle();
  await db.execute(sql`
    update campaign_runs set due_at = ${clock.now()}::timestamptz + interval '400 microseconds' where campaign_id = ${of.campaignId}`);
  expect(await round(ground, 60_000)).toBe(1);
});
