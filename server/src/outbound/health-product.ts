import { Health } from "@tidings/contract/messages/outbound";
import type { Ground } from "../platform/ground.ts";
import type { App } from "../platform/http/index.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { workspaceOf } from "../workspaces/index.ts";
import { listProviders, stateOf } from "./connection/provider-store.ts";
import { waitingIn } from "./queue/waiting-store.ts";

/** A workspace has a handful of providers. */
const MOST_PROVIDERS = 1_000;

/** GET /health: what waits, which providers rest, and how fast the database answers. It tells nothing of other workspaces. */
export function healthRoute(app: App, ground: Ground): void {
  app.get(
    "/health",
    {
      schema: {
        summary: "Show whether anything holds up sending: what waits, providers that rest, the database",
        tags: ["workspace"],
        response: { 200: Health },
      },
    },
    async (request) => {
      const workspaceId = workspaceOf(request);
      const begun = performance.now();
      const writes = await ground.db.writes();
      const answeredMs = Math.ceil(performance.now() - begun);
      const q = inListTurns(ground, workspaceId);
      const [{ channels, exact }, providers] = await Promise.all([
        waitingIn(q, workspaceId),
        listProviders(q, workspaceId, MOST_PROVIDERS),
      ]);
      const now = ground.clock.now();
      const real = providers.filter(({ kind }) => kind !== "local").map((row) => stateOf(row, now).status);
      const countOf = (status: string) => real.filter((one) => one === status).length;
      return {
        queues: channels.map(({ channel, waiting, oldest }) => ({
          channel,
          waiting,
          oldest_due_at: oldest.toISOString(),
        })),
        exact,
        providers: { ok: countOf("ok"), resting: countOf("resting"), slow: countOf("slow") },
        database: { answered_ms: answeredMs, accepts_writes: writes },
      };
    },
  );
}
