import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate, openDb } from "../../server/src/platform/db/index.ts";
import { startEmbedded } from "../../server/src/platform/embedded/index.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { createWorkspace } from "../../server/src/workspaces/index.ts";
import { type Child, cpuOf, startChild } from "./children.ts";
import { type Nginx, startNchan } from "../floors/nchan.ts";

/** Where one benchmark plays: a durable PostgreSQL with a migrated database and one workspace, and the processes on it. */
export interface Stage {
  workspaceId: string;
  secretKey: string;
  publicKey: string;
  db: pg.Client;
  /** Of the database, for further connections. */
  url: string;
  /** Another workspace. */
  another(): Promise<{ workspaceId: string; secretKey: string }>;
  /** The service under test, a process of its own. */
  service(roles: string): Promise<Server>;
  /** A bare server of floor.ts. */
  floor(name: string, env?: Record<string, string>): Promise<Server>;
  /** nginx with nchan for so many connections; nothing where it is not installed. */
  nchan(connections: number): Promise<Nginx | undefined>;
  /** Milliseconds of CPU that PostgreSQL's processes have used so far. */
  databaseCpu(): number;
}

export interface Server extends Child {
  port: number;
}

type Stoppable = Pick<Child, "stop">;

export interface StageOptions {
  /** Node's own options for the service under test, e.g. --cpu-prof. */
  serviceArgv: string[];
  /** Settings of PostgreSQL beyond those of `npm start`. */
  settings?: Record<string, string>;
}

/** Sets the stage, plays, and clears everything away, also when playing fails. */
export async function onStage<T>(options: StageOptions, play: (stage: Stage) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "tidings-bench-"));
  const children: Stoppable[] = [];
  let stopDatabase = async () => {};
  let client: pg.Client | undefined;
  let clearing: Promise<void> | undefined;
  const clear = () => (clearing ??= clearAll());
  const clearAll = async () => {
    await Promise.allSettled(children.map((child) => child.stop()));
    await client?.end().catch(() => {});
    await stopDatabase();
    await rm(folder, { recursive: true, force: true });
  };
  const interrupted = () => void clear().finally(() => process.exit(130));
  // An error in a socket's handler passes no `finally`: without this PostgreSQL would outlive the run.
  let failed = false;
  const thrown = (error: unknown) => {
    if (failed) return;
    failed = true;
    console.error(error);
    void clear().finally(() => process.exit(1));
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted).on("uncaughtException", thrown);
  try {
    // Durable, with the settings of `npm start`: fsync and synchronous_commit are on.
    const embedded = await startEmbedded(folder, { durable: true, settings: options.settings ?? {} });
    stopDatabase = embedded.stop;
    await migrate(embedded.url);
    client = new pg.Client({ connectionString: embedded.url });
    await client.connect();
    await client.query(
      "create table bare_rows (id uuid primary key, recipient text not null, content jsonb not null, at timestamptz not null)",
    );
    return await play(await stageOn(embedded.url, client, children, options));
  } finally {
    await clear();
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted).off("uncaughtException", thrown);
  }
}

async function stageOn(url: string, db: pg.Client, children: Stoppable[], options: StageOptions): Promise<Stage> {
  const { workspace, secretKey, publicKey } = await newWorkspace(url);
  const backend = await db.query<{ pid: number }>("select pg_backend_pid() as pid");
  const postmaster = parentOf(backend.rows[0]?.pid ?? 0);
  const backends = new Map<number, number>();
  const started = async (file: URL, env: Record<string, string>, argv: string[]): Promise<Server> => {
    const child = await startChild<{ port: number }>(file, env, ["--expose-gc", ...argv]);
    children.push(child);
    return { ...child, port: child.hello.port };
  };
  const encryptionKey = randomBytes(32).toString("base64");
  return {
    workspaceId: workspace.id,
    secretKey,
    publicKey,
    db,
    url,
    async another() {
      const made = await newWorkspace(url);
      return { workspaceId: made.workspace.id, secretKey: made.secretKey };
    },
    service: (roles) =>
      started(
        new URL("./serve.ts", import.meta.url),
        {
          DATABASE_URL: url,
          ENCRYPTION_KEY: encryptionKey,
          ROLES: roles,
          PORT: "0",
          LOG_LEVEL: "warn",
          LOG_FORMAT: "json",
          ALLOW_PRIVATE_NETWORK: "true",
        },
        options.serviceArgv,
      ),
    floor: (name, env = {}) =>
      started(new URL("../floors/floor.ts", import.meta.url), { FLOOR: name, FLOOR_DATABASE: url, ...env }, []),
    async nchan(connections) {
      const nginx = await startNchan(connections);
      if (nginx) children.push(nginx);
      return nginx;
    },
    databaseCpu() {
      // One that has ended since, such as an autovacuum, keeps what it was last seen with: the sum never falls.
      for (const pid of childrenOf(postmaster)) {
        const cpu = cpuOf(pid);
        // It may end between being listed and being read.
        if (!Number.isNaN(cpu)) backends.set(pid, cpu);
      }
      return [...backends.values()].reduce((sum, cpu) => sum + cpu, 0);
    },
  };
}

async function newWorkspace(url: string) {
  const log = createLog({ logLevel: "warn", logFormat: "json" });
  const db = openDb({ url, connections: 1, signals: { publish: () => {} }, log });
  try {
    return await db.transaction((tx) => createWorkspace(tx, "Benchmark"));
  } finally {
    await db.close();
  }
}

function parentOf(pid: number): number {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[1],
    );
  } catch {
    return Number.NaN;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((child) => child > 0 && parentOf(child) === pid);
  } catch {
    return [];
  }
}
