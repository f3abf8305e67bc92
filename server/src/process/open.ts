import { createMetrics, type House, houseOn } from "../house.ts";
import { PASSWORD_COST, type PasswordCost } from "../members/index.ts";
import { newPeopleWindows } from "../people/index.ts";
import type { Config } from "../platform/config.ts";
import { databaseClock } from "../platform/db/database-clock.ts";
import { Announcements, isDistributed, openDb } from "../platform/db/index.ts";
import { createShares, INTERACTIVE, LISTS, PAGES } from "../platform/limits/shares.ts";
import { linkKeyFrom } from "../platform/links.ts";
import type { Log } from "../platform/log.ts";
import { createFetcher } from "../platform/outbound-http/index.ts";
import { placesFor } from "../platform/places.ts";
import { INTERACTIVE_MS } from "../platform/resources/interactive.ts";
import { withReplica } from "../platform/resources/lagging.ts";
import { createSeal } from "../platform/seal.ts";
import { nameOfNode, openSignals, showSignals } from "../platform/signals/index.ts";
import type { OtherThread } from "../platform/threads/other-thread.ts";
import type { Clock } from "../platform/time/clock.ts";
import { openTraces } from "../platform/tracing/index.ts";
import { callersOf, lastCall } from "../platform/work/callers.ts";
import { dueWork } from "../platform/work/due.ts";
import { SLICES } from "../slices.ts";

/** What a process gets from the command that starts it. */
export interface GroundOptions {
  /** A migrated database. */
  databaseUrl: string;
  encryptionKey: Buffer;
  clock?: Clock;
  /** Of the hash of a password, if not as high as it should be: a test signs in often. */
  passwordCost?: PasswordCost;
}

/** What one of two threads has in common with the other one. */
export interface Twin {
  /** The name of both among the processes. */
  node: string;
  other: OtherThread;
  lastCall: Float64Array<SharedArrayBuffer>;
  /** Which of the two this is. */
  does: "requests" | "background work";
}

/** The most connections for requests and for background work. */
const CONNECTIONS = {
  both: { db: 16, workDb: 8 },
  requests: { db: 16, workDb: 4 },
  "background work": { db: 4, workDb: 8 },
};

/**
 * Opens what all code of one thread shares. `close` closes it, when nothing uses it any more.
 * @param twin if the process has two threads
 */
export async function openGround(
  config: Config,
  options: GroundOptions,
  log: Log,
  twin?: Twin,
): Promise<{ ground: House; close: () => Promise<void> }> {
  const connections = CONNECTIONS[twin?.does ?? "both"];
  const metrics = createMetrics(twin?.other, twin?.does !== "background work");
  const traces = await openTraces(config, log, twin?.other);
  const direct = config.databaseDirectUrl;
  const node = { name: twin?.node ?? nameOfNode(), other: twin?.other };
  const signals = openSignals(config, direct ?? options.databaseUrl, log, node);
  showSignals(metrics.registry, signals);
  const announcements = new Announcements();
  const distributed = await isDistributed(direct ?? options.databaseUrl);
  const pool = { url: options.databaseUrl, direct, signals, log, announcements, distributed };
  const fetcher = createFetcher({ allowPrivate: config.allowPrivateNetwork });
  const db = openDb({ ...pool, connections: connections.db });
  const databases = databaseClock(db);
  await databases.compare();
  const clock = options.clock ?? databases;
  // A broadcast uses three of them while it is sent.
  const workDb = openDb({ ...pool, connections: connections.workDb, statementTimeoutMs: 60_000, plansLastMs: 2_000 });
  const interactiveDb = openDb({ ...pool, connections: INTERACTIVE, statementTimeoutMs: INTERACTIVE_MS });
  const exportDb = openDb({ ...pool, connections: PAGES, statementTimeoutMs: 60_000 });
  const reading = withReplica({ db, interactiveDb, exportDb }, { config, log, metrics });
  const ground = houseOn({
    config,
    log,
    metrics,
    traces,
    clock,
    db,
    workDb,
    interactiveDb,
    exportDb,
    lagging: reading.lagging,
    replica: reading.replica,
    listDb: openDb({ ...pool, connections: LISTS, statementTimeoutMs: INTERACTIVE_MS }),
    places: placesFor(config),
    shares: createShares(),
    callers: callersOf(twin?.lastCall ?? lastCall()),
    newPeople: newPeopleWindows(),
    signals,
    otherThread: twin?.other,
    dueWork: dueWork({ db: workDb, clock, log }),
    seal: createSeal(options.encryptionKey),
    fetchOut: fetcher.fetchOut,
    linkKey: linkKeyFrom(options.encryptionKey),
    passwordCost: options.passwordCost ?? PASSWORD_COST,
  });
  announcements.connect(SLICES.flatMap(({ hears }) => hears?.(ground) ?? []));
  const close = async () => {
    fetcher.close();
    await signals.close();
    databases.stop();
    const pools = [db, workDb, interactiveDb, ground.listDb, exportDb, reading];
    await Promise.all([traces.stop(), ...pools.map((pool) => pool.close())]);
  };
  return { ground, close };
}
