import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import type { Config } from "../../platform/config.ts";
import { type Db, isDistributed, migrate, openDb } from "../../platform/db/index.ts";
import { ownFolder, runningEmbedded, startEmbedded } from "../../platform/embedded/index.ts";
import { openSignals } from "../../platform/signals/index.ts";
import { Refused } from "../terminal/refused.ts";

/** The tests run on PostgreSQL 15 and newer ones. */
const OLDEST = 150_000;

/**
 * The address for a command, which needs one connection and may need it for long: DATABASE_DIRECT_URL, or else DATABASE_URL.
 */
const externalOf = ({ databaseDirectUrl, databaseUrl }: Config): string | undefined => databaseDirectUrl ?? databaseUrl;

/**
 * Calls `work` with the address of the database: that of PostgreSQL if it is external, or else the embedded PostgreSQL in DATA_DIR, which is started for this call
 * if no service runs it.
 */
export async function withAddress<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const external = externalOf(config);
  if (external) {
    await reachable(external, 0);
    return work(external);
  }
  const running = await runningEmbedded(config.dataDir);
  if (running) return work(running);
  if (!existsSync(join(config.dataDir, "postgres"))) {
    throw new Refused(
      `there is no database in ${config.dataDir} yet: start the service once (npm start), or set DATA_DIR or DATABASE_URL`,
    );
  }
  return withOwnDatabase(config, work);
}

/**
 * Like withAddress, but without a running service: the embedded PostgreSQL is started for this call, and created if there is none.
 * @throws Error if a service uses DATA_DIR. `work` must check for itself who uses an external database.
 */
export async function withOwnDatabase<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const external = externalOf(config);
  if (external) {
    await reachable(external, 0);
    return work(external);
  }
  const release = ownFolder(config.dataDir);
  try {
    const embedded = await startEmbedded(config.dataDir);
    try {
      return await work(embedded.url);
    } finally {
      await embedded.stop();
    }
  } finally {
    release();
  }
}

/** Like withAddress, with a pool. The signals that `work` sends reach the running service before this returns. */
export function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  return withAddress(config, async (url) => {
    await migrate(url);
    const log = pino({ level: "silent" });
    const signals = openSignals(config, url, log);
    const db = openDb({ url, connections: 2, signals, log, distributed: await isDistributed(url) });
    try {
      return await work(db);
    } finally {
      for (let i = 0; i < 50 && !signals.healthy(); i++) await sleep(20);
      await signals.close();
      await db.close();
    }
  });
}

/**
 * Waits until an external database answers: it may be starting at the same time.
 * @throws Refused with what is wrong with DATABASE_URL, but without its value, which contains a password
 */
export async function reachable(url: string, patienceMs: number, waiting?: (why: string) => void): Promise<void> {
  let told = false;
  for (const until = Date.now() + patienceMs; ; await sleep(250)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ number: number; text: string }>(
        "select current_setting('server_version_num')::int as number, current_setting('server_version') as text",
      );
      const version = rows[0];
      if (version && version.number < OLDEST)
        throw new Refused(`DATABASE_URL leads to PostgreSQL ${version.text}, but Tidings needs 15 or newer`);
      return;
    } catch (error) {
      if (error instanceof Refused) throw error;
      const why = reason(error);
      if (Date.now() >= until || !mayPass(error))
        throw new Refused(`the database of DATABASE_URL does not answer: ${why}`);
      if (!told) waiting?.(why);
      told = true;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

const mayPass = (error: unknown): boolean =>
  ["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "57P03"].includes((error as { code?: string }).code ?? "");

/** Returns the reason of an error. If a name has several addresses, Node throws an AggregateError without a message. */
const reason = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map((one) => (one as Error).message).join(", ")
    : (error as Error).message;
