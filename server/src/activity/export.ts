import { Delivery } from "@tidings/contract/facts/activity";
import type { Queries } from "../platform/db/index.ts";
import { encodeId } from "../platform/ids.ts";
import { csvLine } from "../platform/transfer/csv.ts";
import { inTurns } from "../platform/turns.ts";
import { shape } from "./delivery-view.ts";
import { entryView } from "./entry-view.ts";
import {
  type DeliveryFilter,
  type DeliveryRow,
  deliveries,
  type EntryFilter,
  type EntryRow,
  ofDeliveries,
  ofPerson,
} from "./store.ts";

// Lists as CSV, in the order of the lists and a page at a time: a file of any length takes the memory of one page, and who goes away
// costs one page more.

const PAGE = 1_000;

const cell = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

const line = (columns: string[], row: Record<string, unknown>): string =>
  csvLine(columns.map((column) => cell(row[column])));

async function* pagesOf(q: Queries, workspaceId: string, filter: DeliveryFilter): AsyncGenerator<DeliveryRow[]> {
  let before: string[] | undefined;
  do {
    const rows = await deliveries(q, workspaceId, filter, before, PAGE);
    yield rows;
    const last = rows.at(-1);
    before = rows.length === PAGE && last ? [last.queued_at.toISOString(), last.id] : undefined;
  } while (before);
}

/** Message activity, a line a delivery, with the fields of the list as columns. */
export async function* deliveryLines(q: Queries, workspaceId: string, filter: DeliveryFilter): AsyncGenerator<string> {
  const columns = Object.keys(Delivery.properties);
  yield csvLine(columns);
  for await (const rows of pagesOf(q, workspaceId, filter))
    yield (await inTurns(rows, (row) => line(columns, shape(row)))).join("");
}

const OF_EVENT = [
  "at",
  "type",
  "id",
  "delivery_id",
  "person_id",
  "channel",
  "source",
  "source_id",
  "variant",
  "message_id",
];

/** What happened to deliveries, a line an event: delivery by delivery, and to each in order. */
export async function* eventLines(
  q: Queries,
  workspaceId: string,
  filter: DeliveryFilter,
  type: string | undefined,
): AsyncGenerator<string> {
  const columns = [...OF_EVENT, "data"];
  yield csvLine(columns);
  for await (const rows of pagesOf(q, workspaceId, filter)) {
    const events = await ofDeliveries(q, rows, type);
    for (const row of rows) {
      const delivery = shape(row);
      const lines = await inTurns(events.get(row.id) ?? [], ({ id, type, at, data }) =>
        line(columns, {
          ...delivery,
          delivery_id: delivery.id,
          id: encodeId("act", id),
          type,
          at: at.toISOString(),
          data,
        }),
      );
      yield lines.join("");
    }
  }
}

/** What happened to one person, newest first. */
export async function* personLines(q: Queries, personKey: string, filter: EntryFilter): AsyncGenerator<string> {
  const columns = ["at", "type", "id", "delivery_id", "channel", "source", "source_id", "message_id", "data"];
  yield csvLine(columns);
  let before: string[] | undefined;
  do {
    const rows: EntryRow[] = await ofPerson(q, personKey, filter, before, PAGE);
    yield (await inTurns(rows, (row) => line(columns, entryView(row)))).join("");
    const last = rows.at(-1);
    before = rows.length === PAGE && last ? [last.at.toISOString(), last.id] : undefined;
  } while (before);
}
