import { type Queries, sql } from "../../platform/db/index.ts";

/** Marks a person as erased, so that late data does not bring the person back. */
export const markErased = (tx: Queries, workspaceId: string, personKey: string, now: Date): Promise<number> =>
  tx.execute(sql`
    insert into erased_people (person_key, workspace_id, erased_at) values (${personKey}, ${workspaceId}, ${now})
    on conflict (person_key) do update set erased_at = excluded.erased_at`);

/** Returns the people who were erased since then and were not identified again. */
export const erasedSince = (q: Queries, since: Date): Promise<{ person_key: string; workspace_id: string }[]> =>
  q.query(sql`select person_key, workspace_id from erased_people where erased_at >= ${since} order by person_key`);

/** Locks the mark of an erased person. False if the mark is gone, because somebody identified the person again. */
export async function lockErasedMark(tx: Queries, personKey: string): Promise<boolean> {
  return (await tx.query(sql`select from erased_people where person_key = ${personKey} for update`)).length === 1;
}

export const forgetErased = (q: Queries, before: Date): Promise<number> =>
  q.execute(sql`delete from erased_people where erased_at < ${before}`);
