import type { ActivityExportQuery, Channel, Source } from "@tidings/contract/facts/activity";
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

/**
 * Returns the delivery and the source of an entry. A message that is held back has no delivery until it is queued: until then the entry itself
 * says where the message comes from.
 */
function originOf({ type, delivery_id, source, source_id, step_id, data }: Omit<FeedEvent, "txid"> | EntryRow) {
  const delivery = delivery_id && encodeId("dlv", delivery_id);
  if (source !== null || !type.endsWith(".held"))
    return { delivery_id: delivery, source, source_id: source && source_id && sourceText(source, source_id), step_id };
  const { source: from, source_id: sourceId, step_id: stepId } = data as Partial<Origin>;
  return { delivery_id: null, source: from ?? null, source_id: sourceId ?? null, step_id: stepId ?? null };
}

/** The source of a message that is held back, as its entry says it. */
interface Origin {
  source: Source;
  source_id: string;
  step_id: string;
}

const channelOf = (type: string): Channel | null => channels.find((channel) => type.startsWith(`${channel}.`)) ?? null;

/** Returns an entry of the log in its wire shape, with its delivery. */
export const entryView = (row: EntryRow) => ({
  id: encodeId(row.type === TRACKED ? "evt" : "act", row.id),
  type: row.type,
  at: row.at.toISOString(),
  channel: channelOf(row.type),
  ...originOf(row),
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
    channel: row.channel ?? (row.type.endsWith(".held") ? channelOf(row.type) : null),
    ...originOf(row),
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
