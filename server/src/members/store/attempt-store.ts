import { type Queries, sql } from "../../platform/db/index.ts";

interface Attempt {
  /** The counters that it counts in, as hashes: an address that somebody typed is not kept. */
  hashes: Buffer[];
  /** The most that each may have. */
  limits: number[];
  now: Date;
  /** When a window that begins now ends. */
  until: Date;
}

/** Counts an attempt. Returns when the window of a counter that had its most already ends; undefined if it fits into all of them. */
export async function countAttempt(q: Queries, attempt: Attempt): Promise<Date | undefined> {
  const { hashes, limits, now, until } = attempt;
  const rows = await q.query<{ name: Buffer; taken: number; until: Date }>(sql`
    insert into sign_in_attempts as a (name, taken, until)
    select name, 1, ${until}::timestamptz from unnest(${hashes}::bytea[]) as n (name) order by name
    on conflict (name) do update set
      taken = case when a.until <= ${now} then 1 else a.taken + 1 end,
      until = case when a.until <= ${now} then excluded.until else a.until end
    returning a.name, a.taken, a.until`);
  const mostOf = (name: Buffer) => limits[hashes.findIndex((hash) => hash.equals(name))] ?? 0;
  return rows.find(({ name, taken }) => taken > mostOf(name))?.until;
}

/** Takes an attempt back that was right, or that did not fit. */
export const takeAttemptBack = (q: Queries, hashes: Buffer[]): Promise<number> =>
  q.execute(sql`
    update sign_in_attempts set taken = taken - 1
    where name in (select name from sign_in_attempts where name = any(${hashes}::bytea[]) order by name for update) and taken > 0`);

/** Deletes counters whose window has ended. */
export const forgetAttempts = (q: Queries, now: Date): Promise<number> =>
  q.execute(sql`delete from sign_in_attempts where until <= ${now}`);
