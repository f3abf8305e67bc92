import {
  type Columns,
  empty,
  given,
  join,
  prepared,
  type Queries,
  rowsOf,
  rowsToCheck,
  type Sql,
  sql,
} from "../platform/db/index.ts";

export interface NewEvent {
  personKey: string;
  id: string;
  workspaceId: string;
  name: string;
  properties: Record<string, unknown>;
  ts: Date;
}

const COLUMNS = {
  person_key: given.uuid((e) => e.personKey),
  id: given.uuid((e) => e.id),
  workspace_id: given.uuid((e) => e.workspaceId),
  name: given.text((e) => e.name),
  properties: given.json((e) => JSON.stringify(e.properties)),
  ts: given.time((e) => e.ts),
} satisfies Columns<NewEvent>;

const INTO = sql`insert into events (person_key, id, workspace_id, name, properties, ts, received_at)`;

const row =
  (now: Date) =>
  (t: Record<keyof typeof COLUMNS, Sql>): Sql =>
    sql`${join(Object.values(t))}, ${now}::timestamptz`;

/** Resolves to whether an event was written. */
type Inserted = Promise<(event: NewEvent) => boolean>;

/**
 * Inserts events whose ids this service has just made, so that none of them is there. To look for each in the index first, as `on conflict`
 * does, and to answer how many were new took a ninth of PostgreSQL's CPU for an event.
 */
export async function insertFresh(tx: Queries, events: NewEvent[], now: Date): Inserted {
  await tx.query(prepared("events.insertFresh", sql`${INTO} ${rowsOf(events, COLUMNS, row(now))}`));
  return () => true;
}

/** Inserts events, each id once in a call. A repeated event_id is a conflict and inserts no row. */
export async function insertNew(tx: Queries, events: NewEvent[], now: Date): Inserted {
  const inserted = sql`
      ${INTO} ${rowsToCheck(tx, events, COLUMNS, row(now))}
      on conflict (person_key, id) do nothing
      returning id`;
  // Citus sends a list of values to its shards only where it stands alone.
  if (tx.distributed) return among((await tx.query<{ id: string }>(inserted)).map(({ id }) => id));
  // Nearly always all are new. Then no id comes back.
  const [found] = await tx.query<{ ids: string[] | null }>(
    prepared(
      "events.insertNew",
      sql`
      with fresh as (${inserted})
      select case when count(*) < ${events.length} then coalesce(array_agg(id), '{}') end as ids from fresh`,
    ),
  );
  return found?.ids ? among(found.ids) : () => true;
}

function among(ids: string[]): (event: NewEvent) => boolean {
  const fresh = new Set(ids);
  return ({ id }) => fresh.has(id);
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
