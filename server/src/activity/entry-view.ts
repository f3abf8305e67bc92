import type { ActivityExportQuery, Channel } from "@tidings/contract/facts/activity";
import type { Event } from "@tidings/contract/webhooks";
import type { Queries } from "../platform/db/index.ts";
import { encodeId } from "../platform/ids.ts";
import type { LogOf } from "../workspaces/index.ts";
import { instantOf, sourceText } from "./deliveries/delivery-view.ts";
import type { FeedEvent } from "./feed-store.ts";
import { type EntryFilter, type EntryPage, type EntryRow, entriesOfPerson, isWanted, TRACKED } from "./store.ts";

const channels: Channel[] = ["email", "push", "sms", "in_app"];

/** Returns the filter of a query for the log. */
export const entriesFilterOf = ({ channel, type, since, until }: ActivityExportQuery): EntryFilter => ({
  channel,
  types: type === undefined ? undefined : [type],
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
  step_id: row.step_id,
  message_id: row.message_id && encodeId("msg", row.message_id),
  data: row.data,
});

/** Returns an entry of a person's time line: an entry of the log, with the state that its message has now. */
export const timelineView = (row: EntryRow) => ({ ...entryView(row), status: row.status });

/** Returns an event in the shape that endpoints, the feed and the live stream have. */
export const eventOf = (row: FeedEvent): Event => ({
  id: encodeId("act", row.id),
  type: row.type,
  timestamp: row.at.toISOString(),
  data: {
    person_id: row.person_id,
    delivery_id: row.delivery_id && encodeId("dlv", row.delivery_id),
    channel: row.channel,
    source: row.source,
    source_id: row.source && row.source_id && sourceText(row.source, row.source_id),
    step_id: row.step_id,
    variant: row.variant,
    message_id: row.message_id && encodeId("msg", row.message_id),
    recipient: row.recipient,
    details: row.data,
  },
});

/** Returns a page of a person's log, newest first: its own entries, their events, and what slices above keep in their own tables. */
export async function logOfPerson(
  q: Queries,
  logsOf: LogOf,
  personKey: string,
  { filter, before, limit }: EntryPage,
): Promise<EntryRow[]> {
  const own = await entriesOfPerson(q, personKey, { filter, before, limit });
  const others = await logsOf(q, personKey, {
    ...filter,
    wants: (type) => isWanted(filter.types, type),
    before,
    limit,
  });
  const rows = others.map(
    (entry): EntryRow => ({ ...entry, delivery_id: null, step_id: null, message_id: null, status: null }),
  );
  return [...own, ...rows].sort(latestFirst).slice(0, limit);
}

/** The order of PostgreSQL: ids are compared as text of equal length. */
const latestFirst = (a: EntryRow, b: EntryRow): number =>
  b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
