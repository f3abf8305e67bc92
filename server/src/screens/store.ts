import { empty, prepared, type Queries, sql } from "../platform/db/index.ts";

export interface ScreenRow {
  name: string;
  first_seen: Date;
  last_seen: Date;
}

/** How many screens each of these workspaces has, counted up to `most`. */
export const countScreens = (
  tx: Queries,
  workspaceIds: string[],
  most: number,
): Promise<{ workspace_id: string; n: number }[]> =>
  tx.query(sql`
    select w as workspace_id,
      (select count(*)::int from (select from screens where workspace_id = w limit ${most}) as counted) as n
    from unnest(${workspaceIds}::uuid[]) as w`);

/** Returns the screens that are in the catalog already. */
export const knownScreens = (
  tx: Queries,
  screens: { workspaceId: string; name: string }[],
): Promise<{ workspace_id: string; name: string }[]> =>
  tx.query(sql`
    select workspace_id, name from screens where (workspace_id, name) in (
      select * from unnest(${screens.map((s) => s.workspaceId)}::uuid[], ${screens.map((s) => s.name)}::text[]))`);

/**
 * Writes screens. They must be sorted, so that two batches lock rows in the same order. A row is updated once a minute at most,
 * so none is hot.
 */
export const upsert = (
  tx: Queries,
  screens: { workspaceId: string; name: string }[],
  now: Date,
): Promise<{ workspace_id: string; fresh: boolean }[]> =>
  tx.query(
    prepared(
      "screens.upsert",
      sql`
      insert into screens (workspace_id, name, first_seen, last_seen)
      select workspace_id, name, ${now}, ${now}
      from unnest(${screens.map((s) => s.workspaceId)}::uuid[], ${screens.map((s) => s.name)}::text[]) as t (workspace_id, name)
      on conflict (workspace_id, name) do update set last_seen = excluded.last_seen
        where screens.last_seen <= excluded.last_seen - interval '1 minute'
      returning workspace_id, xmax = 0 as fresh`,
    ),
  );

/** The names of the screens that were seen last, newest first. */
export const latestScreens = async (q: Queries, workspaceId: string, limit: number): Promise<string[]> =>
  (
    await q.query<{ name: string }>(
      sql`select name from screens where workspace_id = ${workspaceId} order by last_seen desc, name limit ${limit}`,
    )
  ).map((row) => row.name);

/** The names of all screens of a workspace. It has 10,000 at most. */
export const allNames = async (q: Queries, workspaceId: string): Promise<string[]> =>
  (await q.query<{ name: string }>(sql`select name from screens where workspace_id = ${workspaceId}`)).map(
    (row) => row.name,
  );

/** A page of the catalog, by name; `like` is an escaped pattern. */
export const list = (
  q: Queries,
  workspaceId: string,
  { like, after, limit }: { like: string | undefined; after: string[] | undefined; limit: number },
): Promise<ScreenRow[]> =>
  q.query(sql`
    select name, first_seen, last_seen from screens
    where workspace_id = ${workspaceId} ${like === undefined ? empty : sql`and name ilike ${like}`}
      ${after ? sql`and name collate "C" > ${after[0]}` : empty}
    order by name collate "C" limit ${limit}`);
