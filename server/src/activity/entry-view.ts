import type { ActivityExportQuery, Channel } from "@tidings/contract/facts/activity";
import { encodeId } from "../platform/ids.ts";
import { instantOf, sourceText } from "./delivery-view.ts";
import { type EntryFilter, type EntryRow, TRACKED } from "./store.ts";

const channels: Channel[] = ["email", "push", "sms", "in_app"];

/** Returns the filter of a query for the log. */
export const entriesFilterOf = ({ channel, type, since, until }: ActivityExportQuery): EntryFilter => ({
  channel,
  type,
  since: instantOf(since),
  until: instantOf(until),
});

/** Returns an entry of the log in its wire shape, with its delivery. */
export const entryView = (row: EntryRow) => ({
  id: encodeId(row.type === TRACKED ? "evt" : "act", row.id),
  type: row.type,
  at: row.at.toISOString(),
  delivery_id: row.delivery_id && encodeId("dlv", row.delivery_id),
  channel: channels.find((channel) => row.type.startsWith(`${channel}.`)) ?? null,
  source: row.source,
  source_id: row.source && row.source_id && sourceText(row.source, row.source_id),
  message_id: row.message_id && encodeId("msg", row.message_id),
  data: row.data,
});
