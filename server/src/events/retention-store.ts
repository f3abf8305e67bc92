import { type Queries, sql } from "../platform/db/index.ts";

/** Returns the next event name of a workspace after `after`. One probe of the index finds it, also among a million events. */
export async function nextName(q: Queries, workspaceId: string, after: string): Promise<string | undefined> {
  return (
    await q.query<{ name: string }>(
      sql`select name from events where workspace_id = ${workspaceId} and name > ${after} order by name limit 1`,
    )
  )[0]?.name;
}

/** Deletes at most `limit` events of a name that happened before `before` and were received before `received`. Returns how many. */
export const forgetEvents = (
  tx: Queries,
  workspaceId: string,
  { name, before, received, limit }: { name: string; before: Date; received: Date; limit: number },
): Promise<number> =>
  tx.execute(sql`
    with old as (
      select person_key, id from events
      where workspace_id = ${workspaceId} and name = ${name} and ts < ${before} and received_at < ${received}
      order by ts limit ${limit} for update skip locked)
    delete from events e using old where e.person_key = old.person_key and e.id = old.id`);
