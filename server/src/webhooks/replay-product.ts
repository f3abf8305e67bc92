import { WebhookBacklog, WebhookReplay, WebhookReplaying } from "@tidings/contract/webhooks";
import { timeAfter } from "../activity/index.ts";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, badField, notFound } from "../platform/http/index.ts";
import { encodeId } from "../platform/ids.ts";
import { recordChange } from "../platform/resources/changes.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { parseInstant } from "../platform/time/clock.ts";
import { originOf } from "../workspaces/index.ts";
import { replayLogged, replaySince, webhookEntry } from "./define.ts";
import { countPending } from "./delivery-store.ts";
import { Id, tags, webhookIdOf } from "./product.ts";
import { positionOf } from "./store.ts";

/** Deliveries that are counted; more are as many for somebody who waits. */
const MOST_COUNTED = 10_000;

/** The routes that send many events again, and show how far that is. */
export function replayRoutes(app: App, ground: Ground): void {
  const { db, clock } = ground;

  app.post(
    "/webhooks/:id/replay",
    {
      config: { needs: "admin" },
      schema: {
        summary: "Send all events since a time again, or those of the log in a period or that failed",
        tags,
        params: Id,
        body: WebhookReplay,
        response: { 202: WebhookReplaying },
      },
    },
    (request, reply) => {
      const scope = request.caller.workspace.id;
      const now = clock.now();
      const id = webhookIdOf(request.params.id);
      const period = periodOf(request.body, now);
      return creating(db, { request, reply, scope, now, status: 202 }, async (tx) => {
        const { row, count, next } = await replay(tx, scope, id, period);
        const changes = Object.entries(request.body).map(([field, to]) => ({ field: `/${field}`, to }));
        await recordChange(tx, originOf(request), { ...webhookEntry("replayed", row), changes, now });
        return { webhook_id: encodeId("whk", id), since: period.since.toISOString(), count, next_since: next };
      });
    },
  );

  app.get(
    "/webhooks/:id/backlog",
    {
      schema: {
        summary: "Get how much an endpoint has still to be sent, such as during a replay",
        tags,
        params: Id,
        response: { 200: WebhookBacklog },
      },
    },
    async (request) => {
      const workspaceId = request.caller.workspace.id;
      const id = webhookIdOf(request.params.id);
      const q = inListTurns(ground, workspaceId);
      const position = await positionOf(q, workspaceId, id);
      if (!position) throw notFound("webhook");
      const next = await timeAfter(q, workspaceId, position);
      return { pending: await countPending(q, id, MOST_COUNTED), reading_at: next?.toISOString() ?? null };
    },
  );
}

interface Period {
  since: Date;
  until?: Date | undefined;
  status?: "failed" | undefined;
}

/** @throws Problem invalid_request for a period in the future, or that ends before it begins */
function periodOf({ since, until, status }: WebhookReplay, now: Date): Period {
  const [from, to] = [parseInstant(since) as Date, until === undefined ? undefined : (parseInstant(until) as Date)];
  if (from > now) throw badField("/since", "must not be in the future");
  if (to && to <= from) throw badField("/until", "must be after since");
  return { since: from, until: to, status };
}

/** Without an end and a status all events since a time are read again, also those that a disabled endpoint missed. */
async function replay(tx: Tx, workspaceId: string, id: string, period: Period) {
  if (!period.until && !period.status)
    return { row: await replaySince(tx, workspaceId, id, period.since), count: null, next: null };
  const { row, count, last } = await replayLogged(tx, workspaceId, id, period);
  return { row, count, next: last?.toISOString() ?? null };
}
