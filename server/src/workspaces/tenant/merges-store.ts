import { type Queries, sql } from "../../platform/db/index.ts";

/** A row of a person, whose id is null where the person is not there. */
interface Named {
  person_key: string;
  person_id: string | null;
}

/**
 * Names the person who stayed in rows that a transaction wrote of a merged person and that no job has moved yet (docs/people.md, Merge): what reads the
 * log once would have them as those of nobody for ever. Only a page with such rows, or with those of erased people, costs this look-up.
 */
export async function namedAfterMerges<T extends Named>(q: Queries, rows: T[]): Promise<T[]> {
  const unnamed = new Set(rows.filter(({ person_id }) => person_id === null).map(({ person_key }) => person_key));
  if (unnamed.size === 0) return rows;
  const merges = await q.query<Named & { merged_key: string }>(sql`
    select m.merged_key, p.person_key, p.person_id from merged_people m join people p on p.person_key = m.person_key
    where m.merged_key = any(${[...unnamed]}::uuid[]) order by m.merged_at`);
  if (merges.length === 0) return rows;
  const stayed = new Map(merges.map(({ merged_key, ...person }) => [merged_key, person]));
  return rows.map((row) => (row.person_id === null ? { ...row, ...stayed.get(row.person_key) } : row));
}
