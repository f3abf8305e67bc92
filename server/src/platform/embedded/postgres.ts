import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Binaries, findBinaries, type Launch, launchFor } from "./binaries.ts";
import { ensureCluster, passwordOf, postmasterOf, programEnv, sameVersion, stopOrphan } from "./cluster.ts";
import { stopPostgres } from "./processes.ts";

/** An embedded PostgreSQL that runs. */
export interface Embedded {
  url: string;
  /** Stops PostgreSQL within `ms`, by default 8 s. */
  stop(ms?: number): Promise<void>;
  /** Ends PostgreSQL at once, for a forced exit. It recovers from its log at the next start. */
  kill(): void;
}

export interface EmbeddedOptions {
  /** True unless given. False is only for tests: a crash of the machine, not of a process, could then lose data. */
  durable?: boolean;
  /** Additional settings of PostgreSQL. */
  settings?: Record<string, string>;
  /** A fixed port instead of a free one. */
  port?: number;
  /** Ends the attempts to start. */
  signal?: AbortSignal;
  /** Called when PostgreSQL ended by itself. It is then started again on the same port. */
  onCrash?: (how: string) => void;
  /** Called when PostgreSQL could not be started again. */
  onLost?: (error: Error) => void;
}

/** After more crashes than this within five minutes PostgreSQL is not started again: restarts would only hide the cause. */
const MOST_CRASHES = 5;
const MOST_LOG_BYTES = 10 * 1024 * 1024;

/** The files and programs of one embedded PostgreSQL. */
interface Installation {
  folder: string;
  data: string;
  password: string;
  binaries: Binaries;
  launch: Launch;
}

/**
 * Starts the PostgreSQL that came from npm, with its files in `given`/postgres, on a free port of 127.0.0.1, and restarts it after
 * crashes. After a kill -9 of the service its PostgreSQL may still run: then it is stopped first, and the new one recovers from its log.
 */
export async function startEmbedded(given: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  await mkdir(given, { recursive: true, mode: 0o700 });
  const folder = realpathSync(given);
  const data = join(folder, "postgres");
  const binaries = await findBinaries();
  const launch = launchFor(folder, data, binaries);
  const password = await passwordOf(folder);
  const installation = { folder, data, password, binaries, launch };
  await stopOrphan(data);
  await ensureCluster(folder, binaries, launch, { password, durable: options.durable ?? true });
  await sameVersion(data, binaries);

  // Another process may take the free port before PostgreSQL does. Then the next attempt takes another port.
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    try {
      return keepRunning(await startServer(installation, port, options), installation, port, options);
    } catch (error) {
      if (attempt === 3 || options.port || !/could not bind|Address already in use/.test(String(error))) throw error;
    }
  }
}

/** Returns the URL of the embedded PostgreSQL that runs on this folder now, or undefined. For commands beside a running service. */
export async function runningEmbedded(given: string): Promise<string | undefined> {
  if (!existsSync(given)) return undefined;
  const folder = realpathSync(given);
  const owner = postmasterOf(join(folder, "postgres"));
  return owner?.port ? urlOf(await passwordOf(folder), owner.port) : undefined;
}

const urlOf = (password: string, port: number) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;

async function startServer(installation: Installation, port: number, options: EmbeddedOptions): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt++) {
    const server = spawnServer(installation, port, options);
    try {
      await answering(server, installation, port, options.signal);
      return server;
    } catch (error) {
      await stop(server);
      // Children of a killed postmaster need a moment to notice its end. Until then PostgreSQL refuses to start a second server.
      if (attempt === 10 || !/shared memory block .* is still in use/.test(String(error))) throw error;
      await sleep(500);
    }
  }
}

