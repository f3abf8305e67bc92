import { type EntryInput, recordedOf } from "../../activity/index.ts";
import {
  choosing,
  currentTransaction,
  inShardsOf,
  prepared,
  type Queries,
  sql,
  type Sql,
  type Tx,
  unquoted,
} from "../../platform/db/index.ts";
import type { State, Status } from "./delivery.ts";
import { countsJoin } from "./live-store.ts";

// The deliveries of in-app: interactions and expiry.

/**
 * A condition on a row's number that is always true. It makes PostgreSQL expect one row of a list, not ten, so that it plans to
 * look rows up one by one even while the table is empty. Otherwise it would keep the plan "read the whole table" until the first
 * autovacuum after a broadcast filled the table.
 */
const expectOne = (n: Sql): Sql => sql`${n} between 1 and 2147483647`;

export interface StateRow extends State {
  message_id: string;
  message_version: number;
  /** Whether limits count all deliveries of the message that the person has. */
  shared_limits: boolean;
  /** The person's impressions of the message, where limits are shared; null where none is counted yet. */
  counted: number | null;
  counted_revision: number | null;
  /** The row version's physical position (ctid) and the transaction that wrote it (xmin). Both together identify this row version. */
  place: string;
  writer: string;
}

/**
 * The part of a state that a move compares on a distributed database, where a position means nothing: impressions only grow, `live` only
 * becomes false, and times are set once, so no state comes back.
 */
interface ComparedRow extends StateRow {
  person_key: string;
  /** As PostgreSQL prints them. */
  first_seen_at: string | null;
  first_acted_at: string | null;
}
const COMPARED = sql`d.person_key, d.first_seen_at::text, d.first_acted_at::text`;

/** Returns the in-app delivery of each key, in order; undefined where there is none, or where it is another person's. */
export async function statesOf(
  q: Queries,
  keys: { personKey: string; id: string }[],
): Promise<(StateRow | undefined)[]> {
  const found: (StateRow | undefined)[] = keys.map(() => undefined);
  const personKeys = keys.map((key) => key.personKey);
  const rows = await q.query<StateRow & { n: number }>(
    prepared(
      "inapp.statesOf",
      sql`
      select k.n, ${q.distributed ? COMPARED : sql`d.ctid as place, d.xmin as writer`}, d.message_id, d.message_version, d.status, d.live, d.impressions,
        d.clicked_at is not null as clicked, d.dismissed_at is not null as dismissed,
        d.shared_limits, c.impressions as counted, c.revision as counted_revision,
        round(date_part('epoch', coalesce(d.first_seen_at,
          case when d.impressions > 0 and d.first_acted_at is null then '-infinity'::timestamptz else 'infinity' end)) * 1000) as "seenAt",
        round(date_part('epoch', coalesce(d.first_acted_at, 'infinity')) * 1000) as "actedAt"
      from unnest(
        (select ${unquoted(personKeys)}::uuid[]),
        (select ${unquoted(keys.map((key) => key.id))}::uuid[])
      ) with ordinality as k (person_key, id, n)
      join deliveries d on d.person_key = k.person_key and d.id = k.id ${inShardsOf(q, "d.person_key", personKeys)}
      ${countsJoin(q)}
      where d.channel = 'in_app' and ${expectOne(sql`k.n`)}`,
    ),
  );
  for (const row of rows) found[row.n - 1] = row;
  return found;
}

export interface Move {
  id: string;
  from: StateRow;
  to: State;
}

/**
 * Moves deliveries to their new states, each only if its row is still the version that was read. The statement finds a row by its
 * physical position, without a second index search. Any write to the row since, also a read mark, keeps it from moving, and the
 * caller decides again. Returns the deliveries that moved. Only the end of a delivery's life changes an indexed column, so an
 * impression stays a HOT update.
 */
export async function moveStates(tx: Queries, moves: Move[], now: Date): Promise<Set<Move>> {
  return movedOf(moves, await tx.query(prepared("inapp.moveStates", sql`${moving(tx, moves, now)} returning t.n`)));
}

/** Moves deliveries like `moveStates` and logs those that moved, in one statement: without a transaction it saves two round trips. */
export async function moveAndLog(
  q: Queries,
  moves: (Move & { entries: EntryInput[] })[],
  now: Date,
): Promise<Set<Move>> {
  const entries = moves.flatMap((move) => move.entries);
  const numbers = moves.flatMap((move, i) => move.entries.map(() => i + 1));
  return movedOf(
    moves,
    await q.query(
      prepared(
        "inapp.moveAndLog",
        sql`
      with moved as (${moving(q, moves, now)} returning t.n, d.person_key, d.id, d.workspace_id),
      log as (${recordedOf(entries, numbers, sql`select * from moved`)})
      select n from moved`,
      ),
    ),
  );
}

