import type { DeliveryExportQuery } from "@tidings/contract/facts/activity";
import type { Queries } from "../../platform/db/index.ts";
import { badParameter } from "../../platform/http/index.ts";
import { decodeId, encodeId, type Prefix } from "../../platform/ids.ts";
import { parseInstant } from "../../platform/time/clock.ts";
import { type NamesOf, personKey } from "../../workspaces/index.ts";
import type { DeliveryFilter, DeliveryRow } from "./list-store.ts";

const SOURCE_PREFIX: Record<DeliveryRow["source"], Prefix> = {
  transactional: "tx",
  broadcast: "bc",
  campaign: "cmp",
  test: "msg",
};

/** Returns the wire id of a delivery's source. */
export const sourceText = (source: DeliveryRow["source"], id: string): string => encodeId(SOURCE_PREFIX[source], id);

/** Decodes the wire id of any source; undefined for a text that is none. */
export const sourceIdOf = (text: string): string | undefined =>
  Object.values(SOURCE_PREFIX)
    .map((prefix) => decodeId(prefix, text))
    .find((id) => id !== undefined);

/** Decodes the wire id of any source. A text that is none is decoded as an id without deliveries, so its list is empty. */
export const sourceOf = (text: string): string => sourceIdOf(text) ?? NO_SOURCE;
const NO_SOURCE = "00000000-0000-0000-0000-000000000000";

/** Parses an instant that the contract has checked. */
export const instantOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : parseInstant(text);

/**
 * Returns the filter of a query, with the values of the table.
 * @throws Problem invalid_request for a `step` without a `source_id`, and for `from` or `to` without a `metric`
 */
export function filterOf(workspaceId: string, query: DeliveryExportQuery): DeliveryFilter {
  const { source_id, person_id, metric, from, to } = query;
  if (metric === undefined && (from ?? to) !== undefined)
    throw badParameter(
      from === undefined ? "to" : "from",
      "needs metric: since and until compare the time of queueing",
    );
  if (query.step !== undefined && source_id === undefined)
    throw badParameter("step", "needs source_id: ids of steps are unique in one campaign only");
  return {
    ...query,
    source_id: source_id === undefined ? undefined : sourceOf(source_id),
    person_key: person_id === undefined ? undefined : personKey(workspaceId, person_id),
    since: instantOf(query.since),
    until: instantOf(query.until),
    counted: metric && { metric, from: instantOf(from), to: instantOf(to) },
  };
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Returns when a delivery failed. One that was never sent failed when it was queued. */
const failedAt = ({ status, failed_at, queued_at }: DeliveryRow): Date | null =>
  status === "failed" || status === "suppressed" ? (failed_at ?? queued_at) : null;

interface FromSource {
  source_id: string | null;
  message_id: string | null;
}

/** Adds the names of its source and of its in-app message to each delivery or entry. One call asks for the names of all. */
export async function withNames<T extends FromSource>(
  q: Queries,
  workspaceId: string,
  { namesOf, shown }: { namesOf: NamesOf; shown: T[] },
) {
  const ids = shown.flatMap(({ source_id, message_id }) => [source_id, message_id]).filter((id) => id !== null);
  const names = await namesOf(q, workspaceId, ids);
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return shown.map((one) => ({
    ...one,
    source_name: nameOf(one.source_id),
    message_name: nameOf(one.message_id),
  }));
}

/** Returns a delivery in its wire shape. */
export const shape = (row: DeliveryRow) => ({
  id: encodeId("dlv", row.id),
  person_id: row.person_id,
  channel: row.channel,
  source: row.source,
  source_id: row.source_id && sourceText(row.source, row.source_id),
  step_id: row.step_id,
  step_position: row.step_position,
  variant: row.variant,
  message_id: row.message_id && encodeId("msg", row.message_id),
  status: row.status,
  reason: row.reason,
  recipient: row.recipient,
  priority: row.priority,
  queued_at: row.queued_at.toISOString(),
  due_at: iso(row.due_at),
  sent_at: iso(row.sent_at),
  delivered_at: iso(row.delivered_at),
  bounced_at: iso(row.bounced_at),
  complained_at: iso(row.complained_at),
  unsubscribed_at: iso(row.unsubscribed_at),
  failed_at: iso(failedAt(row)),
  shown_at: iso(row.shown_at),
  opened_at: iso(row.opened_at),
  clicked_at: iso(row.clicked_at),
  dismissed_at: iso(row.dismissed_at),
  expires_at: iso(row.expires_at),
  impressions: row.impressions,
  attempts: row.attempts,
  provider: row.provider,
  provider_message_id: row.provider_message_id,
});

/** The action and the resource of an entry in the log of changes. */
export const deliveryEntry = (done: "resent" | "canceled" | "recalled", id: string) => ({
  action: `delivery.${done}`,
  resource: { type: "delivery", id, name: "" },
});
