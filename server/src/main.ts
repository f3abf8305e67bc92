import type { onRequestHookHandler } from "fastify";
import { setFlagsFromString } from "node:v8";
import { mountGateway } from "./gateway.ts";
import { createMetrics, type House, houseOn } from "./house.ts";
import { limiter } from "./limits.ts";
import { memberGuard, PASSWORD_COST, type PasswordCost } from "./members/index.ts";
import { describeApi, showApi } from "./openapi.ts";
import { describeCompat } from "./openapi-compat.ts";
import { mountInside, mountOperations } from "./operations.ts";
import { mountDashboard, mountPages } from "./pages.ts";
import { newPeopleWindows } from "./people/index.ts";
import type { Config } from "./platform/config.ts";
import { databaseClock } from "./platform/db/database-clock.ts";
import { Announcements, isDistributed, openDb } from "./platform/db/index.ts";
import { type App, boundConnections, createApp } from "./platform/http/index.ts";
import { createShares, INTERACTIVE, LISTS, PAGES } from "./platform/limits/shares.ts";
import { linkKeyFrom } from "./platform/links.ts";
import { createLog, type Log } from "./platform/log.ts";
import { createFetcher } from "./platform/outbound-http/index.ts";
import { placesFor } from "./platform/places.ts";
import { INTERACTIVE_MS } from "./platform/resources/interactive.ts";
import { withReplica } from "./platform/resources/lagging.ts";
import { createSeal } from "./platform/seal.ts";
import { openSignals, showSignals } from "./platform/signals/index.ts";
import type { Clock } from "./platform/time/clock.ts";
import { openTraces, traceRequests } from "./platform/tracing/index.ts";
import { callersOf } from "./platform/work/callers.ts";
import { dueWork } from "./platform/work/due.ts";
import { mountProduct } from "./product.ts";
import { SLICES } from "./slices.ts";
import { startWorker } from "./worker.ts";
import { authenticator, identityGuard } from "./workspaces/index.ts";

// V8 mistakes some objects of each request for long-lived ones and allocates them in the old generation, where they keep a third of all
// young objects until the next full collection: 18 ms of pause in each 100 ms of load. With this flag it is 0.9 ms (docs/performance.md).
setFlagsFromString("--no-allocation-site-pretenuring");

export interface ServiceOptions {
  /** A migrated database. */
  databaseUrl: string;
  encryptionKey: Buffer;
  clock?: Clock;
  /** Of the hash of a password, if not as high as it should be: a test signs in often. */
  passwordCost?: PasswordCost;
  log?: Log;
  /** Called for each answer with its route, e.g. `/api/v1/broadcasts/:id`, and its media type. Tests compare these with the OpenAPI documents. */
  onAnswer?: (method: string, route: string, status: number, type: string) => void;
}

export interface Service {
  app: App;
  /** The application on OPERATIONS_PORT, if that is set. */
  operations: App | undefined;
  ground: House;
  /** Starts to listen, on the operations port too. Returns the address of the main port. */
  listen(): Promise<string>;
  /** Accepts no more requests, lets those under way finish, closes streams, finishes or releases jobs. Safe to call twice. */
  stop(): Promise<void>;
}

/** Notes who calls. Health checks are not counted: a load balancer asks each second, and a backlog would never be caught up at the full rate. */
const counter =
  ({ callers }: Pick<House, "callers">): onRequestHookHandler =>
  (_request, _reply, done) => {
    callers.arrived();
    done();
  };

/** Creates and connects the parts of one process: the roof over the house. */
export async function createService(config: Config, options: ServiceOptions): Promise<Service> {
  const log = options.log ?? createLog(config);
  const { ground, close } = await openGround(config, options, log);
  const state = { stopping: false };
  const app = createApp(log, ground.metrics);
  traceRequests(app, ground.traces);
  boundConnections(app.server, ground.places);
  if (options.onAnswer) tellAnswers(app, options.onAnswer);
  await describeApi(app, config.publicUrl);
  await describeCompat(app, config.publicUrl);
  mountOperations(app, ground, state);
  const identity = identityGuard(ground);
  if (config.roles.has("api")) {
    const [counted, keys, limits] = [counter(ground), authenticator(ground), limiter(app)];
    mountGateway(app, ground, [counted, keys, limits], identity.hook);
    // Only the product API takes sessions: pages of any origin may call the data gateway.
    mountProduct(app, ground, [counted, memberGuard(ground, keys), limits]);
    mountPages(app, ground);
    mountDashboard(app);
  }
  await app.ready();
  const operations = config.operations && (await operationsApp(app, ground, state));
  const workerUrl = config.databaseDirectUrl ?? options.databaseUrl;
  const worker = config.roles.has("worker") ? await startWorker(ground, workerUrl) : undefined;

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    state.stopping = true;
    await Promise.all([app.close(), worker?.stop()]);
    // The operations port closes last: until the last request is answered, its /readyz says that the process is stopping.
    await operations?.close();
    await identity.close();
    await close();
  };
  return {
    app,
    operations,
    ground,
    async listen() {
      if (config.operations) await operations?.listen(config.operations);
      return app.listen({ host: config.host, port: config.port });
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Opens what all code of one process shares. `close` closes it, when nothing uses it any more. */
async function openGround(
  config: Config,
  options: ServiceOptions,
  log: Log,
): Promise<{ ground: House; close: () => Promise<void> }> {
  const metrics = createMetrics();
  const traces = await openTraces(config, log);
  const direct = config.databaseDirectUrl;
  const signals = openSignals(config, direct ?? options.databaseUrl, log);
  showSignals(metrics.registry, signals);
  const announcements = new Announcements();
  const distributed = await isDistributed(direct ?? options.databaseUrl);
  const pool = { url: options.databaseUrl, direct, signals, log, announcements, distributed };
  const fetcher = createFetcher({ allowPrivate: config.allowPrivateNetwork });
  const db = openDb({ ...pool, connections: 16 });
  const databases = databaseClock(db);
  await databases.compare();
  const clock = options.clock ?? databases;
  // A broadcast uses three of them while it is sent.
  const workDb = openDb({ ...pool, connections: 8, statementTimeoutMs: 60_000, plansLastMs: 2_000 });
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
    callers: callersOf(),
    newPeople: newPeopleWindows(),
    signals,
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

/** Tells a test of each answer. */
function tellAnswers(app: App, onAnswer: NonNullable<ServiceOptions["onAnswer"]>): void {
  app.addHook("onSend", async (request, reply) =>
    onAnswer(
      request.method,
      request.routeOptions.url ?? "",
      reply.statusCode,
      String(reply.getHeader("content-type") ?? "").split(";")[0] as string,
    ),
  );
}

async function operationsApp(documented: App, ground: House, state: { stopping: boolean }): Promise<App> {
  const app = createApp(ground.log, ground.metrics);
  await showApi(app, documented);
  await mountInside(app, ground, state);
  await app.ready();
  return app;
}
