import { type Entry, logged, recordedOf } from "../activity/index.ts";
import { prepared, type Queries, sql, unquoted } from "../platform/db/index.ts";
import type { State, Status } from "./delivery.ts";

// Deliveries: the live queue.

type Sql = ReturnType<typeof sql>;

export interface NewDelivery {
  personKey: string;
  id: string;
  /** Why it failed; null where it is queued. */
  reason: string | null;
  /** JSON, null where it is shared by reference to the version. */
  content: string | null;
  /** What its entry in the log has beyond the source. */
  note: Record<string, unknown> | null;
}

export interface NewBatch {
  workspaceId: string;
  source: "broadcast" | "campaign" | "test";
  sourceId: string | null;
  variant: string | null;
  messageId: string;
  version: number;
  priority: number;
  /** Whether it is listed in the inbox. */
  inbox: boolean;
  expiresAt: Date | null;
  now: Date;
}

/**
 * Inserts for many people at once, with an entry in the log for each. Gives the ids that are new: an id that exists belongs to a
 * page that is repeated.
 */
export async function insertDeliveries(tx: Queries, batch: NewBatch, rows: NewDelivery[]): Promise<Set<string>> {
  const source = { source: batch.source };
  const notes = Object.fromEntries(rows.flatMap(({ id, note }) => (note ? [[id, { ...source, ...note }]] : [])));
  const made = await tx.query<{ id: string }>(
    prepared(
      "inapp.insertDeliveries",
      sql`
      with made as (
        insert into deliveries (person_key, id, workspace_id, channel, source, source_id, variant, status, reason, queued_at, content,
          message_id, message_version, live, inbox, priority, expires_at)
        select t.person_key, t.id, ${batch.workspaceId}::uuid, 'in_app', ${batch.source}, ${batch.sourceId}::uuid, ${batch.variant}::text,
          case when t.reason is null then 'queued' else 'failed' end, t.reason, ${batch.now}::timestamptz, t.content, ${batch.messageId}::uuid,
          ${batch.version}::integer, t.reason is null, ${batch.inbox}::boolean, ${batch.priority}::smallint, ${batch.expiresAt}::timestamptz
        from unnest((select ${unquoted(rows.map((row) => row.personKey))}::uuid[]), (select ${unquoted(rows.map((row) => row.id))}::uuid[]),
          (select ${rows.map((row) => row.reason)}::text[]), (select ${rows.map((row) => row.content)}::jsonb[])) as t (person_key, id, reason, content)
        on conflict (person_key, id) do nothing
        returning person_key, id, status),
      log as (${logged(
        sql`select person_key, id, 'in_app.' || status as type,
          coalesce(${JSON.stringify(notes)}::jsonb -> id::text, ${JSON.stringify(source)}::jsonb) as data from made`,
        { workspaceId: batch.workspaceId, at: batch.now },
      )})
      select id from made`,
    ),
  );
  return new Set(made.map((row) => row.id));
}

// Deliveries: interactions.

export interface StateRow extends State {
  person_key: string;
  id: string;
  message_id: string;
  message_version: number;
}

/** The in-app deliveries with these keys; one that another person has is not found. */
export const statesOf = (q: Queries, keys: { personKey: string; id: string }[]): Promise<StateRow[]> =>
  q.query(
    prepared(
      "inapp.statesOf",
      sql`
      select d.person_key, d.id, d.message_id, d.message_version, d.status, d.live, d.impressions,
        d.clicked_at is not null as clicked, d.dismissed_at is not null as dismissed
      from unnest((select ${unquoted(keys.map((key) => key.personKey))}::uuid[]), (select ${unquoted(keys.map((key) => key.id))}::uuid[])) as k (person_key, id)
      join deliveries d on d.person_key = k.person_key and d.id = k.id
      where d.channel = 'in_app'`,
    ),
  );

export interface Move {
  personKey: string;
  id: string;
  from: State;
  to: State;
}

/**
 * Moves deliveries from the state that was decided on to the new one, each only if it is still in that state. Impressions
 * only grow, `live` only falls and times are set once, so no state comes back and the guard can't be fooled. Gives the ids
 * that moved. Only the end of a life touches an indexed column, so an impression stays a HOT update.
 */
export async function moveStates(tx: Queries, moves: Move[], now: Date): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(prepared("inapp.moveStates", moving(moves, now)));
  return new Set(rows.map((row) => row.id));
}

/** The same, and the log of those that moved, in one statement: it needs no transaction around it, which is two round trips less. */
export async function moveAndLog(q: Queries, moves: Move[], entries: Entry[], now: Date): Promise<Set<string>> {
  const rows = await q.query<{ id: string }>(
    prepared(
      "inapp.moveAndLog",
      sql`
      with moved as (${moving(moves, now)}),
      log as (${recordedOf(entries, sql`select id from moved`)})
      select id from moved`,
    ),
  );
  return new Set(rows.map((row) => row.id));
}

function moving(moves: Move[], now: Date): Sql {
  const column = (pick: (move: Move) => string | number | boolean) => unquoted(moves.map(pick));
  return sql`
      update deliveries d set
        status = t.status, live = t.live, impressions = t.impressions,
        last_impression_at = case when t.impressions > d.impressions then ${now}::timestamptz else d.last_impression_at end,
        shown_at = coalesce(d.shown_at, case when t.impressions > 0 then ${now}::timestamptz end),
        clicked_at = coalesce(d.clicked_at, case when t.clicked then ${now}::timestamptz end),
        dismissed_at = coalesce(d.dismissed_at, case when t.dismissed then ${now}::timestamptz end)
      from unnest((select ${column((m) => m.personKey)}::uuid[]), (select ${column((m) => m.id)}::uuid[]),
        (select ${column((m) => m.from.status)}::text[]), (select ${column((m) => m.from.live)}::boolean[]), (select ${column((m) => m.from.impressions)}::integer[]),
        (select ${column((m) => m.from.clicked)}::boolean[]), (select ${column((m) => m.from.dismissed)}::boolean[]),
        (select ${column((m) => m.to.status)}::text[]), (select ${column((m) => m.to.live)}::boolean[]), (select ${column((m) => m.to.impressions)}::integer[]),
        (select ${column((m) => m.to.clicked)}::boolean[]), (select ${column((m) => m.to.dismissed)}::boolean[]))
        as t (person_key, id, was_status, was_live, was_impressions, was_clicked, was_dismissed, status, live, impressions, clicked, dismissed)
      where d.person_key = t.person_key and d.id = t.id and d.status = t.was_status and d.live = t.was_live
        and d.impressions = t.was_impressions and (d.clicked_at is not null) = t.was_clicked
        and (d.dismissed_at is not null) = t.was_dismissed
      returning d.id`;
}

/** Ends the lives of at most `limit` deliveries that are past their time. Rows that someone else holds are left for the next round. */
export const expireDue = (
  tx: Queries,
  now: Date,
  limit: number,
): Promise<{ person_key: string; id: string; workspace_id: string }[]> =>
  tx.query(sql`
    with due as (
      select person_key, id from deliveries where live and expires_at <= ${now}
      order by expires_at limit ${limit} for update skip locked)
    update deliveries d set status = ${"expired" satisfies Status}, live = false
    from due where d.person_key = due.person_key and d.id = due.id
    returning d.person_key, d.id, d.workspace_id`);
