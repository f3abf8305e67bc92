import { type Queries, sql } from "../../platform/db/index.ts";

/** Reading this many people costs 2 ms, however many a workspace has. */
const SAMPLE = 1_000;

/**
 * Returns how many of the last changed people, 1,000 at most, lack each of these attributes, and how many people were read. A name is a
 * path with dots, as in `{{person.address.city}}`.
 */
export async function missingAttributes(
  q: Queries,
  workspaceId: string,
  names: string[],
): Promise<{ people: number; missing: { name: string; count: number }[] }> {
  const rows = await q.query<{ name: string; people: number; count: number }>(sql`
    with p as (
      select attributes || jsonb_build_object('id', person_id, 'person_id', person_id, 'subscribed', subscribed,
        'email', email, 'phone', phone, 'timezone', timezone, 'locale', locale) as view
      from people where workspace_id = ${workspaceId}
      order by updated_at desc, person_key desc limit ${SAMPLE})
    select f.name, count(*)::integer as people,
      count(*) filter (where coalesce(p.view #> string_to_array(f.name, '.'), 'null') = 'null')::integer as count
    from p cross join unnest(${names}::text[]) as f (name) group by f.name`);
  return { people: rows[0]?.people ?? 0, missing: rows.map(({ name, count }) => ({ name, count })) };
}
