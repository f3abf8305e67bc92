import { type Queries, sql } from "../platform/db/index.ts";
import { COLUMNS, type Person } from "./store.ts";

/** Both people, locked until the transaction ends. */
export const lockPeople = (tx: Queries, keys: string[]): Promise<Person[]> =>
  tx.query<Person>(sql`
    select ${COLUMNS} from people where person_key = any(${keys}::uuid[]) order by person_key for update`);

/**
 * Locks what is still to be sent to a person, so that no worker takes it any more. False where a worker has one just now: its
 * row would be gone when it wants to say that it is sent, and be sent again.
 */
export async function holdDue(tx: Queries, personKey: string): Promise<boolean> {
  const rows = await tx.query<{ leased: boolean }>(sql`
    select lease_id is not null and due_at > now() as leased from deliveries
    where person_key = ${personKey} and due_at is not null order by id for update`);
  return !rows.some((row) => row.leased);
}

/** The broadcasts that a person got. */
export async function broadcastsOf(tx: Queries, personKey: string): Promise<string[]> {
  const rows = await tx.query<{ source_id: string }>(sql`
    select distinct source_id from deliveries
    where person_key = ${personKey} and source = 'broadcast' and source_id is not null`);
  return rows.map((row) => row.source_id);
}

export interface Canceled {
  id: string;
  channel: string;
}

/** Ends what waits of these broadcasts: the other of the two has it already. */
export const cancelDoubles = (tx: Queries, personKey: string, broadcasts: string[]): Promise<Canceled[]> =>
  tx.query<Canceled>(sql`
    update deliveries set status = 'canceled', reason = 'merged', live = false, due_at = null
    where person_key = ${personKey} and source = 'broadcast' and source_id = any(${broadcasts}::uuid[])
      and (live or (channel <> 'in_app' and status = 'queued'))
    returning id, channel`);

export async function liveOf(tx: Queries, personKey: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`select id from deliveries where person_key = ${personKey} and live`);
  return rows.map((row) => row.id);
}

/** What both were shown counts for the one who stays. */
export const mergeCaps = (tx: Queries, from: string, to: string): Promise<number> =>
  tx.execute(sql`
    with gone as (delete from in_app_caps where person_key = ${from} returning impressions, revision)
    insert into in_app_caps as c (person_key, impressions, revision)
    select ${to}::uuid, impressions, revision + 1 from gone
    on conflict (person_key) do update set
      impressions = array(select at from unnest(c.impressions || excluded.impressions) as at order by at),
      revision = greatest(c.revision, excluded.revision) + 1`);

/** What the target does not have comes from the source; `states` are decided. */
export const takeOn = (
  tx: Queries,
  target: Person,
  source: Person,
  states: Pick<Person, "subscribed" | "preferences">,
  now: Date,
): Promise<Person[]> =>
  tx.query<Person>(sql`
    update people set email = coalesce(email, ${source.email}), phone = coalesce(phone, ${source.phone}),
      timezone = coalesce(timezone, ${source.timezone}), locale = coalesce(locale, ${source.locale}),
      attributes = ${JSON.stringify(source.attributes)}::jsonb || attributes,
      subscribed = ${states.subscribed}, preferences = ${JSON.stringify(states.preferences)},
      created_at = least(created_at, ${source.created_at}), updated_at = ${now}
    where person_key = ${target.person_key} returning ${COLUMNS}`);
