import type { DestinationTable } from "@tidings/contract/destinations";

/** How a column is written: `json` is an object in JSON lines, and its text in ClickHouse and Parquet. */
export type ColumnType = "text" | "integer" | "time" | "json";

/** The columns of each table, in their order. docs/streaming-out.md has the same. */
export const columns: Record<DestinationTable, Record<string, ColumnType>> = {
  deliveries: {
    id: "text",
    version: "integer",
    person_id: "text",
    channel: "text",
    source: "text",
    source_id: "text",
    step_id: "text",
    step_position: "integer",
    variant: "text",
    message_id: "text",
    status: "text",
    reason: "text",
    recipient: "text",
    queued_at: "time",
    sent_at: "time",
    delivered_at: "time",
    opened_at: "time",
    clicked_at: "time",
    shown_at: "time",
    dismissed_at: "time",
    read_at: "time",
    bounced_at: "time",
    complained_at: "time",
    unsubscribed_at: "time",
    failed_at: "time",
    impressions: "integer",
    attempts: "integer",
    provider: "text",
    provider_message_id: "text",
  },
  activity: {
    id: "text",
    type: "text",
    at: "time",
    person_id: "text",
    delivery_id: "text",
    channel: "text",
    source: "text",
    source_id: "text",
    step_id: "text",
    variant: "text",
    message_id: "text",
    recipient: "text",
    details: "json",
  },
  events: {
    id: "text",
    name: "text",
    at: "time",
    received_at: "time",
    person_id: "text",
    properties: "json",
  },
};

/** A row as it is sent: each column in the order of `columns`. */
export type Row = Record<string, unknown>;

/** Returns rows with the columns of their table, in their order, and with no other field. */
export function ordered(table: DestinationTable, rows: Row[]): Row[] {
  const names = Object.keys(columns[table]);
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
}
