import { empty, join, type Sql, sql } from "../../platform/db/index.ts";

/*
 * The entries `in_app.queued` and `in_app.expired` of the log are the row of their delivery, which says when, to whom and by what. As rows of `activity` they
 * took 228 of the 769 bytes of a queued delivery and 205 at its end, and half of the work of both (docs/decisions/0072-entries-that-are-deliveries.md).
 *
 * `queued_txid` and `expired_txid` are the transactions that queued and expired such a delivery. Each is null where its entry is a row of `activity` or does
 * not exist: for other channels, for what failed at once or left something out, for what an earlier version wrote, and after the entry was forgotten.
 */

/** The columns of an entry of the log. `txid` and `id` are the order of the feed. */
export interface EntryColumns {
  person_key: Sql;
  id: Sql;
  workspace_id: Sql;
  delivery_id: Sql;
  type: Sql;
  at: Sql;
  data: Sql;
  txid: Sql;
  /** All entries of this kind have the same type. */
  oneType?: true;
}

const WRITTEN: EntryColumns = {
  person_key: sql`a.person_key`,
  id: sql`a.id`,
  workspace_id: sql`a.workspace_id`,
  delivery_id: sql`a.delivery_id`,
  type: sql`a.type`,
  at: sql`a.at`,
  data: sql`a.data`,
  txid: sql`a.txid`,
};

const OF_ROW = {
  oneType: true as const,
  person_key: sql`d.person_key`,
  workspace_id: sql`d.workspace_id`,
  delivery_id: sql`d.id`,
};

/**
 * The entries that a delivery `d` is. The ids are those of deliveries behind digits with which no time begins, so that among entries of one transaction, or of
 * one time, whose ids are made of the time (UUIDv7), the queueing is the first and the expiry the last.
 */
export const OF_DELIVERIES: EntryColumns[] = [
  {
    ...OF_ROW,
    id: sql`('0000' || substr(d.id::text, 5))::uuid`,
    type: sql`'in_app.queued'::text`,
    at: sql`d.queued_at`,
    data: sql`jsonb_build_object('source', d.source)`,
    txid: sql`d.queued_txid`,
  },
  {
    ...OF_ROW,
    id: sql`('ffff' || substr(d.id::text, 5))::uuid`,
    type: sql`'in_app.expired'::text`,
    at: sql`d.expired_at`,
    data: sql`jsonb_strip_nulls(jsonb_build_object('reason', d.reason))`,
    txid: sql`d.expired_txid`,
  },
];

/** Whether a type is one of these types and families (`in_app.*`). */
export const isOneOf = (type: Sql, types: string[]): Sql =>
  sql`(${type} = any(${types}::text[]) or split_part(${type}, '.', 1) || '.*' = any(${types}::text[]))`;

/**
 * Leaves out a kind of which no entry can be of these types and families (none: all). A reader who wants others need not read through it. It is a condition of
 * the statement, so that a prepared one remains the same.
 */
export const unlessUnwanted = ({ oneType, type }: Pick<EntryColumns, "oneType" | "type">, types: string[]): Sql =>
  oneType ? sql`and (cardinality(${types}::text[]) = 0 or ${isOneOf(type, types)})` : empty;

/** Whether an entry is a delivery, by its `type` and `id`: rows of these two types have ids that are made of the time. */
export const IS_DELIVERY = sql`(type in ('in_app.queued', 'in_app.expired') and left(id::text, 4) in ('0000', 'ffff'))`;

/** The values of an entry, in the order of EntryColumns. */
export const valuesOf = (e: EntryColumns): Sql =>
  sql`${e.person_key}, ${e.id} as id, ${e.workspace_id}, ${e.delivery_id} as delivery_id, ${e.type} as type, ${e.at} as at, ${e.data} as data, ${e.txid} as txid`;

/**
 * Selects entries of the log, those of `activity` and those that are deliveries, as (person_key, id, workspace_id, delivery_id, type, at, data, txid).
 * @param choose returns what follows `where` for each kind of them, from its columns: also an order and a limit, because only within its kind an index gives
 * an order. The whole has none
 */
export const entriesWhere = (choose: (e: EntryColumns) => Sql): Sql =>
  join(
    [
      sql`(select ${valuesOf(WRITTEN)} from activity a where ${choose(WRITTEN)})`,
      ...OF_DELIVERIES.map(
        (e) => sql`(select ${valuesOf(e)} from deliveries d where ${e.txid} is not null and ${choose(e)})`,
      ),
    ],
    " union all ",
  );
