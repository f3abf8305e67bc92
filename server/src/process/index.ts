import type { onRequestHookHandler } from "fastify";
import { setFlagsFromString } from "node:v8";
import { mountGateway } from "../gateway.ts";
import type { House } from "../house.ts";
import { limiter } from "../limits.ts";
import { memberGuard } from "../members/index.ts";
import { describeApi, showApi } from "../openapi.ts";
import { describeCompat } from "../openapi-compat.ts";
import { mountInside, mountOperations } from "../operations.ts";
import { mountDashboard, mountPages } from "../pages.ts";
import type { Config } from "../platform/config.ts";
import { type App, boundConnections, createApp } from "../platform/http/index.ts";
import { createLog, type Log } from "../platform/log.ts";
import { traceRequests } from "../platform/tracing/index.ts";
import { mountProduct } from "../product.ts";
import { authenticator, identityGuard } from "../workspaces/index.ts";
import { startBackground } from "./background.ts";
import { type GroundOptions, openGround } from "./open.ts";
import { startWorker } from "./worker.ts";

// V8 mistakes some objects of each request for long-lived ones and allocates them in the old generation, where they keep a third of all
// young objects until the next full collection: 18 ms of pause in each 100 ms of load. With this flag it is 0.9 ms (docs/performance.md).
setFlagsFromString("--no-allocation-site-pretenuring");

export interface ServiceOptions extends GroundOptions {
  log?: Log;
  /** Whether a process with both roles has a thread of its own for background work. */
  threads?: boolean;
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
  const both = config.roles.has("api") && config.roles.has("worker");
  const background = both && options.threads ? startBackground(config, options, log) : undefined;
  const { ground, close } = await openGround(config, options, log, background?.twin);
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
  await background?.begin(ground);
  const worker = background ?? (config.roles.has("worker") ? await startWorker(ground, workerUrl) : undefined);

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    state.stopping = true;
    await Promise.all([app.close(), worker?.stop()]);
    // The operations port closes last: until the last request is answered, its /readyz says that the process is stopping.
    await operations?.close();
    await identity.close();
    await Promise.all([close(), background?.end()]);
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
