import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { claimDue } from "../../../src/outflow/streams/cursor-store.ts";
import { sendNext } from "../../../src/outflow/streams/send.ts";
import { newId } from "../../../src/platform/ids.ts";
import { clickhouseEmulator } from "../network/clickhouse.ts";
import { s3Emulator } from "../providers/s3.ts";
import { type TestClock, testService } from "../service.ts";
import { until } from "../wait.ts";

export const PATH = "/api/v1/export-destinations";
export const [KEY_ID, SECRET, PASSWORD] = ["AKIDEXAMPLE", "a-secret/with+signs", "a-password-of-16"];

// biome-ignore lint/suspicious/noExplicitAny: rows of every table
export type Row = any;

/** A service without a worker, whose streams the test moves itself, and the far ends. */
export async function destinationService(clock?: TestClock) {
  const it = await testService({ env: { ALLOW_PRIVATE_NETWORK: "true" }, ...(clock && { clock }) });
  const { ground } = it.service;
  const s3 = await s3Emulator(KEY_ID, SECRET, "warehouse");
  const house = await clickhouseEmulator(PASSWORD, ["tidings.deliveries", "tidings.activity", "tidings.events"]);
  const set = (text: string, ...values: unknown[]) => ground.db.execute({ text, values });

  const toBucket = (extra: object = {}, settings: object = {}) => ({
    name: "Warehouse",
    kind: "s3",
    settings: { bucket: "warehouse", region: "eu-central-1", endpoint: s3.url, ...settings },
    credentials: { access_key_id: KEY_ID, secret_access_key: SECRET },
    ...extra,
  });
  const toHouse = (extra: object = {}) => ({
    name: "ClickHouse",
    kind: "clickhouse",
    settings: { url: house.url, database: "tidings", user: "tidings" },
    credentials: { password: PASSWORD },
    ...extra,
  });
  const create = async (body: object, key = it.secretKey) => {
    const made = await it.call("POST", PATH, { key, body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body as Row;
  };

  /** Makes each stream's next batch, also where it would wait. */
  async function round(signal = new AbortController().signal): Promise<void> {
    await set("update export_cursors set due_at = now(), lease_id = null where due_at is not null");
    for (const item of await claimDue(ground.db, newId(), 100)) {
      const lease = { item, until: performance.now() + 60_000, begun: true, gone: false };
      await sendNext(ground, lease, signal).catch((error) => {
        if (!signal.aborted) throw error;
      });
    }
  }
  const snapshot = async () => {
    const text =
      "select pg_snapshot_xmin(s)::text as xmin, pg_snapshot_xmax(s)::text as xmax from pg_current_snapshot() s";
    return (await ground.db.query<{ xmin: string; xmax: string }>({ text, values: [] }))[0] as {
      xmin: string;
      xmax: string;
    };
  };
  /** Waits until all transactions have ended that are open now, also those of tests in other databases: streams end before them. */
  async function settled(): Promise<void> {
    const { xmax } = await snapshot();
    await until(async () => BigInt((await snapshot()).xmin) >= BigInt(xmax), "the end of open transactions");
  }
  async function rounds(count: number): Promise<void> {
    await settled();
    for (let i = 0; i < count; i++) await round();
  }

  const lines = (body: Buffer): Row[] =>
    gunzipSync(body)
      .toString("utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  /** The rows of a table in the bucket, below a folder. */
  const inBucket = (table: string, folder = ""): Row[] =>
    [...s3.files].filter(([name]) => name.startsWith(`${folder}${table}/`)).flatMap(([, { body }]) => lines(body));

  return { it, ground, s3, house, set, toBucket, toHouse, create, settled, round, rounds, inBucket };
}

/** Returns the newest state of each row. */
export function newest(rows: Row[]): Row[] {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const other = found.get(row.id);
    if (!other || (other.version ?? 0) <= (row.version ?? 0)) found.set(row.id, row);
  }
  return [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
