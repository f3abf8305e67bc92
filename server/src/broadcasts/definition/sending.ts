import { decodeId, encodeId } from "../../platform/ids.ts";
import type { Editions, Rules, Sending } from "../../sendings/index.ts";
import type { BroadcastRow } from "./store.ts";

// Converts between a broadcast's row and a sending.

/** Returns a broadcast as a sending. */
export const sendingOf = (row: BroadcastRow): Sending => ({
  workspaceId: row.workspace_id,
  source: "broadcast",
  sourceId: row.id,
  splitBy: row.id,
  channel: row.channel,
  editions: editionsOf(row),
  holdoutPercent: row.holdout_percent,
  topicId: row.topic_id,
  tracking: { opens: row.track_opens, clicks: row.track_clicks },
  preference: row.subscription_preference,
  whenHeld: row.when_held,
  oncePerAddress: true,
});

/** Returns the editions of a broadcast. */
export const editionsOf = ({ message_id, message_version, content, locales, variants }: BroadcastRow): Editions => ({
  ...(message_id !== null && { message_id: encodeId("msg", message_id) }),
  ...(message_version !== null && { message_version }),
  ...(content !== null && { content }),
  locales,
  variants,
});

/** Returns the columns that store the editions. */
export const editionColumns = ({ message_id, message_version, content, locales, variants }: Editions) => ({
  message_id: decodeId("msg", message_id ?? "") ?? null,
  message_version: message_version ?? null,
  content: content ?? null,
  locales,
  variants,
});

/** Returns the columns of the rules that are given. */
export const ruleColumns = ({ holdoutPercent, topicId, tracking, preference, whenHeld }: Partial<Rules>) => ({
  ...(holdoutPercent !== undefined && { holdout_percent: holdoutPercent }),
  ...(topicId !== undefined && { topic_id: topicId }),
  ...(tracking && { track_opens: tracking.opens, track_clicks: tracking.clicks }),
  ...(preference !== undefined && { subscription_preference: preference }),
  ...(whenHeld !== undefined && { when_held: whenHeld }),
});
