import { setFlagsFromString } from "node:v8";
import { mountGateway } from "./gateway.ts";
import { createMetrics, type House, houseOn } from "./house.ts";
import { limiter } from "./limits.ts";
import { describeApi, showApi } from "./openapi.ts";
import { describeCompat } from "./openapi-compat.ts";
import { mountInside, mountOperations } from "./operations.ts";
import { mountPages } from "./pages.ts";
import { newPeopleWindows } from "./people/index.ts";
import type { Config } from "./platform/config.ts";
import { databaseClock } from "./platform/db/database-clock.ts";
import { Announcements, openDb } from "./platform/db/index.ts";
import { type App, boundConnections, createApp } from "./platform/http/index.ts";
import { createShares, LISTS, PAGES, QUESTIONS } from "./platform/limits/shares.ts";
import { linkKeyFrom } from "./platform/links.ts";
import { createLog, type Log } from "./platform/log.ts";
import { createFetcher } from "./platform/outbound-http/index.ts";
import { placesFor } from "./platform/places.ts";
import { BRIEF_MS } from "./platform/resources/brief.ts";
import { createSeal } from "./platform/seal.ts";
import { openSignals } from "./platform/signals/index.ts";
import type { Clock } from "./platform/time/clock.ts";
import { mountProduct } from "./product.ts";
import { SLICES } from "./slices.ts";
import { startWorker } from "./worker.ts";
import { authenticator, identityGuard } from "./workspaces/index.ts";

// V8 takes a part of what each request makes for long-lived and puts it among the old objects, where it holds a third of all
// young ones until the next full collection: 18 ms of pause each 100 ms of load, where this leaves 0.9 (docs/performance.md).
setFlagsFromString("--no-allocation-site-pretenuring");

export interface ServiceOptions {
  /** A migrated database. */
  databaseUrl: string;
  encryptionKey: Buffer;
  clock?: Clock;
  log?: Log;
  /** Told of each answer with its route, e.g. `/api/v1/broadcasts/:id`, and its media type. Tests hold it against the OpenAPI documents. */
  onAnswer?: (method: string, route: string, status: number, type: string) => void;
}

export interface Service {
  app: App;
  /** What listens on OPERATIONS_PORT, where that is set. */
  operations: App | undefined;
  ground: House;
  /** Begins to listen, on the operations port too, and gives the address of the main one. */
  listen(): Promise<string>;
  /** Stops taking requests, lets those under way finish, closes streams, finishes or releases jobs. Safe to call twice. */
  stop(): Promise<void>;
}

/** Connects the pieces of one process: the roof over the house. */
export async function createService(config: Config, options: ServiceOptions): Promise<Service> {
  const log = options.log ?? createLog(config);
  const metrics = createMetrics();
  const signals = openSignals(config, options.databaseUrl, log);
  const announcements = new Announcements();
  const pool = { url: options.databaseUrl, signals, log, announcements };
  const fetcher = createFetcher({ allowPrivate: config.allowPrivateNetwork });
  const db = openDb({ ...pool, connections: 16 });
  const databases = databaseClock(db);
  await databases.compare();
  const ground = houseOn({
    config,
    log,
    metrics,
    clock: options.clock ?? databases,
    db,
    // A broadcast has three of them while it is sent.
    workDb: openDb({ ...pool, connections: 8, statementTimeoutMs: 60_000 }),
    askDb: openDb({ ...pool, connections: QUESTIONS, statementTimeoutMs: BRIEF_MS }),
    listDb: openDb({ ...pool, connections: LISTS, statementTimeoutMs: BRIEF_MS }),
    exportDb: openDb({ ...pool, connections: PAGES, statementTimeoutMs: 60_000 }),
    places: placesFor(config),
    shares: createShares(),
    newPeople: newPeopleWindows(),
    signals,
    seal: createSeal(options.encryptionKey),
    fetchOut: fetcher.fetchOut,
    linkKey: linkKeyFrom(options.encryptionKey),
  });
  announcements.connect(SLICES.flatMap(({ hears }) => hears?.(ground) ?? []));
  const state = { stopping: false };
  const app = createApp(log, metrics);
  boundConnections(app.server, ground.places);
  const { onAnswer } = options;
  if (onAnswer)
    app.addHook("onSend", async (request, reply) =>
      onAnswer(
        request.method,
        request.routeOptions.url ?? "",
        reply.statusCode,
        String(reply.getHeader("content-type") ?? "").split(";")[0] as string,
      ),
    );
  await describeApi(app, config.publicUrl);
  await describeCompat(app, config.publicUrl);
  mountOperations(app, ground, state);
  const identity = identityGuard(ground);
  if (config.roles.has("api")) {
    const guards = [authenticator(ground), limiter(app)];
    mountGateway(app, ground, guards, identity.hook);
    mountProduct(app, ground, guards);
    mountPages(app, ground);
  }
  await app.ready();
  const operations = config.operations && (await operationsApp(app, ground, state));
  const worker = config.roles.has("worker") ? await startWorker(ground, options.databaseUrl) : undefined;

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    state.stopping = true;
    await Promise.all([app.close(), worker?.stop()]);
    // Last of the two: until the last request is answered, /readyz says here that it stops.
    await operations?.close();
    fetcher.close();
    await identity.close();
    await signals.close();
    databases.stop();
    const { workDb, askDb, listDb, exportDb } = ground;
    await Promise.all([db, workDb, askDb, listDb, exportDb].map((pool) => pool.close()));
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

async function operationsApp(documented: App, ground: House, state: { stopping: boolean }): Promise<App> {
  const app = createApp(ground.log, ground.metrics);
  await showApi(app, documented);
  await mountInside(app, ground, state);
  await app.ready();
  return app;
}
