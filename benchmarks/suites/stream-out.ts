import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import pg from "pg";
import { personId } from "../load/ids.ts";
import { startLoad } from "../load/load.ts";
import { cpuOf } from "../processes/cpu.ts";
import { reached, table, type TargetResult } from "../report/report.ts";
import { startStore, type Store } from "../sinks/store.ts";
import { callApi, sendItems } from "../stage/api.ts";
import { seedDeliveries, seedPeople } from "../stage/seed.ts";
import { onStage, type Stage, type StageOptions } from "../stage/stage.ts";

const pack = promisify(gzip);

/** As many rows as Tidings sends at once. */
const BATCH = 10_000;
const POLL_MS = 100;
const SYNCS = 100;

interface Size {
  people: number;
  events: number;
}

interface Measured {
  /** Rows a second. */
  rate: number;
  bytes: number;
  /** Microseconds of CPU for each row, of the server and of PostgreSQL. */
  cpu: number;
  databaseCpu: number;
  /** The p99 of syncs meanwhile, in milliseconds. */
  sync: number;
}

/**
 * Streams everything that a workspace has out, from the beginning: deliveries, their entries in the log, and events, to a store that takes all at once. The
 * floor reads the same rows by one query for each table, as JSON that PostgreSQL makes, packs them and puts as many into each object. 100 syncs a second go on beside both.
 * Streams give way: a workspace reads a page of 1,000 rows at a time, and rests as long as that took.
 */
export async function streamOut(smoke: boolean, options: StageOptions): Promise<TargetResult[]> {
  const size: Size = smoke ? { people: 500, events: 2_000 } : { people: 40_000, events: 200_000 };
  return onStage({ ...options, roles: "api,worker" }, async (stage) => {
    await seed(stage, size);
    const store = await startStore();
    const load = await startLoad();
    const beside = () =>
      load.beside({
        port: stage.service.port,
        connections: 8,
        seed: 42,
        perSecond: SYNCS,
        expect: 200,
        requests: { kind: "sync", key: stage.publicKey, people: size.people },
      });
    try {
      const calm = beside();
      await sleep(smoke ? 1_000 : 15_000);
      const quiet = (await calm.end()).p99;
      const rows = await countRows(stage);
      const measure = (work: () => Promise<void>, pid = stage.service.pid) =>
        measured({ stage, store, rows, beside, pid }, work);
      const copying = await copiersOf(stage, store);
      const floor = await measure(copying.run, process.pid);
      await copying.end();
      const found: [string, Measured][] = [["PostgreSQL, gzip and PUT alone", floor]];
      for (const [name, settings] of Object.entries(destinations(store)))
        found.push([name, await measure(() => streamed(stage, settings, rows))]);
      console.log(
        `${rows} rows: deliveries, log and events; the p99 of ${SYNCS} syncs a second is ${quiet.toFixed(1)} ms before\n`,
      );
      table(
        ["", "rows/s", "bytes a row", "server us", "database us", "p99 of syncs, ms"],
        found.map(([name, one]) => [
          name,
          one.rate.toFixed(0),
          (one.bytes / rows).toFixed(0),
          one.cpu.toFixed(1),
          one.databaseCpu.toFixed(1),
          one.sync.toFixed(1),
        ]),
      );
      const ours = found.slice(1);
      return ours.flatMap(([name, one]) => [
        reached(`${name}: rows/s, ours / alone`, one.rate / floor.rate, [">=", 0.15], "x"),
        reached(`${name}: p99 of syncs meanwhile`, one.sync, ["<", 50], "ms"),
      ]);
    } finally {
      store.close();
      await load.stop();
    }
  });
}

const destinations = ({ url }: Store) => {
  const s3 = { bucket: "bench", region: "local", endpoint: url };
  const keys = { access_key_id: "bench", secret_access_key: "bench" };
  return {
    "S3, JSON lines": { kind: "s3", settings: { ...s3, format: "ndjson.gz" }, credentials: keys },
    "S3, Parquet": { kind: "s3", settings: { ...s3, format: "parquet" }, credentials: keys },
    ClickHouse: {
      kind: "clickhouse",
      settings: { url, database: "bench", user: "bench" },
      credentials: { password: "bench" },
    },
  };
};