const movedOf = (moves: Move[], rows: { n: number }[]): Set<Move> => new Set(rows.map(({ n }) => moves[n - 1] as Move));

function moving(q: Queries, moves: Move[], now: Date): Sql {
  const { distributed } = q;
  const column = (pick: (move: Move) => string | number | boolean | null) => unquoted(moves.map(pick));
  return sql`
      update deliveries d set
        status = t.status, live = t.live, impressions = t.impressions,
        last_impression_at = case when t.impressions > d.impressions then ${now}::timestamptz else d.last_impression_at end,
        shown_at = coalesce(d.shown_at, ${now}::timestamptz),
        clicked_at = coalesce(d.clicked_at, case when t.clicked then ${now}::timestamptz end),
        dismissed_at = coalesce(d.dismissed_at, case when t.dismissed then ${now}::timestamptz end),
        first_seen_at = t.seen_at, first_acted_at = t.acted_at
      from unnest(
        (select ${column((m) => m.id)}::uuid[]),
        ${distributed ? readStates(moves) : readVersions(moves)},
        (select ${column((m) => m.to.status)}::text[]),
        (select ${column((m) => m.to.live)}::boolean[]),
        (select ${column((m) => m.to.impressions)}::integer[]),
        (select ${column((m) => m.to.clicked)}::boolean[]),
        (select ${column((m) => m.to.dismissed)}::boolean[]),
        (select ${column((m) => instant(m.to.seenAt))}::timestamptz[]),
        (select ${column((m) => instant(m.to.actedAt))}::timestamptz[])
      ) with ordinality as t (id, ${distributed ? READ_STATE : sql`place, writer`}, status, live, impressions, clicked, dismissed, seen_at, acted_at, n)
      where ${distributed ? isAsRead(q, moves) : sql`d.ctid = t.place and d.xmin = t.writer`} and d.id = t.id
        and ${expectOne(sql`t.n`)}`;
}

const readVersions = (moves: Move[]): Sql => sql`
        (select ${unquoted(moves.map((m) => `"${m.from.place}"`))}::tid[]),
        (select ${unquoted(moves.map((m) => m.from.writer))}::xid[])`;

/** The columns of `readStates`. */
const READ_STATE = sql`person_key, was, was_live, was_impressions, was_clicked, was_dismissed, was_seen_at, was_acted_at`;

function readStates(moves: Move[]): Sql {
  const column = (pick: (row: ComparedRow) => string | number | boolean | null) =>
    unquoted(moves.map(({ from }) => pick(from as ComparedRow)));
  return sql`
        ${column((row) => row.person_key)}::uuid[], ${column((row) => row.status)}::text[],
        ${column((row) => row.live)}::boolean[], ${column((row) => row.impressions)}::integer[],
        ${column((row) => row.clicked)}::boolean[], ${column((row) => row.dismissed)}::boolean[],
        ${column((row) => row.first_seen_at)}::timestamptz[], ${column((row) => row.first_acted_at)}::timestamptz[]`;
}

const isAsRead = (q: Queries, moves: Move[]): Sql => sql`d.person_key = t.person_key
        ${inShardsOf(
          q,
          "d.person_key",
          moves.map(({ from }) => (from as ComparedRow).person_key),
        )} and d.status = t.was and d.live = t.was_live and d.impressions = t.was_impressions
        and (d.clicked_at is not null) = t.was_clicked and (d.dismissed_at is not null) = t.was_dismissed
        and d.first_seen_at is not distinct from t.was_seen_at and d.first_acted_at is not distinct from t.was_acted_at`;

function instant(at: number): string | null {
  if (at === Number.POSITIVE_INFINITY) return null;
  return at === Number.NEGATIVE_INFINITY ? "-infinity" : new Date(at).toISOString();
}

/** What an update writes of a delivery that expires: the row is also the entry in the log. The caller must announce RECORDED. */
export const expiring = async (tx: Tx, now: Date): Promise<Sql> => sql`
  status = ${"expired" satisfies Status}, live = false, expired_at = ${now}::timestamptz, expired_txid = ${await currentTransaction(tx)}`;

/**
 * Expires at most `limit` deliveries that are past their expiry. Rows that another transaction has locked are left for the next
 * run.
 */
export async function expireDue(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ person_key: string; id: string; workspace_id: string }[]> {
  const { lock, still } = choosing(tx, sql`for update skip locked`, sql`d.live`);
  return tx.query(sql`
    with due as (
      select person_key, id from deliveries where live and expires_at <= ${now}
      order by expires_at limit ${limit} ${lock})
    update deliveries d set ${await expiring(tx, now)}
    from due where d.person_key = due.person_key and d.id = due.id ${still}
    returning d.person_key, d.id, d.workspace_id`);
}
