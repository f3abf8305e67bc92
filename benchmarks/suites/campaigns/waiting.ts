import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Load, startLoad } from "../../load/load.ts";
import { cpuOf } from "../../processes/cpu.ts";
import { percentile, reached, table, type TargetResult } from "../../report/report.ts";
import { callApi } from "../../stage/api.ts";
import { seedDeliveries, seedPeople } from "../../stage/seed.ts";
import { onStage, type Stage, type StageOptions } from "../../stage/stage.ts";
import { writeFloor } from "./backlog-floor.ts";
import { ORDER_CONFIRMATION } from "../trigger.ts";

/** Rare enough that the polling is no load. */
const POLL_MS = 200;
/** How long each run waits, so that its step is over when it is due. */
const WAIT_DAYS = 30;

interface Size {
  waiting: number;
  people: number;
  /** Runs that are due at once, as after a minute without a worker. */
  backlog: number;
  /** Runs of another campaign that are due one by one. */
  punctual: number;
  /** The seconds of each measurement. */
  seconds: number;
}

const FULL: Size = { waiting: 1_000_000, people: 100_000, backlog: 100_000, punctual: 600, seconds: 60 };
const SMOKE: Size = { waiting: 2_000, people: 500, backlog: 500, punctual: 20, seconds: 2 };

/**
 * 1,000,000 runs wait. Measured are the CPU and the statements while none is due, how late runs start that are due one by one, and
 * 100,000 runs that are due at once. While nobody calls: their rate against PostgreSQL alone, which writes the same rows. Beside calls: whether they are caught up in
 * the minute in which as many others fall due, and how they delay another campaign, syncs and triggers.
 */
export async function waiting(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const size = smoke ? SMOKE : FULL;
  return onStage({ ...options, roles: "api,worker" }, async (stage) => {
    await seedPeople(stage, size.people);
    await seedDeliveries(stage, size.people, 1);
    await callApi(stage, "/api/v1/transactionals", ORDER_CONFIRMATION);
    const crowd = await activate(stage, "Crowd");
    const [first, second] = [await activate(stage, "First"), await activate(stage, "Second")];
    await settleSeeds(stage);
    const empty = await measureIdle(stage, size);
    await seedRuns(stage, crowd, size.waiting, `n * interval '40 seconds' + interval '1 day'`);
    await settleSeeds(stage);
    // The loop reads the next due time when it wakes, after a second at the latest.
    await sleep(1_500);
    const idle = await measureIdle(stage, size);
    const told = ({ cpu, transactions }: Idle) =>
      `${cpu.toFixed(2)} % of a core, ${transactions.toFixed(1)} transactions a second`;
    console.log(
      `${size.waiting} waiting runs of ${size.people} people. Idle without runs: ${told(empty)}; with them: ${told(idle)}\n`,
    );
    const syncs = await startLoad();
    const triggers = await startLoad();
    try {
      const nobody = await caughtUp(stage, await queueBacklog(stage, crowd, size));
      await allSent(stage);
      await settleSeeds(stage);
      const quiet = beside(stage, { syncs, triggers }, size);
      const [alone, calm] = await quiet.until(punctual(stage, first, size));
      const backlog = await queueBacklog(stage, crowd, size);
      const busy = beside(stage, { syncs, triggers }, size);
      const both = Promise.all([caughtUp(stage, backlog), punctual(stage, second, size)]);
      const [[seconds, late], loaded] = await busy.until(both);
      // Last: what it writes reaches the disk for a minute. Before the backlog, it made syncs a third and triggers half slower (docs/performance.md).
      const floor = await writeFloor(stage, { crowd: crowd.id, ended: first.id, backlog: size.backlog });
      const ms = (value: number) => value.toFixed(0);
      table(
        ["", "nothing else is due", `${size.backlog} runs are due`],
        [
          ["start after the due time, p50 ms", ms(percentile(alone, 0.5)), ms(percentile(late, 0.5))],
          ["start after the due time, p99 ms", ms(percentile(alone, 0.99)), ms(percentile(late, 0.99))],
          ["sync p99 ms", calm.sync.toFixed(1), loaded.sync.toFixed(1)],
          ["trigger p99 ms", calm.trigger.toFixed(1), loaded.trigger.toFixed(1)],
          ["runs/s", "", ms(size.backlog / seconds)],
        ],
      );
      console.log(
        `\n${size.backlog} runs that are due while nobody calls: ${ms(size.backlog / nobody)}/s, PostgreSQL alone ${ms(size.backlog / floor)}/s\n`,
      );
      return [
        reached("CPU while no run is due, of one core", idle.cpu, ["<", 2], "%"),
        reached("latest start of a run that is due alone", Math.max(...alone) / 1_000, ["<", 1], "s"),
        reached("runs a second while nobody calls, ours / PostgreSQL alone", floor / nobody, [">=", 0.3], "x"),
        reached(`${size.backlog} runs that are due are caught up beside calls`, seconds, ["<=", 60], "s"),
        reached("latest start in another campaign meanwhile", Math.max(...late) / 1_000, ["<", 5], "s"),
        reached("sync p99 meanwhile / quiet", loaded.sync / calm.sync, ["<=", 1.5], "x"),
        reached("trigger p99 meanwhile / quiet", loaded.trigger / calm.trigger, ["<=", 1.5], "x"),
      ];
    } finally {
      await Promise.all([syncs.stop(), triggers.stop()]);
    }
  });
}