/** A batch of a broadcast has one time and one transaction: see docs/decisions/0058-rows-stay-where-they-are.md. */
const QUEUED_IN_BATCHES = `
  with numbered as (select person_key, id, (row_number() over (order by queued_at, id) - 1) / 1000 as batch from deliveries),
  queued as (
    update deliveries d set queued_at = now() - interval '1 day' + n.batch * interval '1 second' from numbered n
    where d.person_key = n.person_key and d.id = n.id
    returning d.person_key, d.id, d.workspace_id, d.queued_at, n.batch)
  insert into activity (person_key, id, workspace_id, delivery_id, type, at, data, txid)
  select person_key, gen_random_uuid(), workspace_id, id, 'in_app.queued', queued_at, '{"channel": "in_app"}', (100 + batch)::text::xid8
  from queued order by batch`;

/** Makes people and their events by the API, and deliveries with an entry each by SQL. */
async function seed(stage: Stage, { people, events }: Size): Promise<void> {
  await seedPeople(stage, people);
  await seedDeliveries(stage, people, 5);
  await stage.db.query(QUEUED_IN_BATCHES);
  await sendItems(stage, events, (n) => ({
    type: "track",
    person_id: personId(n % people),
    eventName: "Order placed",
    properties: { order_id: `order-${n}`, total: n % 500, currency: "CHF", first: n % 7 === 0 },
  }));
  await stage.db.query("vacuum analyze");
  await stage.db.query("checkpoint");
}

async function countRows({ db }: Stage): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    "select ((select count(*) from deliveries) + (select count(*) from activity) + (select count(*) from events))::int as n",
  );
  return rows[0]?.n ?? 0;
}

interface Beside {
  stage: Stage;
  store: Store;
  rows: number;
  beside: () => { end(): Promise<{ p99: number }> };
  /** The process that streams. */
  pid: number;
}

async function measured({ stage, store, rows, beside, pid }: Beside, work: () => Promise<void>): Promise<Measured> {
  const syncs = beside();
  const { databaseCpu } = stage;
  const before = { bytes: store.bytes(), cpu: cpuOf(pid), database: databaseCpu() };
  const since = performance.now();
  await work();
  const seconds = (performance.now() - since) / 1_000;
  const each = (ms: number) => (ms * 1_000) / rows;
  return {
    rate: rows / seconds,
    bytes: store.bytes() - before.bytes,
    cpu: each(cpuOf(pid) - before.cpu),
    databaseCpu: each(databaseCpu() - before.database),
    sync: (await syncs.end()).p99,
  };
}

/** Streams all rows to a new destination, and pauses it. */
async function streamed(stage: Stage, destination: object, rows: number): Promise<void> {
  const body = { name: "Bench", tables: ["deliveries", "activity", "events"], from: "beginning", ...destination };
  const path = "/api/v1/export-destinations";
  const { id } = await callApi<{ id: string }>(stage, path, body);
  for (;;) {
    const { streams } = await callApi<{ streams: { rows_sent: number; last_error: string | null }[] }>(
      stage,
      `${path}/${id}/state`,
    );
    const failed = streams.find((one) => one.last_error !== null);
    if (failed) throw new Error(`the store did not take a batch: ${failed.last_error}`);
    if (streams.reduce((sum, one) => sum + one.rows_sent, 0) >= rows) break;
    await sleep(POLL_MS);
  }
  await callApi(stage, `${path}/${id}`, { enabled: false }, "PATCH");
}

/** Returns what reads the tables by a cursor each, packs and puts them, one table beside the other. */
async function copiersOf({ url }: Stage, store: Store) {
  const copiers = await Promise.all(
    ["deliveries", "activity", "events"].map(async (name) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return { client, run: () => copyTable(client, name, store) };
    }),
  );
  return {
    run: async () => void (await Promise.all(copiers.map(({ run }) => run()))),
    /** The CPU of a connection that has ended is not counted. */
    end: () => Promise.all(copiers.map(({ client }) => client.end())),
  };
}

async function copyTable(client: pg.Client, name: string, store: Store): Promise<void> {
  const without = name === "deliveries" ? " - 'content'" : "";
  await client.query("begin");
  await client.query(
    `declare all_rows no scroll cursor for select (to_jsonb(t)${without})::text as line from ${name} t`,
  );
  for (let n = 0; ; n++) {
    const { rows } = await client.query<{ line: string }>(`fetch ${BATCH} from all_rows`);
    if (rows.length === 0) break;
    const body = await pack(rows.map((row) => row.line).join("\n"));
    const answer = await fetch(`${store.url}/bench/${name}/${n}.ndjson.gz`, { method: "PUT", body });
    await answer.arrayBuffer();
  }
  await client.query("commit");
}
