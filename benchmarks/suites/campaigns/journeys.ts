import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { personId } from "../../load/ids.ts";
import { cpuOf } from "../../processes/cpu.ts";
import { reached, table, type TargetResult } from "../../report/report.ts";
import { callApi, sendItems } from "../../stage/api.ts";
import { seedPeople } from "../../stage/seed.ts";
import { onStage, type Stage, type StageOptions } from "../../stage/stage.ts";

/** Rows in one statement of the floor. */
const BATCH = 1_000;
/** Requests at once. */
const LANES = 4;
/** Rare enough that the polling is no load. */
const POLL_MS = 200;
const TABLES = ["campaign_runs", "campaign_passages", "deliveries"];

interface Measurement {
  seconds: number;
  /** CPU microseconds of the service and of PostgreSQL for one run. */
  serverCpu: number;
  databaseCpu: number;
}

/**
 * People enter a campaign by an event and pass an in-app message, a wait that is due at once, a branch and an email to the provider
 * `local`: measured from the first event to the last completed run. The floor is PostgreSQL alone, which inserts and updates the same runs,
 * passages and deliveries in batches of 1,000. Tidings also takes the events, renders and sends the emails, and writes the log.
 */
export async function journeys(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 1_000 : 100_000;
  return onStage({ ...options, roles: "api,worker" }, async (stage) => {
    await seedPeople(stage, people);
    await activate(stage);
    const tidings = await measure(stage, people, () => enterAll(stage, people));
    await copyAndTruncate(stage.db, people);
    const floor = await measure(stage, people, () => writeFloor(stage.db, people));
    const row = (name: string, { seconds, serverCpu, databaseCpu }: Measurement) => [
      name,
      (people / seconds).toFixed(0),
      serverCpu.toFixed(1),
      databaseCpu.toFixed(1),
    ];
    console.log(`${people} people, each through four steps with two messages\n`);
    table(["", "runs/s", "server us", "database us"], [row("PostgreSQL alone", floor), row("Tidings", tidings)]);
    return [reached("runs a second, ours / PostgreSQL alone", floor.seconds / tidings.seconds, [">=", 0.3], "x")];
  });
}

async function measure(stage: Stage, people: number, work: () => Promise<number>): Promise<Measurement> {
  const before = [cpuOf(stage.service.pid), stage.databaseCpu()] as const;
  const seconds = await work();
  const each = (ms: number) => (ms * 1_000) / people;
  return {
    seconds,
    serverCpu: each(cpuOf(stage.service.pid) - before[0]),
    databaseCpu: each(stage.databaseCpu() - before[1]),
  };
}

async function activate(stage: Stage): Promise<void> {
  const message = await callApi<{ id: string }>(stage, "/api/v1/in-app-messages", {
    name: "Journey",
    render_type: "modal",
    body: "Hello {{person.first_name}}, thanks for {{trigger.plan}}.",
  });
  const content = { from: "shop@example.com", subject: "Welcome", body: "<p>Hello {{person.first_name}}</p>" };
  const campaign = await callApi<{ id: string }>(stage, "/api/v1/campaigns", {
    name: "Journey",
    trigger: { type: "event", name: "signed_up" },
    reentry: "once",
    steps: [
      { id: "hello", type: "message", channel: "in_app", message_id: message.id },
      { id: "pause", type: "wait", until: "trigger.at" },
      {
        id: "pro",
        type: "branch",
        if: {
          all: [
            { attribute: "plan", op: "eq", value: "pro" },
            { trigger: "plan", op: "eq", value: "pro" },
          ],
        },
        then: [{ id: "mail", type: "message", channel: "email", content }],
      },
    ],
  });
  await callApi(stage, `/api/v1/campaigns/${campaign.id}/activate`, {});
}

/** Returns the seconds from the first event to the last completed run. */
async function enterAll(stage: Stage, people: number): Promise<number> {
  const since = performance.now();
  const properties = { plan: "pro", at: "2026-01-01T00:00:00Z" };
  const entering = (n: number) => ({ type: "track", person_id: personId(n), eventName: "signed_up", properties });
  await sendItems(stage, people, entering, LANES);
  for (;;) {
    const { rows } = await stage.db.query<{ done: number }>(
      "select count(*)::int as done from campaign_runs where status = 'completed'",
    );
    if (rows[0]?.done === people) return (performance.now() - since) / 1_000;
    await sleep(POLL_MS);
  }
}

/** Moves the rows to numbered copies of their tables. @throws Error where their number is not the expected one for each person */
async function copyAndTruncate(db: pg.Client, people: number): Promise<void> {
  const expected = { campaign_runs: people, campaign_passages: 4 * people, deliveries: 2 * people };
  for (const name of TABLES) {
    const { rowCount } = await db.query(
      `create table copied_${name} as select row_number() over () as n, t.* from ${name} t`,
    );
    if (rowCount !== expected[name as keyof typeof expected]) throw new Error(`${rowCount} rows in ${name}`);
    await db.query(`create index on copied_${name} (n)`);
    await db.query(`truncate ${name}`);
  }
  await db.query("checkpoint");
}

/** Inserts the rows again in batches: runs, passages and deliveries, then an update that ends the runs. Returns the seconds. */
async function writeFloor(db: pg.Client, people: number): Promise<number> {
  const columns: string[] = [];
  for (const name of TABLES) columns.push(await columnsOf(db, name));
  const since = performance.now();
  for (let from = 1; from <= people; from += BATCH) {
    const part = (each: number) => `n >= ${(from - 1) * each + 1} and n < ${(from - 1 + BATCH) * each + 1}`;
    await db.query(
      `insert into campaign_runs (${columns[0]}) select ${columns[0]} from copied_campaign_runs where ${part(1)}`,
    );
    await db.query(
      `insert into campaign_passages (${columns[1]}) select ${columns[1]} from copied_campaign_passages where ${part(4)}`,
    );
    await db.query(
      `insert into deliveries (${columns[2]}) select ${columns[2]} from copied_deliveries where ${part(2)}`,
    );
    await db.query(
      `update campaign_runs r set step_id = t.step_id, stepped_at = t.stepped_at, ended_at = t.ended_at, status = t.status
       from copied_campaign_runs t where t.person_key = r.person_key and t.id = r.id and t.${part(1).replace(" and n", " and t.n")}`,
    );
  }
  return (performance.now() - since) / 1_000;
}

/** Returns the columns that are not generated, as a list for an insert. */
export async function columnsOf(db: pg.Client, name: string): Promise<string> {
  const { rows } = await db.query<{ list: string }>(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as list from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [name],
  );
  return rows[0]?.list ?? "";
}
