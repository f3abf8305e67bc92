import { Broadcast, BroadcastInput, BroadcastList, BroadcastPatch } from "@tidings/contract/messages/broadcasts";
import type { OutboundGround } from "../outbound/index.ts";
import type { App } from "../platform/http/index.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { crud } from "../platform/resources/crud.ts";
import { lastDue } from "../sendings/index.ts";
import { originOf, type ProgressOf, type TasksOf, workspaceOf } from "../workspaces/index.ts";
import { change, create, discard } from "./definition/broadcast.ts";
import { beingSent, type BroadcastRow, byId, type ListedBroadcast, listSource, lockById } from "./definition/store.ts";
import { inspectRoutes } from "./inspect-product.ts";
import { lifecycleRoutes } from "./lifecycle-product.ts";
import { outlook } from "./rules/pace.ts";

const PATH = "/broadcasts";

/** CRUD of /broadcasts, and the routes of their lifecycle, previews and metrics. */
export function product(app: App, ground: OutboundGround): void {
  const shape = (row: BroadcastRow) => wireOf(row, ground.clock.now());
  const kind = { noun: "broadcast", locked: lockById, shape, derived: ["progress", "started_at", "finished_at"] };
  const idOf = crud(app, ground, {
    ...kind,
    path: PATH,
    tag: "broadcasts",
    prefix: "bc",
    summaries: {
      list: "List broadcasts, newest first, without their contents",
      create: "Create a broadcast, as a draft",
      read: "Get a broadcast, with its progress",
      change: "Change a draft or a scheduled one",
      remove: "Remove a broadcast that is not being sent",
    },
    schemas: { input: BroadcastInput, patch: BroadcastPatch, one: Broadcast, list: BroadcastList },
    scopeOf: workspaceOf,
    originOf,
    list: listSource,
    byId,
    create: (workspaceId, input) => (tx, now) => create(tx, workspaceId, input, now),
    change: (workspaceId, id, patch) => (tx, now) => change(tx, workspaceId, { id, patch, now }),
    remove: (workspaceId, id) => (tx) => discard(tx, workspaceId, id),
    summary: (row: ListedBroadcast) => summaryOf(row, ground.clock.now()),
  });
  lifecycleRoutes(app, ground, { path: `${PATH}/:id`, idOf, kind });
  inspectRoutes(app, ground, { path: `${PATH}/:id`, idOf });
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

const wireOf = (row: BroadcastRow, now: Date) => ({
  ...summaryOf(row, now),
  audience: row.audience,
  content: row.content,
  locales: row.locales,
  variants: row.variants,
});

const summaryOf = (row: ListedBroadcast, now: Date) => ({
  id: encodeId("bc", row.id),
  name: row.name,
  channel: row.channel,
  audience_id: row.audience_id && encodeId("aud", row.audience_id),
  message_id: row.message_id && encodeId("msg", row.message_id),
  message_version: row.message_version,
  holdout_percent: row.holdout_percent,
  topic_id: row.topic_id && encodeId("top", row.topic_id),
  tracking: { opens: row.track_opens, clicks: row.track_clicks },
  subscription_preference: row.subscription_preference,
  when_held: row.when_held,
  rate_per_second: row.rate_per_second,
  status: row.status,
  reason: row.reason,
  recalled_at: iso(row.recalled_at),
  send_at: iso(row.send_at),
  local_time: row.local_time,
  timezone: row.send_zone,
  progress: progressIn(row, now),
  started_at: iso(row.started_at),
  finished_at: iso(row.finished_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** Answers how far a broadcast is. */
export const progressOf: ProgressOf = async (q, workspaceId, text, now) => {
  const id = decodeId("bc", text);
  const row = id && (await byId(q, workspaceId, id));
  return row ? liveOf(row, now) : undefined;
};

/** The most broadcasts that are listed as tasks. More than a page shows help nobody. */
const MOST_TASKS = 20;

/** Lists the broadcasts that are being sent or paused. */
export const tasksOf: TasksOf = async (q, workspaceId, now) =>
  (await beingSent(q, workspaceId, MOST_TASKS)).map((row) => ({
    ...liveOf(row, now),
    name: row.name,
    target: null,
    started_at: iso(row.started_at),
  }));

const liveOf = (row: ListedBroadcast, now: Date) => ({
  type: "broadcasts" as const,
  id: encodeId("bc", row.id),
  status: row.status,
  progress: progressIn(row, now),
});

function progressIn(row: ListedBroadcast, now: Date) {
  const { status, done, held_out, pace, send_at, send_zone } = row;
  const total = row.collected ? row.total : null;
  const waiting = row.local_time && send_at !== null && now < lastDue(send_at, send_zone ?? "UTC");
  return { total, done, held_out, ...outlook({ status, total, done, pace, waiting }, now) };
}
