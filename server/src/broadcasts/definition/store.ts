import type { Channel } from "@tidings/contract/facts/activity";
import type { BroadcastStatus } from "@tidings/contract/messages/broadcasts";
import type { WhenHeld } from "@tidings/contract/messages/sendings";
import type { SubscriptionPreference } from "@tidings/contract/messages/transactionals";
import { type Queries, sql } from "../../platform/db/index.ts";
import { byInstant, byText, type ListSource } from "../../platform/resources/lists.ts";
import type { Locales, Variant } from "../../sendings/index.ts";
import type { Pace } from "../rules/pace.ts";

export interface BroadcastRow {
  workspace_id: string;
  id: string;
  name: string;
  channel: Channel;
  audience_id: string | null;
  audience: Record<string, unknown> | null;
  /** In-app, without variants. */
  message_id: string | null;
  message_version: number | null;
  /** The other channels, without variants. */
  content: Record<string, unknown> | null;
  locales: Locales | null;
  variants: Variant[] | null;
  holdout_percent: number;
  topic_id: string | null;
  track_opens: boolean;
  track_clicks: boolean;
  subscription_preference: SubscriptionPreference;
  when_held: WhenHeld;
  rate_per_second: number | null;
  status: BroadcastStatus;
  reason: string | null;
  send_at: Date | null;
  local_time: boolean;
  send_zone: string | null;
  started_at: Date | null;
  finished_at: Date | null;
  recalled_at: Date | null;
  next_at: Date | null;
  cursor: string | null;
  collected: boolean;
  total: number;
  done: number;
  held_out: number;
  pace: Pace | null;
  created_at: Date;
  updated_at: Date;
}

/** The columns that the author writes. */
export type Authored = Pick<
  BroadcastRow,
  | "name"
  | "channel"
  | "audience_id"
  | "audience"
  | "message_id"
  | "content"
  | "locales"
  | "variants"
  | "holdout_percent"
  | "topic_id"
  | "track_opens"
  | "track_clicks"
  | "subscription_preference"
  | "when_held"
  | "rate_per_second"
>;

/** A broadcast in a list, without the columns that may be megabytes. */
export type ListedBroadcast = Omit<BroadcastRow, "audience" | "content" | "locales" | "variants">;

const LISTED = sql`workspace_id, id, name, channel, audience_id, message_id, message_version, holdout_percent, topic_id,
  track_opens, track_clicks, subscription_preference, when_held, rate_per_second, status, reason, send_at, local_time,
  send_zone, started_at, finished_at, recalled_at, next_at, cursor, collected, total, done, held_out, pace, created_at,
  updated_at`;

export const listSource: ListSource = {
  columns: LISTED,
  from: sql`broadcasts`,
  of: (workspaceId) => sql`workspace_id = ${workspaceId}`,
  id: sql`id`,
  sorts: { updated_at: byInstant(sql`updated_at`), name: byText(sql`name`), status: byText(sql`status`) },
  facets: { status: sql`status`, channel: sql`channel` },
  texts: [sql`name`],
};

export async function byId(q: Queries, workspaceId: string, id: string): Promise<BroadcastRow | undefined> {
  return (
    await q.query<BroadcastRow>(sql`select * from broadcasts where workspace_id = ${workspaceId} and id = ${id}`)
  )[0];
}

export const namesById = (q: Queries, workspaceId: string, ids: string[]): Promise<{ id: string; name: string }[]> =>
  q.query(sql`select id, name from broadcasts where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`);

/** Returns the broadcasts that are being sent or paused, newest first. */
export const beingSent = (q: Queries, workspaceId: string, limit: number): Promise<ListedBroadcast[]> =>
  q.query(sql`
    select ${LISTED} from broadcasts where workspace_id = ${workspaceId} and status in ('sending', 'paused')
    order by id desc limit ${limit}`);

/** Returns the row, locked until the transaction ends: a change waits for the step that is under way. */
export async function lockById(tx: Queries, workspaceId: string, id: string): Promise<BroadcastRow | undefined> {
  return (
    await tx.query<BroadcastRow>(
      sql`select * from broadcasts where workspace_id = ${workspaceId} and id = ${id} for update`,
    )
  )[0];
}

export async function insert(
  tx: Queries,
  row: Authored & { workspace_id: string; id: string },
  now: Date,
): Promise<BroadcastRow> {
  const [made] = await tx.query<BroadcastRow>(sql`
    insert into broadcasts (workspace_id, id, name, channel,
      audience_id, audience, message_id, content, locales, variants,
      holdout_percent, topic_id, track_opens, track_clicks,
      subscription_preference, when_held, rate_per_second, status, created_at, updated_at)
    values (${row.workspace_id}, ${row.id}, ${row.name}, ${row.channel},
      ${row.audience_id}, ${jsonOf(row.audience)}, ${row.message_id}, ${jsonOf(row.content)},
      ${jsonOf(row.locales)}, ${jsonOf(row.variants)},
      ${row.holdout_percent}, ${row.topic_id}, ${row.track_opens}, ${row.track_clicks},
      ${row.subscription_preference}, ${row.when_held}, ${row.rate_per_second}, 'draft', ${now}, ${now})
    returning *`);
  return made as BroadcastRow;
}

