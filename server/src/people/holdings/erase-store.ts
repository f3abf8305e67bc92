import { type Queries, sql } from "../../platform/db/index.ts";

/** Marks a person as erased, so that nothing late brings them back. */
export const bury = (tx: Queries, workspaceId: string, personKey: string, now: Date): Promise<number> =>
  tx.execute(sql`
    insert into erased_people (person_key, workspace_id, erased_at) values (${personKey}, ${workspaceId}, ${now})
    on conflict (person_key) do update set erased_at = excluded.erased_at`);

/** Those erased since, who were not identified again. */
export const erasedSince = (q: Queries, since: Date): Promise<{ person_key: string; workspace_id: string }[]> =>
  q.query(sql`select person_key, workspace_id from erased_people where erased_at >= ${since} order by person_key`);

/** Locks the mark of an erased person; false where it is gone, because somebody identified the person again. */
export async function stillErased(tx: Queries, personKey: string): Promise<boolean> {
  return (await tx.query(sql`select from erased_people where person_key = ${personKey} for update`)).length === 1;
}

export const forgetErased = (q: Queries, before: Date): Promise<number> =>
  q.execute(sql`delete from erased_people where erased_at < ${before}`);
