import { migrationNames, sql } from "./platform/db/index.ts";
import { restingProviders } from "./outbound/index.ts";
import type { Ground } from "./platform/ground.ts";
import type { App } from "./platform/http/index.ts";

/** What operators and readers of the API ask for: health, readiness, metrics and the OpenAPI document. No key needed. */
export function mountOperations(app: App, ground: Ground, state: { stopping: boolean }): void {
  const hidden = { schema: { hide: true } };
  app.get("/healthz", hidden, async () => ({ status: "ok" }));

  app.get("/readyz", hidden, async (_request, reply) => {
    const overNats = ground.config.nats !== undefined;
    const live = ground.signals.healthy();
    const resting = restingProviders(ground);
    const parts = {
      database: await database(ground),
      ...(overNats ? { nats: live ? "ok" : "does not answer" } : { signals: live ? "ok" : "reconnecting" }),
      providers: resting.length === 0 ? "ok" : `resting: ${resting.join(", ")}`,
      shutdown: state.stopping ? "stopping" : "ok",
    };
    // A provider that rests is told and fails nothing: other nodes could not send through it either.
    // Over LISTEN/NOTIFY only the hints are away while their connection is: clients poll, and the database is a part of
    // its own. Who sets NATS_URL is promised that a node without NATS gets no new clients.
    const ready = parts.database === "ok" && (live || !overNats) && parts.shutdown === "ok";
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not_ready", parts });
  });

  app.get("/metrics", hidden, async (_request, reply) =>
    reply.type(ground.metrics.registry.contentType).send(await ground.metrics.registry.metrics()),
  );
  app.get("/openapi.json", hidden, async () => (app as unknown as { swagger(): unknown }).swagger());
  app.get("/", hidden, async (_request, reply) =>
    reply.type("text/html; charset=utf-8").header("content-security-policy", CSP).send(LANDING),
  );
}

async function database(ground: Ground): Promise<string> {
  try {
    const ran = await ground.db.query<{ name: string }>(sql`select name from migrations`);
    const missing = (await migrationNames()).filter((name) => !ran.some((row) => row.name === name));
    return missing.length === 0 ? "ok" : `migrations missing: ${missing.join(", ")}`;
  } catch {
    return "does not answer";
  }
}

const CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const LANDING = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tidings</title><style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>
<h1>Tidings is running</h1><p>Transactional and in-app messages, over HTTP.</p>
<ul><li><a href="/docs">API reference, to read and try</a></li><li><a href="/openapi.json">OpenAPI 3.1 document</a></li>
<li><a href="/readyz">Readiness</a></li><li><a href="/metrics">Metrics</a></li></ul></html>`;
