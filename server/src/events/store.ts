import { empty, given, join, prepared, type Queries, rowsToCheck, sql } from "../platform/db/index.ts";

export interface NewEvent {
  personKey: string;
  id: string;
  workspaceId: string;
  name: string;
  properties: Record<string, unknown>;
  ts: Date;
}

/** Inserts events and returns the ids of the new ones. A repeated event_id is a conflict and inserts no row. */
export async function insert(tx: Queries, events: NewEvent[], now: Date): Promise<Set<string>> {
  const inserted = sql`
      insert into events (person_key, id, workspace_id, name, properties, ts, received_at)
      ${rowsToCheck(
        tx,
        events,
        {
          person_key: given.uuid((e) => e.personKey),
          id: given.uuid((e) => e.id),
          workspace_id: given.uuid((e) => e.workspaceId),
          name: given.text((e) => e.name),
          properties: given.json((e) => JSON.stringify(e.properties)),
          ts: given.time((e) => e.ts),
        },
        (t) => sql`${join(Object.values(t))}, ${now}::timestamptz`,
      )}
      on conflict (person_key, id) do nothing
      returning id`;
  // Citus sends a list of values to its shards only where it stands alone.
  if (tx.distributed) return new Set((await tx.query<{ id: string }>(inserted)).map(({ id }) => id));
  // Nearly always all are new. Then no id comes back.
  const [row] = await tx.query<{ ids: string[] | null }>(
    prepared(
      "events.insert",
      sql`
      with fresh as (${inserted})
      select case when count(*) < ${events.length} then coalesce(array_agg(id), '{}') end as ids from fresh`,
    ),
  );
  return new Set(row?.ids ?? events.map(({ id }) => id));
}

export interface EventRow {
  id: string;
  name: string;
  properties: Record<string, unknown>;
  ts: Date;
  received_at: Date;
}

export interface EventFilter {
  name: string | undefined;
  since: Date | undefined;
  until: Date | undefined;
}

export interface EventPage extends EventFilter {
  /** The decoded cursor: `ts` and id of the last event before this page. */
  before: string[] | undefined;
  limit: number;
}

/** Returns a page of a person's events, newest first. */
export const list = (
  q: Queries,
  personKey: string,
  { name, since, until, before, limit }: EventPage,
): Promise<EventRow[]> =>
  q.query(sql`
    select id, name, properties, ts, received_at from events
    where person_key = ${personKey}
      ${name === undefined ? empty : sql`and name = ${name}`}
      ${since ? sql`and ts >= ${since}` : empty} ${until ? sql`and ts < ${until}` : empty}
      ${before ? sql`and (ts, id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by ts desc, id desc limit ${limit}`);

export async function isPerson(q: Queries, personKey: string): Promise<boolean> {
  return (await q.query(sql`select from people where person_key = ${personKey}`)).length === 1;
}