/** Writes the whole row. The caller holds its lock. */
export async function write(tx: Queries, row: BroadcastRow, now: Date): Promise<BroadcastRow> {
  const [made] = await tx.query<BroadcastRow>(sql`
    update broadcasts set
      name = ${row.name}, audience_id = ${row.audience_id}, audience = ${jsonOf(row.audience)},
      message_id = ${row.message_id}, message_version = ${row.message_version}, content = ${jsonOf(row.content)},
      locales = ${jsonOf(row.locales)}, variants = ${jsonOf(row.variants)},
      holdout_percent = ${row.holdout_percent}, topic_id = ${row.topic_id},
      track_opens = ${row.track_opens}, track_clicks = ${row.track_clicks},
      subscription_preference = ${row.subscription_preference}, when_held = ${row.when_held}, rate_per_second = ${row.rate_per_second},
      status = ${row.status}, reason = ${row.reason},
      send_at = ${row.send_at}, local_time = ${row.local_time}, send_zone = ${row.send_zone},
      started_at = ${row.started_at}, finished_at = ${row.finished_at}, recalled_at = ${row.recalled_at},
      next_at = ${row.next_at}, cursor = ${row.cursor}, collected = ${row.collected},
      total = ${row.total}, done = ${row.done}, held_out = ${row.held_out}, pace = ${jsonOf(row.pace)},
      updated_at = ${now}
    where workspace_id = ${row.workspace_id} and id = ${row.id}
    returning *`);
  return made as BroadcastRow;
}

/** Writes the progress, and no column of the author: with many languages they are a megabyte, and a step comes every 150 ms. */
export const advance = (tx: Queries, row: BroadcastRow, now: Date): Promise<number> =>
  tx.execute(sql`
    update broadcasts set
      status = ${row.status}, reason = ${row.reason}, finished_at = ${row.finished_at},
      next_at = ${row.next_at}, cursor = ${row.cursor}, collected = ${row.collected},
      total = ${row.total}, done = ${row.done}, held_out = ${row.held_out}, pace = ${jsonOf(row.pace)},
      updated_at = ${now}
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);

export const remove = (tx: Queries, workspaceId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from broadcasts where workspace_id = ${workspaceId} and id = ${id}`);

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** Returns the broadcasts that are not over and whose audience is this one or contains it. A filter names it by `wireId`. */
export const usingAudience = (
  q: Queries,
  workspaceId: string,
  id: string,
  wireId: string,
): Promise<Pick<BroadcastRow, "id" | "name">[]> =>
  q.query(sql`
    select id, name from broadcasts
    where workspace_id = ${workspaceId} and status in ('draft', 'scheduled', 'sending', 'paused')
      and (audience_id = ${id} or audience @? ${`$.** ? (@.audience == "${wireId}")`}::jsonpath)
    order by id limit 10`);

/** Returns the broadcasts that have not begun to send this template. A broadcast that sends has fixed the version already. */
export const usingTemplate = (q: Queries, workspaceId: string, wireId: string): Promise<{ name: string }[]> =>
  q.query(sql`
    select name from broadcasts
    where workspace_id = ${workspaceId} and status in ('draft', 'scheduled')
      and jsonb_build_array(content, locales, variants) @? ${`$.**.template_id ? (@ == "${wireId}")`}::jsonpath
    order by name limit 10`);

/** Returns up to ten broadcasts with this text, also those that were sent: people still open them. */
export const saying = (q: Queries, workspaceId: string, text: string): Promise<{ id: string; name: string }[]> =>
  q.query(sql`
    select id, name from broadcasts
    where workspace_id = ${workspaceId} and strpos(jsonb_build_array(content, locales, variants)::text, ${text}) > 0
    order by name limit 10`);

/** Returns the broadcasts that are not over and show this in-app message. Variants and languages name it by `wireId`. */
export const usingMessage = (
  q: Queries,
  workspaceId: string,
  id: string,
  wireId: string,
): Promise<{ id: string; name: string }[]> =>
  q.query(sql`
    select id, name from broadcasts
    where workspace_id = ${workspaceId} and status in ('draft', 'scheduled', 'sending', 'paused')
      and (message_id = ${id} or jsonb_build_array(locales, variants) @? ${`$.**.message_id ? (@ == "${wireId}")`}::jsonpath)
    order by name limit 10`);

/** Returns the broadcasts that are not over and belong to this topic, or whose audience is by it. A filter names it by `wireId`. */
export const usingTopic = (
  q: Queries,
  workspaceId: string,
  topicId: string,
  wireId: string,
): Promise<{ name: string }[]> =>
  q.query(sql`
    select name from broadcasts
    where workspace_id = ${workspaceId} and status in ('draft', 'scheduled', 'sending', 'paused')
      and (topic_id = ${topicId} or audience @? ${`$.** ? (@.topic == "${wireId}")`}::jsonpath)
    order by name limit 10`);
