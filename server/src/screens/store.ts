import { empty, prepared, type Queries, sql } from "../platform/db/index.ts";

export interface ScreenRow {
  name: string;
  first_seen: Date;
  last_seen: Date;
}

/** Rows come sorted, so that two batches lock them in the same order. Written at most once a minute a screen: no hot row. */
export const upsert = (tx: Queries, screens: { workspaceId: string; name: string }[], now: Date): Promise<number> =>
  tx.execute(
    prepared(
      "screens.upsert",
      sql`
      insert into screens (workspace_id, name, first_seen, last_seen)
      select workspace_id, name, ${now}, ${now}
      from unnest(${screens.map((s) => s.workspaceId)}::uuid[], ${screens.map((s) => s.name)}::text[]) as t (workspace_id, name)
      on conflict (workspace_id, name) do update set last_seen = excluded.last_seen
        where screens.last_seen <= excluded.last_seen - interval '1 minute'`,
    ),
  );

/** The names of the screens seen last. */
export const latestScreens = async (q: Queries, workspaceId: string, limit: number): Promise<string[]> =>
  (
    await q.query<{ name: string }>(
      sql`select name from screens where workspace_id = ${workspaceId} order by last_seen desc, name limit ${limit}`,
    )
  ).map((row) => row.name);

export const list = (
  q: Queries,
  workspaceId: string,
  like: string | undefined,
  after: string[] | undefined,
  limit: number,
): Promise<ScreenRow[]> =>
  q.query(sql`
    select name, first_seen, last_seen from screens
    where workspace_id = ${workspaceId} ${like === undefined ? empty : sql`and name ilike ${like}`}
      ${after ? sql`and name collate "C" > ${after[0]}` : empty}
    order by name collate "C" limit ${limit}`);
