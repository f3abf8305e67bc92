import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyRequest, onRequestHookHandler } from "fastify";
import { migrationNames, type Replica, sql } from "./platform/db/index.ts";
import { mountReference } from "./openapi.ts";
import type { QueueGround } from "./outbound/index.ts";
import { type App, Problem } from "./platform/http/index.ts";

/** The state of the whole process. */
interface State {
  stopping: boolean;
}

const hidden = { schema: { hide: true } };

/**
 * Mounts the routes that need no key. Health, the plain readiness and the OpenAPI documents are for everybody. The others
 * are for the operator: on the operations port if there is one (`mountInside`), else here, for callers on this machine.
 */
export function mountOperations(app: App, ground: QueueGround, state: State): void {
  const apart = ground.config.operations !== undefined;
  health(app, ground, state, (request) => !apart && fromThisMachine(request));
  const documents = app as unknown as { swagger(): unknown; compatDocument(): unknown };
  app.get("/openapi.json", hidden, async () => documents.swagger());
  app.get("/compat/openapi.json", hidden, async () => documents.compatDocument());
  app.register(async (inside: App) => {
    inside.addHook("onRequest", apart ? elsewhere : onlyFromThisMachine);
    await forOperators(inside, ground, { tryItOut: true });
  });
}

/** Mounts the operator's routes on the application of OPERATIONS_PORT, which has the OpenAPI document already (`showApi`). */
export async function mountInside(app: App, ground: QueueGround, state: State): Promise<void> {
  health(app, ground, state, () => true);
  // A page of another origin can't call the product API, so the reference on this port is read-only.
  await forOperators(app, ground, { tryItOut: false });
}

function health(app: App, ground: QueueGround, state: State, details: (request: FastifyRequest) => boolean): void {
  app.get("/healthz", hidden, async () => ({ status: "ok" }));
  app.get("/readyz", hidden, async (request, reply) => {
    const { ready, parts } = await readiness(ground, state);
    const status = ready ? "ready" : "not_ready";
    return reply.code(ready ? 200 : 503).send(details(request) ? { status, parts } : { status });
  });
}

async function forOperators(app: App, ground: QueueGround, options: { tryItOut: boolean }): Promise<void> {
  app.get("/metrics", hidden, async (_request, reply) =>
    reply.type(ground.metrics.registry.contentType).send(await ground.metrics.scrape()),
  );
  await mountReference(app, options);
}

async function readiness(ground: QueueGround, state: State) {
  const overNats = ground.config.nats !== undefined;
  const live = ground.signals.healthy();
  const resting = ground.sending.dispatcher?.resting() ?? 0;
  const parts = {
    database: await database(ground),
    ...(overNats ? { nats: live ? "ok" : "does not answer" } : { signals: live ? "ok" : "reconnecting" }),
    ...(ground.replica && { replica: replicaState(ground.replica) }),
    // The answer tells how many providers rest and not which: their names belong to the tenants.
    providers: resting === 0 ? "ok" : `${resting} resting`,
    shutdown: state.stopping ? "stopping" : "ok",
  };
  // A resting provider is reported and does not make the node unready: other nodes could not send through it either.
  // A lost connection for LISTEN/NOTIFY only loses hints: clients poll, and the database is a part of its own. With NATS_URL set, a node
  // without NATS must get no new clients, as documented.
  return { ready: parts.database === "ok" && (live || !overNats) && parts.shutdown === "ok", parts };
}

/** A replica that is not used makes no node unready: the primary answers for it. */
function replicaState(replica: Replica): string {
  const behind = `${(replica.lagMs() / 1_000).toFixed(1)} s behind`;
  return replica.isUsed() ? `ok, at most ${behind}` : `not used, ${behind}`;
}

/** Most callers of /readyz wait no longer than this, and then take the node for dead. */
const READY_MS = 1_000;

async function database(ground: QueueGround): Promise<string> {
  const late = new AbortController();
  const silence = sleep(READY_MS, "does not answer", { signal: late.signal }).catch(() => "");
  try {
    return await Promise.race([migrated(ground), silence]);
  } finally {
    late.abort();
  }
}

async function migrated(ground: QueueGround): Promise<string> {
  try {
    const ran = await ground.db.query<{ name: string }>(sql`select name from migrations`);
    const missing = (await migrationNames()).filter((name) => !ran.some((row) => row.name === name));
    if (missing.length > 0) return `migrations missing: ${missing.join(", ")}`;
    const writes = await Promise.all([ground.db.writes(), ground.workDb.writes()]);
    return writes.every(Boolean) ? "ok" : "can't write";
  } catch {
    return "does not answer";
  }
}

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;
const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;
/** Headers that a proxy adds. With one of them, the socket's address is the proxy's and not the caller's. */
const BY_PROXY = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/**
 * Whether the caller runs on this machine: the socket is a loopback one, no proxy is in between, and the Host is a loopback name. The
 * Host also keeps out a web page in the operator's browser whose domain was made to resolve to this address.
 */
function fromThisMachine({ raw, headers }: FastifyRequest): boolean {
  if (!LOOPBACK.test(raw.socket.remoteAddress ?? "") || !LOOPBACK_NAME.test(headers.host ?? "")) return false;
  return BY_PROXY.every((name) => headers[name] === undefined);
}

const onlyFromThisMachine: onRequestHookHandler = (request, _reply, done) => {
  if (fromThisMachine(request)) done();
  else
    done(
      new Problem(
        "not_found",
        "Only callers on the service's own machine may see this. The operator can set OPERATIONS_PORT.",
      ),
    );
};

const elsewhere: onRequestHookHandler = (_request, _reply, done) => {
  done(new Problem("not_found", "This is served on the operations port (OPERATIONS_PORT), not here."));
};
