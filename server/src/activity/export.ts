import { Delivery } from "@tidings/contract/facts/activity";
import type { Queries } from "../platform/db/index.ts";
import { encodeId } from "../platform/ids.ts";
import { csvLine } from "../platform/transfer/csv.ts";
import { inTurns } from "../platform/turns.ts";
import type { LogOf, NamesOf } from "../workspaces/index.ts";
import { shape, withNames } from "./deliveries/delivery-view.ts";
import { entryView, logOfPerson } from "./entry-view.ts";
import { type DeliveryFilter, type DeliveryRow, listDeliveries } from "./deliveries/list-store.ts";
import { type EntryFilter, type EntryRow, entriesOfDeliveries } from "./store.ts";

// Writes lists as CSV, in the order of the lists and page by page. A file of any length takes the memory of one page. After a client
// disconnects, at most one more page is read.

const PAGE = 1_000;

const cell = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

const line = (columns: string[], row: Record<string, unknown>): string =>
  csvLine(columns.map((column) => cell(row[column])));

async function* pagesOf(q: Queries, workspaceId: string, filter: DeliveryFilter): AsyncGenerator<DeliveryRow[]> {
  let after: string[] | undefined;
  do {
    const rows = await listDeliveries(q, workspaceId, { filter, after, descending: true, limit: PAGE });
    yield rows;
    const last = rows.at(-1);
    after = rows.length === PAGE && last ? [last.queued_at.toISOString(), last.id] : undefined;
  } while (after);
}

/** Yields message activity, one line for each delivery, with the fields of the list as columns. */
export async function* deliveryLines(
  q: Queries,
  workspaceId: string,
  filter: DeliveryFilter,
  namesOf: NamesOf,
): AsyncGenerator<string> {
  const columns = Object.keys(Delivery.properties);
  yield csvLine(columns);
  for await (const rows of pagesOf(q, workspaceId, filter)) {
    const shown = await withNames(q, workspaceId, { namesOf, shown: rows.map(shape) });
    yield (await inTurns(shown, (row) => line(columns, row))).join("");
  }
}

const EVENT_COLUMNS = [
  "at",
  "type",
  "id",
  "delivery_id",
  "person_id",
  "channel",
  "source",
  "source_id",
  "step_id",
  "variant",
  "message_id",
];

/** Yields the events of deliveries, one line for each event, delivery by delivery and oldest first. */
export async function* eventLines(
  q: Queries,
  workspaceId: string,
  filter: DeliveryFilter,
  type: string | undefined,
): AsyncGenerator<string> {
  const columns = [...EVENT_COLUMNS, "data"];
  yield csvLine(columns);
  for await (const rows of pagesOf(q, workspaceId, filter)) {
    const events = await entriesOfDeliveries(q, rows, type);
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

/** Yields the log of one person, newest first. */
export async function* personLines(
  q: Queries,
  logsOf: LogOf,
  personKey: string,
  filter: EntryFilter,
): AsyncGenerator<string> {
  const columns = [
    "at",
    "type",
    "id",
    "delivery_id",
    "channel",
    "source",
    "source_id",
    "step_id",
    "message_id",
    "data",
  ];
  yield csvLine(columns);
  let before: string[] | undefined;
  do {
    const rows: EntryRow[] = await logOfPerson(q, logsOf, personKey, { filter, before, limit: PAGE });
    yield (await inTurns(rows, (row) => line(columns, entryView(row)))).join("");
    const last = rows.at(-1);
    before = rows.length === PAGE && last ? [last.at.toISOString(), last.id] : undefined;
  } while (before);
}
