import type { DestinationTable } from "@tidings/contract/destinations";
import {
  deliveryOf,
  eventOf,
  followDeliveries,
  followEntries,
  oldDeliveries,
  type Position,
  type StreamedDelivery,
} from "../../activity/index.ts";
import { followEvents, oldEvents } from "../../events/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { ordered, type Row } from "../far-ends/columns.ts";
import { beforeAll, behind, type StreamPlace } from "./place.ts";

/** Rows of a table as they are sent, and where the next page begins. */
export interface StreamPage {
  rows: Row[];
  next: StreamPlace;
  /** Whether there may be more rows now. */
  more: boolean;
  /** The oldest transaction that was open. */
  xmin: string;
  /** When the last row was written. */
  at: Date | undefined;
}

interface PageRequest {
  workspaceId: string;
  limit: number;
}
type LogPage = (
  q: Queries,
  workspaceId: string,
  stretch: { after: Position; until: Position | undefined; limit: number },
) => Promise<{ rows: Row[]; xmin: string; read: number; last: (Position & { at: Date }) | undefined }>;
type OldPage = (
  q: Queries,
  workspaceId: string,
  stretch: { before: string; after: string[] | null; until: string[] | undefined; limit: number },
) => Promise<{ rows: Row[]; xmin: string; last: string[] | undefined }>;

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/**
 * Returns a delivery as it is sent. A worker's claim changes a delivery without an entry in the log, so what the claim
 * changes is left out: one that waits is `queued` and has no reason, whoever works on it.
 */
function deliveryRow(row: StreamedDelivery, xmin: string): Row {
  const shown = deliveryOf(row);
  const waits = shown.status === "queued" || shown.status === "sending";
  return {
    ...shown,
    version: Number(xmin),
    read_at: iso(row.read_at),
    ...(waits && { status: "queued", reason: null }),
  };
}

const LOGS: Record<DestinationTable, LogPage> = {
  async deliveries(q, workspaceId, stretch) {
    const { rows, xmin, entries, last } = await followDeliveries(q, workspaceId, stretch);
    return { rows: rows.map((row) => deliveryRow(row, xmin)), xmin, read: entries, last };
  },
  async activity(q, workspaceId, stretch) {
    const { rows, xmin } = await followEntries(q, workspaceId, stretch);
    const shown = rows.map((row) => {
      const { id, type, timestamp, data } = eventOf(row);
      return { id, type, at: timestamp, ...data };
    });
    return { rows: shown, xmin, read: rows.length, last: rows.at(-1) };
  },
  async events(q, workspaceId, stretch) {
    const { rows, xmin } = await followEvents(q, workspaceId, stretch);
    const last = rows.at(-1);
    return { rows: rows.map(eventRow), xmin, read: rows.length, last: last && { ...last, at: last.received_at } };
  },
};

const eventRow = (row: Awaited<ReturnType<typeof followEvents>>["rows"][number]): Row => ({
  id: encodeId("evt", row.id),
  name: row.name,
  at: row.ts.toISOString(),
  received_at: row.received_at.toISOString(),
  person_id: row.person_id,
  properties: row.properties,
});

/** The rows from before a stream was added. The log itself has them in its order. */
const OLD: Record<Exclude<DestinationTable, "activity">, OldPage> = {
  async deliveries(q, workspaceId, stretch) {
    const { rows, xmin } = await oldDeliveries(q, workspaceId, stretch);
    const last = rows.at(-1);
    return { rows: rows.map((row) => deliveryRow(row, xmin)), xmin, last: last && [last.queued, last.id] };
  },
  async events(q, workspaceId, stretch) {
    const { rows, xmin } = await oldEvents(q, workspaceId, stretch);
    const last = rows.at(-1);
    return { rows: rows.map(eventRow), xmin, last: last && [last.name, last.at, last.id] };
  },
};

/** Reads the next rows of a table behind `from`, none behind `to`. */
export async function readPage(
  q: Queries,
  table: DestinationTable,
  { workspaceId, limit }: PageRequest,
  { from, to }: { from: StreamPlace; to: StreamPlace | undefined },
): Promise<StreamPage> {
  if ("log" in from) {
    const until = to && "log" in to ? to.log : undefined;
    const { rows, xmin, read, last } = await LOGS[table](q, workspaceId, { after: from.log, until, limit });
    const more = read === limit;
    const next = more && last ? { txid: last.txid, id: last.id } : (until ?? behind(from.log, xmin));
    return { rows: ordered(table, rows), xmin, more, next: { ...from, log: next }, at: last?.at };
  }
  const read = OLD[table as keyof typeof OLD];
  const until = to && "old" in to ? (to.old ?? undefined) : undefined;
  const { rows, xmin, last } = await read(q, workspaceId, { before: from.before, after: from.old, until, limit });
  const more = rows.length === limit;
  const next: StreamPlace = more && last ? { ...from, old: last } : (to ?? { log: from.then });
  return { rows: ordered(table, rows), xmin, more, next, at: undefined };
}

/** Until which position an answer must have read everything, so that it lacks no row. */
export function neededFor(from: StreamPlace, to: StreamPlace | undefined): Position | undefined {
  if (!("log" in from)) return beforeAll(from.then.txid);
  return to && "log" in to ? to.log : undefined;
}
