import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { callApi } from "../stage/api.ts";
import { cpuOf } from "../processes/cpu.ts";
import { type Load, startLoad } from "../load/load.ts";
import { reached, table, type TargetResult } from "../report/report.ts";
import { seedPeople } from "../stage/seed.ts";
import { onStage, type Stage, type StageOptions } from "../stage/stage.ts";

const BATCH = 2_000;
/** Polls are so rare that they are no load, and the end of 18 s is seen within 0.6 % of them. */
const POLL_MS = 100;
const SYNCS = { perSecond: 200, connections: 20 };
/** The columns of a broadcast's delivery; the others have their defaults. */
const COLUMNS =
  "person_key, id, workspace_id, channel, source, source_id, status, queued_at, content, message_id, message_version, live, inbox, priority, expires_at";

/** The result of the floor or of Tidings. */
interface Measured {
  seconds: number;
  /** Milliseconds, of the syncs that run beside it. */
  p99: number;
  /** Microseconds of CPU for a row, of the service and of PostgreSQL, including the syncs'. */
  serverCpu: number;
  databaseCpu: number;
}

/**
 * Measures an in-app broadcast to everyone, from the call to its end, against the same rows written by PostgreSQL alone into the same
 * table with its indexes: in one statement if the content is shared, and rendered beforehand in batches of 2,000
 * if it has Liquid. Tidings also collects the audience, reads subscriptions and writes the log. Meanwhile the process of the fan-out
 * answers 200 syncs a second.
 */
export async function fanout(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const people = smoke ? 2_500 : 500_000;
  return onStage({ ...options, roles: "api,worker" }, async (stage) => {
    const { db } = stage;
    await seedPeople(stage, people);
    const load = await startLoad();
    try {
      const measured = (work: () => Promise<number>) => withSyncs(stage, load, people, work);
      const rows: string[][] = [];
      const found: TargetResult[] = [];
      for (const [name, body, target] of [
        ["shared content", "An offer is waiting for you.", 0.5],
        ["Liquid", "Hello {{person.first_name}}, an offer is waiting for you.", 0.4],
      ] as const) {
        const ours = await measured(() => broadcast(stage, body));
        await takeOut(db, people);
        const floor = await measured(() => (body.includes("{{") ? inBatches(db) : inOne(db)));
        rows.push(rowOf(`${name}: PostgreSQL alone`, people, floor), rowOf(`${name}: Tidings`, people, ours));
        const ratio = floor.seconds / ours.seconds;
        found.push(reached(`${name}: rows a second, ours / PostgreSQL alone`, ratio, [">=", target], "x"));
        found.push(reached(`${name}: p99 of the syncs beside it`, ours.p99, ["<", 50], "ms"));
        await db.query("truncate deliveries, activity");
        await db.query("checkpoint");
      }
      console.log(`${people} people, ${SYNCS.perSecond} syncs a second beside it\n`);
      table(["in-app broadcast", "rows/s", "server us", "database us", "sync p99 ms"], rows);
      return found;
    } finally {
      await load.stop();
    }
  });
}

const rowOf = (name: string, people: number, { seconds, p99, serverCpu, databaseCpu }: Measured): string[] => [
  name,
  (people / seconds).toFixed(0),
  serverCpu.toFixed(1),
  databaseCpu.toFixed(1),
  p99.toFixed(1),
];

/** Does the work, which returns its own duration, beside a steady stream of syncs. */
async function withSyncs(stage: Stage, load: Load, people: number, work: () => Promise<number>): Promise<Measured> {
  const { service } = stage;
  const requests = { kind: "sync", key: stage.publicKey, people } as const;
  const plan = { ...SYNCS, port: service.port, expect: 200, seed: 7, requests };
  // Compiling and planning at the first requests is not measured.
  await load.run({ ...plan, seconds: 1 });
  const before = [cpuOf(service.pid), stage.databaseCpu()] as const;
  const syncs = load.beside(plan);
  const seconds = await work();
  const { p99 } = await syncs.end();
  const each = (ms: number) => (ms * 1_000) / people;
  return {
    seconds,
    p99,
    serverCpu: each(cpuOf(service.pid) - before[0]),
    databaseCpu: each(stage.databaseCpu() - before[1]),
  };
}

/** Returns the seconds from the call that sends it to the last delivery. */
async function broadcast(stage: Stage, body: string): Promise<number> {
  const message = await callApi<{ id: string }>(stage, "/api/v1/in-app-messages", {
    name: "Fan-out",
    render_type: "modal",
    body,
  });
  const draft = await callApi<{ id: string }>(stage, "/api/v1/broadcasts", {
    name: "Fan-out",
    channel: "in_app",
    audience: { all: [] },
    message_id: message.id,
  });
  const since = performance.now();
  await callApi(stage, `/api/v1/broadcasts/${draft.id}/send`, {});
  for (;;) {
    await sleep(POLL_MS);
    const { finished_at } = await callApi<{ finished_at: string | null }>(stage, `/api/v1/broadcasts/${draft.id}`);
    if (finished_at !== null) return (performance.now() - since) / 1_000;
  }
}

/** Inserts the rows in one statement. Returns the seconds of that statement. */
async function inOne(db: pg.Client): Promise<number> {
  const since = performance.now();
  await db.query(`insert into deliveries (${COLUMNS}) select ${COLUMNS} from taken`);
  return (performance.now() - since) / 1_000;
}

/** Inserts the rows in batches of rendered rows that the client sends. */
async function inBatches(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ person_key: string; id: string; content: string }>(
    "select person_key, id, content::text from taken",
  );
  const since = performance.now();
  for (let i = 0; i < rows.length; i += BATCH) {
    const batch = rows.slice(i, i + BATCH);
    await db.query(
      `insert into deliveries (${COLUMNS})
       select t.person_key, t.id, o.workspace_id, o.channel, o.source, o.source_id, o.status, o.queued_at, t.content, o.message_id,
         o.message_version, o.live, o.inbox, o.priority, o.expires_at
       from unnest($1::uuid[], $2::uuid[], $3::jsonb[]) as t (person_key, id, content), (select * from taken limit 1) as o`,
      [batch.map((row) => row.person_key), batch.map((row) => row.id), batch.map((row) => row.content)],
    );
  }
  return (performance.now() - since) / 1_000;
}

/** Deletes the rows. @throws Error if there is not one for each person */
async function takeOut(db: pg.Client, people: number): Promise<void> {
  await db.query("drop table if exists taken");
  const { rowCount } = await db.query(`create table taken as select ${COLUMNS} from deliveries`);
  if (rowCount !== people) throw new Error(`${rowCount} deliveries for ${people} people`);
  await db.query("truncate deliveries");
  await db.query("checkpoint");
}