interface Campaign {
  /** Its id in the tables. */
  id: string;
  /** Its address in the API. */
  path: string;
}

/** Activates a campaign whose runs wait, and then get an in-app message and an email. */
async function activate(stage: Stage, name: string): Promise<Campaign> {
  const message = await callApi<{ id: string }>(stage, "/api/v1/in-app-messages", {
    name,
    render_type: "modal",
    body: "Hello {{person.first_name}}, thanks for {{trigger.plan}}.",
  });
  const content = { from: "shop@example.com", subject: "Welcome", body: "<p>Hello {{person.first_name}}</p>" };
  const campaign = await callApi<{ id: string }>(stage, "/api/v1/campaigns", {
    name,
    trigger: { type: "api" },
    reentry: "always",
    steps: [
      { id: "pause", type: "wait", for: { amount: WAIT_DAYS, unit: "days" } },
      { id: "hello", type: "message", channel: "in_app", message_id: message.id },
      { id: "mail", type: "message", channel: "email", content },
    ],
  });
  const path = `/api/v1/campaigns/${campaign.id}`;
  await callApi(stage, `${path}/activate`, {});
  const { rows } = await stage.db.query<{ id: string }>("select id from campaigns where name = $1", [name]);
  return { id: rows[0]?.id ?? "", path };
}

/** Inserts runs that wait, as the engine leaves them. @param after when run `n` is due, as an interval from now in SQL */
async function seedRuns(stage: Stage, { id: campaign }: Campaign, runs: number, after: string): Promise<void> {
  const { db, workspaceId } = stage;
  await db.query(
    `insert into campaign_runs (person_key, id, workspace_id, campaign_id, graph, status, step_id, data, entered_at, stepped_at, due_at)
     select p.person_key, gen_random_uuid(), $1, $2, 1, 'active', 'pause', '{"plan": "pro"}', t.due - $3::int * interval '1 day',
       t.due - $3::int * interval '1 day', t.due
     from (select n, now() + ${after} as due from generate_series(0, $4::int - 1) n) t
     join seeded_people p on p.n = t.n % (select count(*) from seeded_people)`,
    [workspaceId, campaign, WAIT_DAYS, runs],
  );
  await db.query(
    `insert into campaign_passages (person_key, run_id, step_id, workspace_id, campaign_id, entered_at, state)
     select person_key, id, step_id, workspace_id, campaign_id, entered_at, 'waiting' from campaign_runs where campaign_id = $1
     on conflict do nothing`,
    [campaign],
  );
}

/** Does at once what autovacuum and the checkpointer would do with the seeded rows while the idle service is measured. */
async function settleSeeds({ db }: Stage): Promise<void> {
  await db.query("vacuum analyze");
  await db.query("checkpoint");
}

/** Waits until the emails of the runs are sent: the rate of sending is another benchmark's. */
async function allSent({ db }: Stage): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ left: boolean }>(
      "select exists (select from deliveries where due_at is not null) as left",
    );
    if (!rows[0]?.left) return;
    await sleep(POLL_MS);
  }
}

interface Idle {
  /** Of the service and of PostgreSQL, in percent of a core. */
  cpu: number;
  /** A second. */
  transactions: number;
}