function keepRunning(
  first: ChildProcess,
  installation: Installation,
  port: number,
  options: EmbeddedOptions,
): Embedded {
  let server = first;
  let stopping = false;
  let crashes: number[] = [];

  function watch(): void {
    const ended = (code: number | null, signal: string | null) => void restart(signal ?? `exit code ${code}`);
    if (server.exitCode !== null || server.signalCode !== null) ended(server.exitCode, server.signalCode);
    else server.once("exit", ended);
  }
  async function restart(how: string): Promise<void> {
    if (stopping) return;
    options.onCrash?.(how);
    crashes = [...crashes.filter((at) => at > Date.now() - 300_000), Date.now()];
    try {
      if (crashes.length > MOST_CRASHES)
        throw new Error(`the embedded PostgreSQL keeps ending:\n${tail(installation.folder)}`);
      const fresh = await startServer(installation, port, options);
      server = fresh;
      if (stopping) await stop(fresh);
      else watch();
    } catch (error) {
      if (!stopping) options.onLost?.(error as Error);
    }
  }

  watch();
  return {
    url: urlOf(installation.password, port),
    async stop(ms) {
      stopping = true;
      await stop(server, ms);
    },
    kill() {
      stopping = true;
      server.kill("SIGQUIT");
    },
  };
}

/**
 * Returns the megabytes of PostgreSQL's own cache: an eighth of the machine's memory, at least PostgreSQL's default of 128 MB and at
 * most 1 GB. It uses memory only for data that was read, so a small database needs little. With 1,000,000 deliveries, 1 GB instead of
 * 128 MB saved 9 us of 65 for an impression and 5 of 27 for a sync (docs/performance.md).
 */
export const cacheMb = (memory: number): number => Math.min(1024, Math.max(128, Math.floor(memory / 8 / 1024 ** 2)));

function spawnServer(installation: Installation, port: number, options: EmbeddedOptions): ChildProcess {
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100",
    shared_buffers: `${cacheMb(Math.min(totalmem(), process.constrainedMemory() || Infinity))}MB`,
    max_wal_size: "2GB",
    // All commits would wait while a new segment of 16 MB is filled with zeros and synced: p99 of triggers 54 ms instead of 17 (`waiting`).
    wal_init_zero: "off",
    jit: "off",
    log_timezone: "UTC",
    timezone: "UTC",
    ...(options.durable === false && { fsync: "off", full_page_writes: "off" }),
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const { prefix, as } = installation.launch;
  const [command = "", ...rest] = [
    ...prefix,
    installation.binaries.postgres,
    "-D",
    installation.data,
    "-p",
    String(port),
    ...args,
  ];
  const log = openLog(installation.folder);
  // PostgreSQL gets a process session of its own, so that Ctrl-C in the terminal reaches only the service, which stops the database last.
  const server = spawn(command, rest, {
    cwd: "/",
    env: programEnv(),
    detached: true,
    stdio: ["ignore", log, log],
    ...as,
  });
  closeSync(log);
  return server;
}

async function answering(
  server: ChildProcess,
  installation: Installation,
  port: number,
  signal?: AbortSignal,
): Promise<void> {
  let failed: Error | undefined;
  server.once("error", (error) => {
    failed = error;
  });
  for (let until = Date.now() + 60_000; Date.now() < until; await sleep(25)) {
    if (failed) throw failed;
    signal?.throwIfAborted();
    if (server.exitCode !== null || server.signalCode !== null)
      throw new Error(`the embedded PostgreSQL ended at its start:\n${tail(installation.folder)}`);
    const client = new pg.Client({
      connectionString: urlOf(installation.password, port),
      connectionTimeoutMillis: 5_000,
    });
    client.on("error", () => {});
    try {
      await client.connect();
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "28P01")
        throw new Error(`${join(installation.folder, "postgres-password")} does not open the database`);
      // "Starting up": PostgreSQL reads its log after a crash, which may take long.
      if (code === "57P03") until = Date.now() + 60_000;
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new Error(`the embedded PostgreSQL did not answer within a minute:\n${tail(installation.folder)}`);
}

function openLog(folder: string): number {
  const file = join(folder, "postgres.log");
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MOST_LOG_BYTES) rmSync(file);
  return openSync(file, "a", 0o600);
}

const tail = (folder: string): string =>
  readFileSync(join(folder, "postgres.log"), "utf8").trimEnd().split("\n").slice(-8).join("\n");

async function stop(server: ChildProcess, ms = 8_000): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  await stopPostgres(server.pid, ms);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
