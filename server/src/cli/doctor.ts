import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { listProviders, testProvider } from "../outbound/index.ts";
import { newPeopleWindows } from "../people/index.ts";
import { type Config, readConfig } from "../platform/config.ts";
import { isDistributed, migrationNames, openDb, sql } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { createShares } from "../platform/limits/shares.ts";
import { linkKeyFrom } from "../platform/links.ts";
import { createMetrics } from "../house.ts";
import { createFetcher } from "../platform/outbound-http/index.ts";
import { placesFor } from "../platform/places.ts";
import { createSeal } from "../platform/seal.ts";
import { connectNats, openSignals } from "../platform/signals/index.ts";
import { callersOf } from "../platform/work/callers.ts";
import { dueWork } from "../platform/work/due.ts";
import { systemClock } from "../platform/time/clock.ts";
import { NOT_TRACED } from "../platform/tracing/index.ts";
import { allWorkspaces, unverifiedCalls, type Workspace } from "../workspaces/index.ts";
import { withAddress } from "./connect/database.ts";
import { encryptionKeyOf, keyFile } from "./connect/encryption-key.ts";
import { checkShards } from "./distribute/distribute.ts";
import { printJson } from "./terminal/columns.ts";
import { explain } from "./terminal/explain.ts";
import { Refused } from "./terminal/refused.ts";
import { unprovenIn } from "./workspaces/unproven.ts";

/** Leases use the database's clock, and rules use this process's. If they differ by more than this, log and queue contradict each other. */
const MOST_APART_MS = 2_000;
const MOST_PROVIDERS = 200;

/** Something that works, but that somebody should look at: it has a line of its own, and the command does not fail. */
class Warning extends Error {}

type Check = (name: string, inspect: () => Promise<string>) => Promise<void>;

/** `tidings doctor`: prints one line for each check. The exit code is 1 if a check failed. */
export async function doctor(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: "boolean" } } });
  const config = readConfig();
  const checks: { check: string; state: "ok" | "warn" | "fail"; detail: string }[] = [];
  const check: Check = async (name, inspect) => {
    const [state, detail] = await resultOf(inspect);
    checks.push({ check: name, state, detail });
    if (!values.json) console.log(`${state === "fail" ? "FAIL" : state.padEnd(4)}  ${name}: ${detail}`);
  };
  await check("configuration", async () => `${config.databaseUrl ? "DATABASE_URL" : config.dataDir}`);
  try {
    await withAddress(config, async (url) => {
      const ground = await groundOf(config, url);
      if (ground.db.distributed) await check("shards", () => checkShards(url));
      await examine(ground, check).finally(() => Promise.all([ground.db.close(), ground.signals.close()]));
    });
  } catch (error) {
    await check("database", () => Promise.reject(error));
  }
  if (values.json) printJson(checks);
  const failed = checks.filter(({ state }) => state === "fail").length;
  if (failed > 0) throw new Refused(`${failed} ${failed === 1 ? "check" : "checks"} failed`);
}

async function resultOf(inspect: () => Promise<string>): Promise<["ok" | "warn" | "fail", string]> {
  try {
    return ["ok", await inspect()];
  } catch (error) {
    if (error instanceof Warning) return ["warn", error.message];
    return ["fail", explain(error).join(" ").split("\n")[0] ?? ""];
  }
}

async function examine(ground: Ground, check: Check): Promise<void> {
  const { db } = ground;
  await check("database", async () => {
    const [row] = await db.query<{ version: string }>(sql`select current_setting('server_version') as version`);
    return `PostgreSQL ${row?.version} answers`;
  });
  await check("migrations", async () => {
    const ran = await db.query<{ name: string }>(sql`select name from migrations`);
    const missing = (await migrationNames()).filter((name) => !ran.some((row) => row.name === name));
    if (missing.length > 0) throw new Refused(`${missing.join(", ")} did not run yet: npx tidings migrate`);
    return `all ${ran.length} ran`;
  });
  const { nats } = ground.config;
  if (nats) {
    await check("nats", async () => {
      const connection = await connectNats(nats).catch((error: Error) => {
        throw new Refused(`none of ${nats.servers.join(", ")} accepts the connection: ${error.message}`);
      });
      const name = `nats-server ${connection.info?.version} at ${connection.getServer()}`;
      return `${name} answers in ${await connection.rtt().finally(() => connection.close())} ms`;
    });
  }
  await check("clock", async () => {
    const before = Date.now();
    const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
    const apart = Math.round((row?.now.getTime() ?? 0) - (before + Date.now()) / 2);
    if (Math.abs(apart) > MOST_APART_MS)
      throw new Refused(`the database is ${apart} ms from this machine: set both by NTP`);
    return `${Math.abs(apart)} ms from the database's`;
  });
  for (const workspace of await allWorkspaces(db)) {
    await check(`identity in ${workspace.name}`, () => identity(ground, workspace));
    const providers = await listProviders(db, workspace.id, MOST_PROVIDERS);
    if (providers.length === 0)
      await check(`providers of ${workspace.name}`, async () => "none, so messages are captured under /api/v1/outbox");
    for (const provider of providers) {
      // That the credentials can be opened proves that ENCRYPTION_KEY is the key that they were sealed with.
      await check(`provider ${provider.name} (${provider.kind}) of ${workspace.name}`, async () => {
        const { detail } = await testProvider(ground, workspace, provider.id, undefined);
        // A server that accepts the login may still refuse messages. Only the workers, which send them, know that.
        if (provider.slow_until && provider.slow_until > new Date())
          throw new Warning(`${detail} But ${provider.slow_reason}.`);
        return detail;
      });
    }
  }
}

/** Returns what the applications of a workspace proved about their people in the last days. */
async function identity(ground: Ground, { id, identity_verification: mode }: Workspace): Promise<string> {
  if (mode === "off") return "not verified, as the workspace wants it";
  const unproven = unprovenIn(await unverifiedCalls(ground, id), mode);
  if (unproven === undefined)
    return mode === "required" ? "a person token is required" : "monitored, every call of an application was signed";
  throw new Warning(`${unproven}. See docs/api.md, Person tokens`);
}

/** Creates the ground that a test of a provider needs, without a service. */
async function groundOf(config: Config, url: string): Promise<Ground> {
  if (!config.encryptionKey && !existsSync(join(config.dataDir, keyFile)))
    throw new Refused(
      `${join(config.dataDir, keyFile)} is missing: credentials of providers can't be opened without it`,
    );
  const log = pino({ level: "silent" });
  const signals = openSignals(config, url, log);
  const db = openDb({ url, connections: 2, signals, log, distributed: await isDistributed(url) });
  const key = await encryptionKeyOf(config);
  const secrets = { seal: createSeal(key), linkKey: linkKeyFrom(key) };
  const { fetchOut } = createFetcher({ allowPrivate: config.allowPrivateNetwork });
  const pools = {
    db,
    workDb: db,
    interactiveDb: db,
    listDb: db,
    exportDb: db,
    lagging: { interactiveDb: db, exportDb: db },
    replica: undefined,
    places: placesFor(config),
    shares: createShares(),
    callers: callersOf(),
    otherThread: undefined,
  };
  const newPeople = newPeopleWindows();
  return {
    config,
    log,
    metrics: createMetrics(),
    traces: NOT_TRACED,
    clock: systemClock,
    newPeople,
    ...pools,
    signals,
    dueWork: dueWork({ db, clock: systemClock, log }),
    fetchOut,
    ...secrets,
  };
}
