import type { Queries } from "../platform/db/index.ts";
import type { LogOf } from "../workspaces/index.ts";
import { type EntryPage, type EntryRow, entriesOfPerson } from "./store.ts";

/** Returns a page of a person's log, newest first: its own entries, their events, and what slices above keep in their own tables. */
export async function logOfPerson(
  q: Queries,
  logsOf: LogOf,
  personKey: string,
  { filter, before, limit }: EntryPage,
): Promise<EntryRow[]> {
  const own = await entriesOfPerson(q, personKey, { filter, before, limit });
  const others = await logsOf(q, personKey, { ...filter, before, limit });
  const rows = others.map((entry): EntryRow => ({ ...entry, delivery_id: null, message_id: null }));
  return [...own, ...rows].sort(latestFirst).slice(0, limit);
}

/** The order of PostgreSQL: ids are compared as text of equal length. */
const latestFirst = (a: EntryRow, b: EntryRow): number =>
  b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
