import type { Queries, Sql, Tx } from "../../platform/db/index.ts";
import { Problem } from "../../platform/http/index.ts";
import type { Prefix } from "../../platform/ids.ts";
import { deleteRows, keysOf, moveRows, type PersonTable, personTables, type Rows, rowsOf } from "./held-store.ts";

/** A person whose rows are exported or erased. */
export interface Whose {
  workspaceId: string;
  personKey: string;
  /** As the suppression list writes them. Empty where the person is not known, or not locked yet. */
  addresses: string[];
}

/** Two people who become one: all that is held of `from` is held of `to` afterwards. */
export interface Merge {
  workspaceId: string;
  from: string;
  to: string;
  now: Date;
}

/** A delivery that a merge canceled. */
export interface Canceled {
  id: string;
  channel: string;
}

/** A page of an export: behind the row with the key `after`, at most `limit` rows. */
export interface ExportPage {
  after: string[] | undefined;
  limit: number;
}

/**
 * The order in which transactions lock what they write of a person; the person's own row comes after these, and all other tables after that. The
 * report of an impression changes the counts of its limits, then the delivery, then the run that waits for it. If a merge or an erasure took them
 * in another order, it would wait for the report and the report for it, until PostgreSQL ends one of them after a second.
 */
export const TURNS = { counts: 1, deliveries: 2, runs: 3, limits: 4 } as const;
export type Turn = (typeof TURNS)[keyof typeof TURNS];

/** Returns the tables that are locked before the person's own row, in the order of their turns. */
export const inTurns = <H extends Held>(tables: H[]): H[] =>
  tables
    .filter(({ lockedFirst }) => lockedFirst !== undefined)
    .toSorted((a, b) => (a.lockedFirst as Turn) - (b.lockedFirst as Turn));

/**
 * A table in which a slice holds something of people. Only that slice writes the table: `people` asks it to export, erase and merge
 * its rows, all inside the transaction of `people`.
 */
export interface Held {
  table: string;
  /** How its ids are written in an export, by column; bare where absent. */
  ids: Record<string, Prefix>;
  /** Set where its rows are locked before the person's own row: the turn in which this happens. */
  lockedFirst: Turn | undefined;
  page(q: Queries, whose: Whose, page: ExportPage, shape: PersonTable | undefined): Promise<Rows>;
  erase(tx: Tx, whose: Whose): Promise<unknown>;
  /**
   * Locks a person's rows in the order in which their other writers do, before a merge or an erasure locks the person. `stays`: it is the target
   * of a merge, which changes only what is open. Gives false where a merge must wait, and an erasure does for a while, because a worker has some of them.
   */
  hold?(tx: Tx, personKey: string, stays: boolean): Promise<unknown>;
  /**
   * When a row must not move to another person, because a worker has it. `hold` has seen none, but a transaction may have added one since, and a worker
   * may have begun with it.
   */
  inUse?: Sql;
  /** Prepares a merge, before any row moves. Gives the deliveries that both had and of which one was canceled, if there are any. */
  beforeMerge?(tx: Tx, merge: Merge): Promise<Canceled[]>;
  /** Makes the rows of both people one, where they do not just move to the target. */
  combine?(tx: Tx, merge: Merge): Promise<unknown>;
  /** Completes a merge, when all rows are the target's. */
  afterMerge?(tx: Tx, merge: Merge): Promise<unknown>;
}

/**
 * A table with a `person_key`: its rows are exported in the order of its key, deleted when the person is erased, and given to the other
 * person in a merge. `own` says what is different. A table without a `person_key` must bring `page` and `erase`.
 */
export const held = (table: string, own: Partial<Omit<Held, "table">> = {}): Held => ({
  table,
  ids: {},
  lockedFirst: undefined,
  page: (q, { personKey }, page, shape) => rowsOf(q, needed(table, shape), personKey, page),
  erase: (tx, { personKey }) => deleteRows(tx, table, personKey),
  ...own,
});

function needed(table: string, shape: PersonTable | undefined): PersonTable {
  if (!shape) throw new Error(`${table} has no person_key`);
  return shape;
}

/** What is held of people, with its shape where it has a `person_key`. */
export type HeldTable = Held & { shape: PersonTable | undefined };

/**
 * All that is held of people, in the order of the tables' names: what slices hold, and each table with a `person_key` that no slice holds
 * yet, such as one that a later migration added, which is then exported, deleted and moved row by row.
 */
export async function heldTables(q: Queries, known: Held[]): Promise<HeldTable[]> {
  const shapes = new Map((await personTables(q)).map((shape) => [shape.name, shape]));
  const unknown = [...shapes.keys()].filter((name) => !known.some(({ table }) => table === name));
  return [...known, ...unknown.map((name) => held(name))]
    .map((one) => ({ ...one, shape: shapes.get(one.table) }))
    .sort((a, b) => (a.table < b.table ? -1 : 1));
}

/**
 * Locks the rows that come before the people themselves: of a person who goes, and of the one who stays in a merge. Returns false if a worker has some
 * of those that go.
 */
export async function holdInTurns(tx: Tx, tables: Held[], goes: string, stays?: string): Promise<boolean> {
  const keys = stays === undefined ? [goes] : [goes, stays].sort();
  let free = true;
  for (const one of inTurns(tables))
    for (const key of keys) if ((await one.hold?.(tx, key, key === stays)) === false) free = false;
  return free;
}

/**
 * Gives the rows of one person in these tables to another. Returns the deliveries that both had and of which one was canceled.
 * @throws Problem person_busy while a worker sends something to the one who goes
 */
export async function moveAll(tx: Tx, tables: HeldTable[], merge: Merge): Promise<Canceled[]> {
  const canceled: Canceled[] = [];
  for (const one of tables) canceled.push(...((await one.beforeMerge?.(tx, merge)) ?? []));
  const moving = tables.flatMap(({ shape, combine, inUse }) => (shape && !combine ? [{ shape, inUse }] : []));
  if (await moveRows(tx, moving, merge.from, merge.to)) throw personBusy();
  for (const one of tables) await one.combine?.(tx, merge);
  for (const one of tables) await one.afterMerge?.(tx, merge);
  return canceled;
}

/** Why a merge has to be repeated later. */
export const personBusy = (): Problem =>
  new Problem("person_busy", "Messages are being sent to this person at this moment. Repeat the call after a minute.", {
    headers: { "retry-after": "60" },
  });

/** Returns those of these people who have rows in one of the tables. */
export async function keysIn(q: Queries, tables: HeldTable[], personKeys: string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { shape } of tables) {
    const others = personKeys.filter((key) => !found.has(key));
    if (shape && others.length > 0) for (const key of await keysOf(q, shape, others)) found.add(key);
  }
  return found;
}
