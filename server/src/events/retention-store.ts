import { choosing, type Queries, sql } from "../platform/db/index.ts";

/** Returns the next event name of a workspace after `after`. One probe of the index finds it, also among a million events. */
export async function nextName(q: Queries, workspaceId: string, after: string): Promise<string | undefined> {
  return (
    await q.query<{ name: string }>(
      sql`select name from events where workspace_id = ${workspaceId} and name > ${after} order by name limit 1`,
    )
  )[0]?.name;
}

/** Events of a name that happened from `from` on and before `before`, and were received before `received`; at most `limit`, oldest first. */
export interface OldEvents {
  name: string;
  from: Date | "-infinity";
  before: Date;
  received: Date;
  limit: number;
}

/** Deletes events. Returns when each happened, because the next batch begins at the latest (`latestOf`). */
export function forgetEvents(
  tx: Queries,
  workspaceId: string,
  { name, from, before, received, limit }: OldEvents,
): Promise<{ ts: Date }[]> {
  const { lock, still } = choosing(tx, sql`for update skip locked`, sql`true`);
  return tx.query(sql`
    with old as (
      select person_key, id from events
      where workspace_id = ${workspaceId} and name = ${name} and ts >= ${from}::timestamptz and ts < ${before} and received_at < ${received}
      order by ts limit ${limit} ${lock})
    delete from events e using old where e.person_key = old.person_key and e.id = old.id ${still} returning e.ts`);
}
