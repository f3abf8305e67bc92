import {
  anyOf,
  given,
  prepared,
  preparedOnOne,
  type Queries,
  rowsToCheck,
  sql,
  unquoted,
} from "../../platform/db/index.ts";

// The times at which people were shown messages, kept only for workspaces with a cap.

export interface CapRow {
  person_key: string;
  /** The person's impressions that count for the cap, in milliseconds, oldest first. */
  times: number[];
  revision: number;
}

/** The cap record of each person; a person without a counted impression has none. */
export async function capsOf(q: Queries, personKeys: string[]): Promise<Map<string, CapRow>> {
  const rows = await q.query<{ person_key: string; impressions: Date[]; revision: number }>(
    prepared(
      "inapp.capsOf",
      sql`
      select person_key, impressions, revision from in_app_caps
      where person_key = ${anyOf(q, personKeys)}`,
    ),
  );
  return new Map(
    rows.map(({ impressions, ...row }) => [row.person_key, { ...row, times: impressions.map((at) => at.getTime()) }]),
  );
}

/** Writes each record if nobody else wrote it since it was read. Returns the keys of the records that were written. */
export async function moveCaps(tx: Queries, caps: CapRow[]): Promise<Set<string>> {
  const rows = await tx.query<{ person_key: string }>(
    preparedOnOne(
      tx,
      "inapp.moveCaps",
      sql`
      insert into in_app_caps as c (person_key, impressions, revision)
      ${rowsToCheck(
        tx,
        caps,
        {
          person_key: given.uuid((cap) => cap.person_key),
          times: given.text(({ times }) => unquoted(times.map((at) => new Date(at)))),
          revision: given.integer((cap) => cap.revision + 1),
        },
        (t) => sql`${t.person_key}, ${t.times}::timestamptz[], ${t.revision}`,
      )}
      on conflict (person_key) do update set impressions = excluded.impressions, revision = excluded.revision
        where c.revision = excluded.revision - 1
      returning c.person_key`,
    ),
  );
  return new Set(rows.map((row) => row.person_key));
}

/** Locks a person's record, as reports do that change it. */
export const lockCaps = (tx: Queries, personKey: string): Promise<unknown> =>
  tx.query(sql`select from in_app_caps where person_key = ${personKey} for update`);

/** Counts what both people were shown for the one who stays. */
export const mergeCaps = (tx: Queries, from: string, to: string): Promise<number> =>
  tx.execute(sql`
    with gone as (delete from in_app_caps where person_key = ${from} returning impressions, revision)
    insert into in_app_caps as c (person_key, impressions, revision)
    select ${to}::uuid, impressions, revision + 1 from gone
    on conflict (person_key) do update set
      impressions = array(select at from unnest(c.impressions || excluded.impressions) as at order by at),
      revision = greatest(c.revision, excluded.revision) + 1`);