/** Measures the service and PostgreSQL while no run is due. */
async function measureIdle({ service, db, databaseCpu }: Stage, { seconds }: Size): Promise<Idle> {
  const transactions = async () => {
    const { rows } = await db.query<{ n: number }>(
      "select xact_commit::float8 + xact_rollback as n from pg_stat_database where datname = current_database()",
    );
    return rows[0]?.n ?? 0;
  };
  const before = [cpuOf(service.pid) + databaseCpu(), await transactions(), performance.now()] as const;
  await sleep(seconds * 1_000);
  const cpu = cpuOf(service.pid) + databaseCpu() - before[0];
  const count = (await transactions()) - before[1];
  const ms = performance.now() - before[2];
  return { cpu: (100 * cpu) / ms, transactions: (1_000 * count) / ms };
}

interface Latencies {
  sync: number;
  trigger: number;
}

/** Sends syncs and triggers at a steady rate until some work is done. `until` returns its result and the p99 of both. */
function beside({ service, publicKey, secretKey }: Stage, loads: { syncs: Load; triggers: Load }, { people }: Size) {
  const plan = { port: service.port, connections: 8, seed: 42 };
  const sync = loads.syncs.beside({
    ...plan,
    perSecond: 100,
    expect: 200,
    requests: { kind: "sync", key: publicKey, people },
  });
  const trigger = loads.triggers.beside({
    ...plan,
    perSecond: 20,
    expect: 202,
    requests: { kind: "trigger", path: "/data-gateway/transactionals/email", key: secretKey, people },
  });
  return {
    async until<T>(work: Promise<T>): Promise<[T, Latencies]> {
      const result = await work;
      const [one, other] = await Promise.all([sync.end(), trigger.end()]);
      return [result, { sync: one.p99, trigger: other.p99 }];
    },
  };
}

/** Lets runs of a campaign fall due one by one, and returns how many milliseconds after its due time each started. */
async function punctual(stage: Stage, campaign: Campaign, { punctual: runs, seconds }: Size): Promise<number[]> {
  await seedRuns(stage, campaign, runs, `interval '2 seconds' + random() * ${seconds} * interval '1 second'`);
  for (;;) {
    const { rows } = await stage.db.query<{ late: number | null }>(
      `select extract(epoch from ended_at - entered_at - $2::int * interval '1 day')::float8 * 1000 as late
       from campaign_runs where campaign_id = $1`,
      [campaign.id, WAIT_DAYS],
    );
    const late = rows.flatMap((row) => (row.late === null ? [] : [row.late]));
    if (late.length === rows.length) return late;
    await sleep(POLL_MS);
  }
}

interface Backlog {
  campaign: Campaign;
  /** When the last of its runs was due. */
  due: Date;
}

/** Makes runs of the campaign overdue while it is paused, so that what this costs is not measured. They are due once it goes on. */
async function queueBacklog(stage: Stage, campaign: Campaign, { backlog }: Size): Promise<Backlog> {
  await callApi(stage, `${campaign.path}/pause`, {});
  const due = new Date();
  await stage.db.query(
    `with first as (select person_key, id from campaign_runs where campaign_id = $1 and due_at is not null order by due_at limit $2)
     update campaign_runs r set due_at = $3::timestamptz - (1 + random()) * interval '1 minute', stepped_at = r.stepped_at - interval '2 years'
     from first s where r.person_key = s.person_key and r.id = s.id`,
    [campaign.id, backlog, due],
  );
  await settleSeeds(stage);
  return { campaign, due };
}

/** Lets the campaign go on. Returns the seconds until the last run of the backlog has ended. */
async function caughtUp(stage: Stage, { campaign, due }: Backlog): Promise<number> {
  const watching = new pg.Client({ connectionString: stage.url });
  await watching.connect();
  try {
    await callApi(stage, `${campaign.path}/resume`, {});
    const since = performance.now();
    for (;;) {
      // By the index in any case: a plan that reads all runs took 30 ms of each 200, where 200,000 waited.
      const { rows } = await watching.query<{ at: Date }>(
        "select due_at as at from campaign_runs where campaign_id = $1 and due_fixed = false and due_at is not null order by due_at limit 1",
        [campaign.id],
      );
      if (!rows[0] || rows[0].at > due) return (performance.now() - since) / 1_000;
      await sleep(POLL_MS);
    }
  } finally {
    await watching.end();
  }
}
