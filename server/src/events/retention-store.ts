import { type Queries, sql } from "../platform/db/index.ts";

/** The next event name of a workspace behind `after`: one probe of the index, so that a million events cost nothing. */
export async function nextName(q: Queries, workspaceId: string, after: string): Promise<string | undefined> {
  return (
    await q.query<{ name: string }>(
      sql`select name from events where workspace_id = ${workspaceId} and name > ${after} order by name limit 1`,
    )
  )[0]?.name;
}

/** Forgets events of a name from before `before`, at most `limit`, unless they came after `received`. Gives how many. */
export const forgetEvents = (
  tx: Queries,
  workspaceId: string,
  name: string,
  { before, received }: { before: Date; received: Date },
  limit: number,
): Promise<number> =>
  tx.execute(sql`
    with old as (
      select person_key, id from events
      where workspace_id = ${workspaceId} and name = ${name} and ts < ${before} and received_at < ${received}
      order by ts limit ${limit} for update skip locked)
    delete from events e using old where e.person_key = old.person_key and e.id = old.id`);
