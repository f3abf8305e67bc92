import { anyOf, given, prepared, preparedOnOne, type Queries, rowsToCheck, sql } from "../../platform/db/index.ts";

// The impressions per person and message, kept only where the message has limits that all its deliveries share.

export interface CountRow {
  person_key: string;
  message_id: string;
  impressions: number;
  revision: number;
}

/** Writes each count if nobody else wrote it since it was read. Returns how many were written. */
export async function moveCounts(tx: Queries, counts: CountRow[], now: Date): Promise<number> {
  const rows = await tx.query(
    preparedOnOne(
      tx,
      "inapp.moveCounts",
      sql`
      insert into in_app_counts as c (person_key, message_id, impressions, last_impression_at, revision)
      ${rowsToCheck(
        tx,
        counts,
        {
          person_key: given.uuid((one) => one.person_key),
          message_id: given.uuid((one) => one.message_id),
          impressions: given.integer((one) => one.impressions),
          revision: given.integer((one) => one.revision + 1),
        },
        (t) => sql`${t.person_key}, ${t.message_id}, ${t.impressions}, ${now}::timestamptz, ${t.revision}`,
      )}
      on conflict (person_key, message_id) do update set
        impressions = excluded.impressions,
        last_impression_at = excluded.last_impression_at,
        revision = excluded.revision
        where c.revision = excluded.revision - 1
      returning 1`,
    ),
  );
  return rows.length;
}

/**
 * Starts the counts of people who get a message whose earlier versions had no shared limits: the impressions of those versions
 * count too.
 */
export const countEarlier = (tx: Queries, workspaceId: string, messageId: string, personKeys: string[]) =>
  tx.execute(
    prepared(
      "inapp.countEarlier",
      sql`
      insert into in_app_counts (person_key, message_id, impressions, last_impression_at, revision)
      select d.person_key, d.message_id, sum(d.impressions), max(d.last_impression_at), 0
      from deliveries d
      where d.person_key = ${anyOf(tx, personKeys)} and d.message_id = ${messageId}::uuid
        and d.impressions > 0 and not d.shared_limits and d.workspace_id = ${workspaceId}::uuid
      group by d.person_key, d.message_id
      on conflict (person_key, message_id) do nothing`,
    ),
  );

/** Locks a person's counts, as reports do that change them. */
export const lockCounts = (tx: Queries, personKey: string): Promise<unknown> =>
  tx.query(sql`select from in_app_counts where person_key = ${personKey} order by message_id for update`);

/** Counts what both people were shown of each message for the one who stays. */
export const mergeCounts = (tx: Queries, from: string, to: string): Promise<number> =>
  tx.execute(sql`
    with gone as (delete from in_app_counts where person_key = ${from} returning message_id, impressions, last_impression_at, revision)
    insert into in_app_counts as c (person_key, message_id, impressions, last_impression_at, revision)
    select ${to}::uuid, message_id, impressions, last_impression_at, revision + 1 from gone
    on conflict (person_key, message_id) do update set impressions = c.impressions + excluded.impressions,
      last_impression_at = greatest(c.last_impression_at, excluded.last_impression_at),
      revision = greatest(c.revision, excluded.revision) + 1`);
