import { parseArgs } from "node:util";
import { createService, type Service } from "../../process/index.ts";
import { bootstrapOwner, setupLink } from "../../members/index.ts";
import { type Config, readConfig } from "../../platform/config.ts";
import { migrate } from "../../platform/db/index.ts";
import { folderLetGo, ownFolder, startEmbedded } from "../../platform/embedded/index.ts";
import { createLog, type Log, logRejections } from "../../platform/log.ts";
import { allWorkspaces, bootstrap, unverifiedCalls } from "../../workspaces/index.ts";
import { reachable } from "../connect/database.ts";
import { encryptionKeyOf } from "../connect/encryption-key.ts";
import { assertPooling, isLent } from "../connect/pooling.ts";
import { explain } from "../terminal/explain.ts";
import { Refused } from "../terminal/refused.ts";
import { unprovenIn } from "../workspaces/unproven.ts";
import { buildDashboard } from "./dashboard.ts";
import { assertFree, listenRefused } from "./listening.ts";
import { onSignals, type Shutdown } from "./shutdown.ts";
import { firstWelcome, keysOnly, laterWelcome, setupWelcome } from "./welcome.ts";

/** Hand-offs under way get this time. The rest of the 10 s is for PostgreSQL, which is stopped last. */
const SERVICE_STOP_MS = 6_500;
/** The most workspaces that the start reports about; `tidings doctor` reports about all. */
const MOST_REPORTED = 5;
const LET_GO_MS = 3_000;
const PARENT_LOOK_MS = 250;
/** An external database may be starting at the same time, as in a compose file. */
const DATABASE_PATIENCE_MS = 20_000;

/** `tidings serve`, which is `npm start`: the service in the foreground, until a signal. */
export async function serve(args: string[]): Promise<void> {
  parseArgs({ args, options: {} });
  const config = readConfig();
  const log = createLog(config);
  const shutdown = onSignals((message) => log.info(message));
  logRejections(log);
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "an unexpected error: stopping, a fresh process is safer than this one");
    void shutdown.stop(1);
  });
  if (config.startedByNpm) stopWithParent(log, shutdown);
  const starting = start(config, log, shutdown);
  shutdown.waitFor(starting);
  try {
    await starting;
  } catch (error) {
    // A signal came during the start: its stop is under way and ends the process.
    if (shutdown.signal.aborted) return;
    for (const line of explain(error)) console.error(`tidings: ${line}`);
    await shutdown.stop(1);
  }
}

/**
 * Stops when npm has ended. npm passes SIGTERM to its shell and no further, and a kill -9 of npm reaches nobody: a service that was started
 * by `npm start` would run on unseen and keep its port.
 */
function stopWithParent(log: Log, shutdown: Shutdown): void {
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    log.info("npm, which started this, has ended: stopping");
    void shutdown.stop(0);
  }, PARENT_LOOK_MS).unref();
}

async function start(config: Config, log: Log, shutdown: Shutdown): Promise<void> {
  // After a quick restart the previous service may still be stopping: it has the same folder, and mostly the same port.
  if (!config.databaseUrl) await folderLetGo(config.dataDir, LET_GO_MS);
  await assertFree(config);
  const databaseUrl = config.databaseUrl
    ? await external(config, config.databaseUrl, log)
    : await embedded(config, log, shutdown);
  shutdown.signal.throwIfAborted();
  const encryptionKey = await encryptionKeyOf(config);
  for (const name of await migrate(config.databaseDirectUrl ?? databaseUrl)) log.info({ migration: name }, "migrated");
  shutdown.signal.throwIfAborted();

  const service = await createService(config, { databaseUrl, encryptionKey, log, threads: true });
  shutdown.add(() => within(SERVICE_STOP_MS, service.stop(), log));
  // The keys are created before the service listens, so that they work as soon as it is ready.
  const keys = { secret: config.bootstrapSecretKey, public: config.bootstrapPublicKey };
  const made = await bootstrap(service.ground.db, keys);
  const given = { secretKey: keys.secret, publicKey: keys.public };
  if (config.bootstrapAdmin) await bootstrapOwner(service.ground, config.bootstrapAdmin);
  // A JSON log has stdout for itself: the keys go to stderr, so that no log store gets them.
  const print = config.logFormat === "json" ? console.error : console.log;
  let address: string;
  try {
    address = await service.listen();
    shutdown.signal.throwIfAborted();
  } catch (error) {
    // The keys exist now, and can't be shown again.
    if (made) print(keysOnly(made, given));
    throw listenRefused(error, config);
  }
  log.info({ address, roles: [...config.roles] }, "listening");
  if (config.roles.has("api")) shutdown.add(buildDashboard(log));
  const reached = config.port === 0 ? address : config.publicUrl;
  print(made ? firstWelcome(reached, made, given) : laterWelcome(reached, await unproven(service.ground)));
  const { db, clock } = service.ground;
  const link = config.roles.has("api") ? await setupLink(db, reached, clock.now()) : undefined;
  if (link !== undefined) print(setupWelcome(link));
}

/** Returns a line for each of the first workspaces with reports in the last days that its applications did not prove. */
async function unproven(ground: Service["ground"]): Promise<string[]> {
  const lines: string[] = [];
  for (const { id, name, identity_verification: mode } of (await allWorkspaces(ground.db)).slice(0, MOST_REPORTED)) {
    const found = mode === "off" ? undefined : unprovenIn(await unverifiedCalls(ground, id), mode);
    if (found !== undefined) lines.push(`${name}: ${found}.`);
  }
  return lines;
}

async function external({ databaseDirectUrl, readReplica }: Config, url: string, log: Log): Promise<string> {
  const waiting = (why: string) => log.warn({ err: why }, "waiting for the database");
  await reachable(url, DATABASE_PATIENCE_MS, waiting);
  if (databaseDirectUrl) await reachable(databaseDirectUrl, DATABASE_PATIENCE_MS, waiting);
  await assertPooling(url, databaseDirectUrl);
  // A replica may be away: the primary answers meanwhile.
  if (readReplica && (await isLent(readReplica.url).catch(() => false)))
    throw new Refused("DATABASE_READ_URL is a pooler in transaction mode: it must be the address of a standby itself");
  return url;
}

async function embedded(config: Config, log: Log, shutdown: Shutdown): Promise<string> {
  shutdown.add(ownFolder(config.dataDir));
  const database = await startEmbedded(config.dataDir, {
    signal: shutdown.signal,
    onCrash: (how) => log.error({ how }, "the embedded PostgreSQL ended by itself: starting it again"),
    onLost: (error) => {
      log.fatal({ err: error.message }, "the embedded PostgreSQL can't be started again: stopping");
      void shutdown.stop(1);
    },
  });
  shutdown.add(database.stop, database.kill);
  return database.url;
}

async function within(ms: number, work: Promise<void>, log: Log): Promise<void> {
  const late = AbortSignal.timeout(ms);
  const timeout = new Promise<void>((resolve) => late.addEventListener("abort", () => resolve(), { once: true }));
  await Promise.race([work, timeout]);
  if (late.aborted) log.warn(`the service did not stop within ${ms} ms: its rows become free when their leases end`);
}
