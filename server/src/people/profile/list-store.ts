import { empty, join, type Queries, sql, type Sql } from "../../platform/db/index.ts";
import { anyCase } from "../../platform/resources/search.ts";
import type { Sorted } from "../../platform/resources/sorts.ts";
import { PROFILE, type Profile } from "./store.ts";

export interface PeoplePage {
  q: string | undefined;
  sorted: Sorted;
  limit: number;
}

/** Returns the sort key of a person: the value of the sort, which is empty for a person without an email, and the person's key. */
export function sortKey({ name }: Sorted, person: Profile): string[] {
  if (name === "email") return [person.email ?? "", person.person_key];
  return [(name === "created_at" ? person.created_at : person.updated_at).toISOString(), person.person_key];
}

/** Lists people. By email, those without one come last in both directions. */
export async function listPeople(q: Queries, workspaceId: string, page: PeoplePage): Promise<Profile[]> {
  const { sorted, limit } = page;
  const [value, key] = sorted.after ?? [];
  const select = (rest: Sql, column: Sql | undefined, after: Sql, most: number): Promise<Profile[]> => {
    const order = sorted.descending ? sql`desc` : sql`asc`;
    return q.query(sql`
      select ${PROFILE} from people where workspace_id = ${workspaceId} ${found(page.q)} ${rest} ${after}
      order by ${column ? sql`${column} ${order}, ` : empty}person_key ${order} limit ${most}`);
  };
  const beyond = sorted.descending ? sql`<` : sql`>`;
  if (sorted.name !== "email") {
    const column = sorted.name === "created_at" ? sql`created_at` : sql`updated_at`;
    const after = sql`and (${column}, person_key) ${beyond} (${value}::timestamptz, ${key}::uuid)`;
    return select(empty, column, sorted.after ? after : empty, limit);
  }
  // The index on email has only people with one. A search does not sort by it: for rare matches it would read people at random places.
  const column = page.q === undefined ? sql`email` : sql`(email || '')`;
  const after = value === undefined ? empty : sql`and (${column}, person_key) ${beyond} (${value}, ${key}::uuid)`;
  const having = value === "" ? [] : await select(sql`and email is not null`, column, after, limit);
  if (having.length === limit) return having;
  const behind = value === "" ? sql`and person_key ${beyond} ${key}::uuid` : empty;
  return [...having, ...(await select(sql`and email is null`, undefined, behind, limit - having.length))];
}

/** Counts people, at most `most` of them. */
export async function countPeople(
  queries: Queries,
  workspaceId: string,
  { q, most }: { q: string | undefined; most: number },
): Promise<number> {
  const [row] = await queries.query<{ n: number }>(sql`
    select count(*)::integer as n
    from (select 1 from people where workspace_id = ${workspaceId} ${found(q)} limit ${most}) as counted`);
  return row?.n ?? 0;
}

/** Returns the conditions on the attributes in which applications keep names; Segment's clients write the second pair. */
function named(begins: string, twoWords: boolean): Sql[] {
  const pairs = [
    [sql`attributes ->> 'first_name'`, sql`attributes ->> 'last_name'`],
    [sql`attributes ->> 'firstName'`, sql`attributes ->> 'lastName'`],
  ] as [Sql, Sql][];
  const texts = [
    sql`attributes ->> 'name'`,
    ...pairs.flatMap(([first, last]) => [twoWords ? sql`concat_ws(' ', ${first}, ${last})` : first, last]),
  ];
  return texts.map((text) => sql`${text} ~ ${begins}`);
}

function found(q: string | undefined): Sql {
  if (q === undefined) return empty;
  const begins = `^${anyCase(q)}`;
  const phone = /^\+?[\d\s()./-]+$/.test(q) ? q.replaceAll(/\D/g, "").replace(/^00/, "") : "";
  return sql`and (${join(
    [
      sql`person_id ~ ${begins}`,
      sql`email like ${`${q.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`}`,
      ...(phone === "" ? [] : [sql`phone like ${`+${phone}%`}`]),
      // Names have letters, and to compare five attributes takes most of the time.
      ...(/\p{L}/u.test(q) ? named(begins, q.includes(" ")) : []),
    ],
    " or ",
  )})`;
}

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
