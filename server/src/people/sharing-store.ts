import { type Queries, sql } from "../platform/db/index.ts";

/** The ids of those who share an address, identified last first. */
export async function idsByEmail(q: Queries, workspaceId: string, email: string, limit: number): Promise<string[]> {
  const rows = await q.query<{ person_id: string }>(sql`
    select person_id from people where workspace_id = ${workspaceId} and email = ${email}
    order by identified_at desc, person_id limit ${limit}`);
  return rows.map((row) => row.person_id);
}
