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

export interface Embedded {
  url: string;
  /** Stops it within `ms`, by default 8 s. */
  stop(ms?: number): Promise<void>;
  /** Ends it at once, without waiting: it recovers from its log at the next start. For a forced exit. */
  kill(): void;
}

export interface EmbeddedOptions {
  /** Off only for tests: a crash of the machine, not of a process, could then lose data. */
  durable?: boolean;
  settings?: Record<string, string>;
  /** A fixed port instead of a free one. */
  port?: number;
  /** Gives up the start. */
  signal?: AbortSignal;
  /** PostgreSQL ended without being asked to: it is being started again on the same port. */
  onCrash?: (how: string) => void;
  /** It could not be started again. */
  onLost?: (error: Error) => void;
}

/** More crashes than this within five minutes have a cause that restarts would only hide. */
const MOST_CRASHES = 5;
const MOST_LOG_BYTES = 10 * 1024 * 1024;

interface Place {
  folder: string;
  data: string;
  password: string;
  binaries: Binaries;
  launch: Launch;
}

/**
 * Starts the PostgreSQL that came from npm, with its files under `given`/postgres, on a free port of 127.0.0.1, and keeps
 * it running. After a kill -9 of the service its PostgreSQL may still run: it is stopped first, and recovers from its log.
 */
export async function startEmbedded(given: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  await mkdir(given, { recursive: true, mode: 0o700 });
  const folder = realpathSync(given);
  const data = join(folder, "postgres");
  const binaries = await findBinaries();
  const launch = launchFor(folder, data, binaries);
  const password = await passwordOf(folder);
  const place = { folder, data, password, binaries, launch };
  await stopOrphan(data);
  await ensureCluster(folder, binaries, launch, { password, durable: options.durable ?? true });
  await sameVersion(data, binaries);

  // Another process may take the free port before PostgreSQL does: then the next one.
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    try {
      return keepRunning(await startServer(place, port, options), place, port, options);
    } catch (error) {
      if (attempt === 3 || options.port || !/could not bind|Address already in use/.test(String(error))) throw error;
    }
  }
}

/** The address of the embedded PostgreSQL that runs over this folder now, or undefined: for commands beside a running service. */
export async function runningEmbedded(given: string): Promise<string | undefined> {
  if (!existsSync(given)) return undefined;
  const folder = realpathSync(given);
  const owner = postmasterOf(join(folder, "postgres"));
  return owner?.port ? urlOf(await passwordOf(folder), owner.port) : undefined;
}

const urlOf = (password: string, port: number) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;

async function startServer(place: Place, port: number, options: EmbeddedOptions): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt++) {
    const server = spawnServer(place, port, options);
    try {
      await answering(server, place, port, options.signal);
      return server;
    } catch (error) {
      await stop(server);
      // Children of a killed postmaster need a moment to notice; until then PostgreSQL protects the files from a second one.
      if (attempt === 10 || !/shared memory block .* is still in use/.test(String(error))) throw error;
      await sleep(500);
    }
  }
}

function keepRunning(first: ChildProcess, place: Place, port: number, options: EmbeddedOptions): Embedded {
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
        throw new Error(`the embedded PostgreSQL keeps ending:\n${tail(place.folder)}`);
      const fresh = await startServer(place, port, options);
      server = fresh;
      if (stopping) await stop(fresh);
      else watch();
    } catch (error) {
      if (!stopping) options.onLost?.(error as Error);
    }
  }

  watch();
  return {
    url: urlOf(place.password, port),
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
 * PostgreSQL's own cache: an eighth of the memory that there is, at least its default of 128 MB and at most 1 GB. It takes up what
 * is read into it, so a small database stays small. With 1,000,000 deliveries, 1 GB in place of 128 MB spared an impression 9 us
 * of 65 and a sync 5 of 27 (docs/performance.md).
 */
export const cacheMb = (memory: number): number => Math.min(1024, Math.max(128, Math.floor(memory / 8 / 1024 ** 2)));

function spawnServer(place: Place, port: number, options: EmbeddedOptions): ChildProcess {
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100",
    shared_buffers: `${cacheMb(Math.min(totalmem(), process.constrainedMemory() || Infinity))}MB`,
    max_wal_size: "2GB",
    jit: "off",
    log_timezone: "UTC",
    timezone: "UTC",
    ...(options.durable === false && { fsync: "off", full_page_writes: "off" }),
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const { prefix, as } = place.launch;
  const [command = "", ...rest] = [...prefix, place.binaries.postgres, "-D", place.data, "-p", String(port), ...args];
  const log = openLog(place.folder);
  // A session of its own: Ctrl-C in the terminal must reach the service first, which stops the database last.
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

async function answering(server: ChildProcess, place: Place, port: number, signal?: AbortSignal): Promise<void> {
  let failed: Error | undefined;
  server.once("error", (error) => {
    failed = error;
  });
  for (let until = Date.now() + 60_000; Date.now() < until; await sleep(25)) {
    if (failed) throw failed;
    signal?.throwIfAborted();
    if (server.exitCode !== null || server.signalCode !== null)
      throw new Error(`the embedded PostgreSQL ended at its start:\n${tail(place.folder)}`);
    const client = new pg.Client({ connectionString: urlOf(place.password, port), connectionTimeoutMillis: 5_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "28P01") throw new Error(`${join(place.folder, "postgres-password")} does not open the database`);
      // "Starting up": it reads its log after a crash, which takes as long as it takes.
      if (code === "57P03") until = Date.now() + 60_000;
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new Error(`the embedded PostgreSQL did not answer within a minute:\n${tail(place.folder)}`);
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
