import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { personId } from "../load/ids.ts";
import { cpuOf } from "../processes/cpu.ts";
import { reached, table, type TargetResult } from "../report/report.ts";
import { callApi } from "../stage/api.ts";
import { seedPeople } from "../stage/seed.ts";
import { onStage, type Stage, type StageOptions } from "../stage/stage.ts";

/** Rows in a statement of the floor. */
const BATCH = 1_000;
const EVENTS = 100;
const LANES = 4;
/** Rare enough that the questions are no load. */
const POLL_MS = 200;
const TABLES = ["campaign_runs", "campaign_passages", "deliveries"];

interface Measured {
  seconds: number;
  /** Microseconds of CPU for a run, of the service and of PostgreSQL. */
  serverCpu: number;
  databaseCpu: number;
}

/**
 * People enter a campaign by an event and pass an in-app message, a wait that is due at once, a branch and an email to the provider
 * `local`: from the first event to the last run that is completed, against the same runs, passages and deliveries inserted and updated
 * by PostgreSQL alone in batches of 1,000. Ours takes the events, renders and sends the emails, and writes the log besides.
 */
export async function journeys(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 1_000 : 100_000;
  return onStage({ ...options, roles: "api,worker" }, async (stage) => {
    await seedPeople(stage, people);
    await activate(stage);
    const ours = await measured(stage, people, () => enterAll(stage, people));
    await takeOut(stage.db, people);
    const floor = await measured(stage, people, () => written(stage.db, people));
    const row = (name: string, { seconds, serverCpu, databaseCpu }: Measured) => [
      name,
      (people / seconds).toFixed(0),
      serverCpu.toFixed(1),
      databaseCpu.toFixed(1),
    ];
    console.log(`${people} people, each through four steps with two messages\n`);
    table(["", "runs/s", "server us", "database us"], [row("PostgreSQL alone", floor), row("Tidings", ours)]);
    return [reached("runs a second, ours / PostgreSQL alone", floor.seconds / ours.seconds, [">=", 0.3], "x")];
  });
}

async function measured(stage: Stage, people: number, work: () => Promise<number>): Promise<Measured> {
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
        // biome-ignore lint/suspicious/noThenProperty: the name on the wire
        then: [{ id: "mail", type: "message", channel: "email", content }],
      },
    ],
  });
  await callApi(stage, `/api/v1/campaigns/${campaign.id}/activate`, {});
}

/** Seconds from the first event to the last run that is completed. */
async function enterAll(stage: Stage, people: number): Promise<number> {
  const since = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < people) {
      const numbers = Array.from({ length: Math.min(EVENTS, people - next) }, (_, i) => next + i);
      next += numbers.length;
      const properties = { plan: "pro", at: "2026-01-01T00:00:00Z" };
      const items = numbers.map((n) => ({ type: "track", person_id: personId(n), eventName: "signed_up", properties }));
      await callApi(stage, "/data-gateway/v1/batch", { items });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  for (;;) {
    const { rows } = await stage.db.query<{ done: number }>(
      "select count(*)::int as done from campaign_runs where status = 'completed'",
    );
    if (rows[0]?.done === people) return (performance.now() - since) / 1_000;
    await sleep(POLL_MS);
  }
}

/** Takes the rows out of their tables, numbered. @throws Error where they are not what each person's way leaves */
async function takeOut(db: pg.Client, people: number): Promise<void> {
  const expected = { campaign_runs: people, campaign_passages: 4 * people, deliveries: 2 * people };
  for (const name of TABLES) {
    const { rowCount } = await db.query(
      `create table taken_${name} as select row_number() over () as n, t.* from ${name} t`,
    );
    if (rowCount !== expected[name as keyof typeof expected]) throw new Error(`${rowCount} rows in ${name}`);
    await db.query(`create index on taken_${name} (n)`);
    await db.query(`truncate ${name}`);
  }
  await db.query("checkpoint");
}

/** Gives the rows back in batches: runs that begin, what they leave behind them, and the runs once more as they end. */
async function written(db: pg.Client, people: number): Promise<number> {
  const columns: string[] = [];
  for (const name of TABLES) columns.push(await columnsOf(db, name));
  const since = performance.now();
  for (let from = 1; from <= people; from += BATCH) {
    const part = (each: number) => `n >= ${(from - 1) * each + 1} and n < ${(from - 1 + BATCH) * each + 1}`;
    await db.query(
      `insert into campaign_runs (${columns[0]}) select ${columns[0]} from taken_campaign_runs where ${part(1)}`,
    );
    await db.query(
      `insert into campaign_passages (${columns[1]}) select ${columns[1]} from taken_campaign_passages where ${part(4)}`,
    );
    await db.query(
      `insert into deliveries (${columns[2]}) select ${columns[2]} from taken_deliveries where ${part(2)}`,
    );
    await db.query(
      `update campaign_runs r set step_id = t.step_id, stepped_at = t.stepped_at, ended_at = t.ended_at, status = t.status
       from taken_campaign_runs t where t.person_key = r.person_key and t.id = r.id and t.${part(1).replace(" and n", " and t.n")}`,
    );
  }
  return (performance.now() - since) / 1_000;
}

/** The columns that can be written. */
async function columnsOf(db: pg.Client, name: string): Promise<string> {
  const { rows } = await db.query<{ list: string }>(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as list from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [name],
  );
  return rows[0]?.list ?? "";
}
