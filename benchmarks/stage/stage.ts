import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Nginx, startNchan } from "../floors/nchan.ts";
import { type Child, startChild } from "../processes/children.ts";
import { childrenCpu } from "../processes/cpu.ts";
import { placeInShards } from "./cluster.ts";
import { createWorkspace, databaseIn, makeKeys, type Server, startService } from "./service.ts";

/** The environment of one benchmark: the service under test with its durable PostgreSQL and one workspace, and the processes beside it. */
export interface Stage extends Workspace {
  publicKey: string;
  /** `tidings serve` in its own process. */
  service: Server;
  /** A connection for seeding, for floors and for values that only the database knows. */
  db: pg.Client;
  /** The address of the database, for further connections. */
  url: string;
  /** Creates another workspace. */
  another(): Promise<Workspace>;
  /** Starts a bare server of floor.ts. */
  floor(name: string, env?: Record<string, string>): Promise<Server>;
  /** Starts nginx with nchan for this many connections; returns undefined if it is not installed. */
  nchan(connections: number): Promise<Nginx | undefined>;
  /** Milliseconds of CPU that PostgreSQL's processes have used so far. */
  databaseCpu(): number;
}

interface Workspace {
  /** The id in the tables, a UUID. */
  workspaceId: string;
  secretKey: string;
}

export interface StageOptions {
  /** Node's own options for the service under test, e.g. --cpu-prof. */
  serviceArgv: string[];
  /** The address of a coordinator of Citus on this machine, to measure on its cluster. */
  cluster?: string | undefined;
}

/** Where the service under test has its database. */
export interface Place {
  /** The variables that lead the service to it. */
  env: Record<string, string>;
  /** The address of the database, once the service has started. */
  url(): string;
  databaseCpu(): number;
  stop(): Promise<void>;
}

interface Setting extends StageOptions {
  /** The service's ROLES. */
  roles: string;
  /** Settings of PostgreSQL beyond those of `npm start`. A cluster has its own, so such a benchmark refuses one. */
  settings?: Record<string, string>;
}

/** Starts everything, calls `play` and ends everything, also when `play` fails. */
export async function onStage<T>(setting: Setting, play: (stage: Stage) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "tidings-bench-"));
  // They end in reverse order: the service, which holds the database, starts first and ends last.
  const started: Stoppable[] = [];
  let clearing: Promise<void> | undefined;
  const clear = () => (clearing ??= clearAll());
  const clearAll = async () => {
    for (const one of started.toReversed()) await one.stop().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
  const interrupted = () => void clear().finally(() => process.exit(130));
  // An error in a socket's handler skips `finally`: without this the service and PostgreSQL would outlive the run.
  let failed = false;
  const thrown = (error: unknown) => {
    if (failed) return;
    failed = true;
    console.error(error);
    void clear().finally(() => process.exit(1));
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted).on("uncaughtException", thrown);
  try {
    return await play(await setUp(folder, started, setting));
  } finally {
    await clear();
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted).off("uncaughtException", thrown);
  }
}

type Stoppable = Pick<Child, "stop">;

async function setUp(folder: string, started: Stoppable[], setting: Setting): Promise<Stage> {
  const adding = async <S extends Stoppable>(starting: Promise<S>): Promise<S> => {
    const one = await starting;
    started.push(one);
    return one;
  };
  const keys = makeKeys();
  if (setting.cluster && setting.settings)
    throw new Error(`this benchmark needs a PostgreSQL with ${Object.keys(setting.settings).join(", ")} of its own`);
  const place = await adding(setting.cluster ? placeInShards(setting.cluster) : ownPlace(folder));
  const env = { DATA_DIR: folder, ...place.env };
  if (setting.settings) await changeSettings(await adding(startService(env, "api", keys, [])), place, setting.settings);
  const service = await adding(startService(env, setting.roles, keys, setting.serviceArgv));
  const url = place.url();
  const db = await connected(url);
  started.push({ stop: () => db.end() });
  // The table of the floors that store their requests.
  await db.query(
    "create table bare_rows (id uuid primary key, recipient text not null, content jsonb not null, at timestamptz not null)",
  );
  let others = 0;
  return {
    ...keys,
    workspaceId: await newestWorkspace(db),
    service,
    db,
    url,
    async another() {
      const { secretKey } = await createWorkspace(env, `Another ${++others}`);
      return { workspaceId: await newestWorkspace(db), secretKey };
    },
    floor: (name, env = {}) =>
      adding(
        startChild<{ port: number }>({
          file: new URL("../floors/floor.ts", import.meta.url),
          env: { FLOOR: name, FLOOR_DATABASE: url, ...env },
          execArgv: ["--expose-gc"],
        }).then((child) => ({ ...child, port: child.hello.port })),
      ),
    async nchan(connections) {
      const nginx = await startNchan(connections);
      if (nginx) started.push(nginx);
      return nginx;
    },
    databaseCpu: place.databaseCpu,
  };
}

/** The PostgreSQL that the service starts and stops. */
async function ownPlace(folder: string): Promise<Place> {
  return {
    env: {},
    url: () => databaseIn(folder).url,
    databaseCpu: () => childrenCpu(databaseIn(folder).pid),
    stop: async () => {},
  };
}

/** Changes settings that PostgreSQL reads only at its start: stops the service with it; the caller starts both again. */
async function changeSettings(service: Server, place: Place, settings: Record<string, string>): Promise<void> {
  const db = await connected(place.url());
  for (const [name, value] of Object.entries(settings)) await db.query(`alter system set ${name} = '${value}'`);
  await db.end();
  await service.stop();
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Returns the UUID in the tables for a workspace's TypeID on the wire. */
async function newestWorkspace(db: pg.Client): Promise<string> {
  const { rows } = await db.query<{ id: string }>("select id from workspaces order by created_at desc limit 1");
  return rows[0]?.id ?? "";
}
