import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { callApi } from "../stage/api.ts";
import { cpuOf } from "../stage/children.ts";
import { type Load, startLoad } from "../load/load.ts";
import { reached, table, type Verdict } from "../report/report.ts";
import { seedPeople } from "../stage/seed.ts";
import { onStage, type Server, type Stage, type StageOptions } from "../stage/stage.ts";

const BATCH = 2_000;
const SYNCS = { perSecond: 200, connections: 20 };
/** What a delivery of a broadcast has; the rest is its default. */
const COLUMNS =
  "person_key, id, workspace_id, channel, source, source_id, status, queued_at, content, message_id, message_version, live, inbox, priority, expires_at";

/** One of the two that are compared. */
interface Measured {
  seconds: number;
  /** Milliseconds, of the syncs beside it. */
  p99: number;
  /** Microseconds of CPU for a row, of the service and of PostgreSQL; the syncs' are in them. */
  serverCpu: number;
  databaseCpu: number;
}

/**
 * An in-app broadcast to everyone, from the call to its end, against the same rows written by PostgreSQL alone into the same
 * table with its indexes: in one statement where the content is shared, and rendered beforehand in batches of 2,000
 * where it has Liquid. Ours collects the audience, asks for subscriptions and writes the log besides. Beside both, 200 syncs a second
 * are asked of the same process that does the fan-out.
 */
export async function fanout(smoke: boolean, options: StageOptions): Promise<Verdict[]> {
  const people = smoke ? 2_500 : 500_000;
  return onStage(options, async (stage) => {
    const { workspaceId, secretKey, db } = stage;
    await seedPeople(db, { workspaceId, people });
    const server = await stage.service("api,worker");
    const load = await startLoad();
    try {
      const measured = (work: () => Promise<number>) => withSyncs(stage, server, load, people, work);
      const rows: string[][] = [];
      const found: Verdict[] = [];
      for (const [name, body, target] of [
        ["shared content", "An offer is waiting for you.", 0.5],
        ["Liquid", "Hello {{person.first_name}}, an offer is waiting for you.", 0.4],
      ] as const) {
        const ours = await measured(() => broadcast(db, server.port, secretKey, body, people));
        await takeOut(db);
        const floor = await measured(() => (body.includes("{{") ? inBatches(db) : inOne(db)));
        rows.push(rowOf(`${name}: PostgreSQL alone`, people, floor), rowOf(`${name}: Tidings`, people, ours));
        const ratio = floor.seconds / ours.seconds;
        found.push(reached(`${name}: rows a second, ours / PostgreSQL alone`, ratio, ">=", target, "x"));
        found.push(reached(`${name}: p99 of the syncs beside it`, ours.p99, "<", 50, "ms"));
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

/** Does the work, which says how long it took itself, beside a steady stream of syncs. */
async function withSyncs(
  stage: Stage,
  server: Server,
  load: Load,
  people: number,
  work: () => Promise<number>,
): Promise<Measured> {
  const requests = { kind: "sync", key: stage.publicKey, people } as const;
  const plan = { ...SYNCS, port: server.port, expect: 200, seed: 7, requests };
  // What is compiled and planned at the first requests is not what is measured.
  await load.run({ ...plan, seconds: 1 });
  const before = [cpuOf(server.pid), stage.databaseCpu()] as const;
  const syncs = load.beside(plan);
  const seconds = await work();
  const { p99 } = await syncs.end();
  const each = (ms: number) => (ms * 1_000) / people;
  return {
    seconds,
    p99,
    serverCpu: each(cpuOf(server.pid) - before[0]),
    databaseCpu: each(stage.databaseCpu() - before[1]),
  };
}

/** Seconds from the call that sends it to the last delivery. */
async function broadcast(db: pg.Client, port: number, key: string, body: string, people: number): Promise<number> {
  const message = await callApi<{ id: string }>(port, key, "/api/v1/in-app-messages", {
    name: "Fan-out",
    render_type: "modal",
    body,
  });
  const draft = await callApi<{ id: string }>(port, key, "/api/v1/broadcasts", {
    name: "Fan-out",
    channel: "in_app",
    audience: { all: [] },
    message_id: message.id,
  });
  const since = performance.now();
  await callApi(port, key, `/api/v1/broadcasts/${draft.id}/send`, {});
  for (;;) {
    const { rows } = await db.query("select from broadcasts where finished_at is null");
    if (rows.length === 0) break;
    await sleep(20);
  }
  const seconds = (performance.now() - since) / 1_000;
  const { rows } = await db.query<{ n: number }>("select count(*)::int as n from deliveries");
  if (rows[0]?.n !== people) throw new Error(`${rows[0]?.n} deliveries for ${people} people`);
  return seconds;
}

/** Gives the rows back in one statement. Seconds of that statement. */
async function inOne(db: pg.Client): Promise<number> {
  const since = performance.now();
  await db.query(`insert into deliveries (${COLUMNS}) select ${COLUMNS} from taken`);
  return (performance.now() - since) / 1_000;
}

/** The same in batches of rendered rows that come from the client. */
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

/** Takes the rows out of the table. */
async function takeOut(db: pg.Client): Promise<void> {
  await db.query("drop table if exists taken");
  await db.query(`create table taken as select ${COLUMNS} from deliveries`);
  await db.query("truncate deliveries");
  await db.query("checkpoint");
}
