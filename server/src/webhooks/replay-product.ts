import { WebhookBacklog, WebhookReplay, WebhookReplaying } from "@tidings/contract/webhooks";
import { timeAfter } from "../activity/index.ts";
import type { Queries, Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { type App, badField, notFound } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { recordChange } from "../platform/resources/changes.ts";
import { creating } from "../platform/resources/idempotency.ts";
import { inListTurns } from "../platform/resources/interactive.ts";
import { parseInstant } from "../platform/time/clock.ts";
import { originOf, type ProgressOf, type TasksOf } from "../workspaces/index.ts";
import { replayLogged, replaySince, webhookEntry } from "./define.ts";
import { countPending } from "./delivery-store.ts";
import { Id, tags, webhookIdOf } from "./product.ts";
import { positionOf, replaying, type WebhookRow, webhookById } from "./store.ts";

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
        const { row, count, next } = await replay(tx, scope, id, { ...period, now });
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
async function replay(tx: Tx, workspaceId: string, id: string, { now, ...period }: Period & { now: Date }) {
  if (!period.until && !period.status)
    return { row: await replaySince(tx, workspaceId, id, { since: period.since, now }), count: null, next: null };
  const { row, count, last } = await replayLogged(tx, workspaceId, id, period);
  return { row, count, next: last?.toISOString() ?? null };
}

/** Says how far an endpoint is with the events that it gets again. */
export const progressOf: ProgressOf = async (q, workspaceId, text) => {
  const id = decodeId("whk", text);
  const row = id && (await webhookById(q, workspaceId, id));
  return row ? liveOf(q, row) : undefined;
};

/** Lists the endpoints for which events are read again. */
export const tasksOf: TasksOf = async (q, workspaceId) =>
  Promise.all(
    (await replaying(q, workspaceId)).map(async (row) => ({
      ...(await liveOf(q, row)),
      name: row.url,
      target: null,
      started_at: row.replay_until?.toISOString() ?? null,
    })),
  );

async function liveOf(q: Queries, row: WebhookRow) {
  const { workspace_id, id, replay_since: since, replay_until: until } = row;
  const live = { type: "webhooks" as const, id: encodeId("whk", id) };
  const position = since && until && (await positionOf(q, workspace_id, id));
  if (!position) return { ...live, status: "done", progress: null };
  const next = (await timeAfter(q, workspace_id, position)) ?? until;
  // In seconds of the log: how many events of its types it has, nobody has counted.
  const seconds = (to: Date) => Math.max(0, Math.ceil((to.getTime() - since.getTime()) / 1_000));
  const total = seconds(until);
  const progress = { since: since.toISOString(), until: until.toISOString(), reading_at: next.toISOString() };
  return { ...live, status: "running", progress: { ...progress, total, done: Math.min(total, seconds(next)) } };
}
