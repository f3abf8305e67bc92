import {
  type Columns,
  empty,
  given,
  join,
  prepared,
  preparedOnOne,
  type Queries,
  rowsOf,
  rowsToCheck,
  type Sql,
  sql,
} from "../../platform/db/index.ts";
import { existingKeys, jsonOf, keysOf, type Named, type Upsert } from "./store.ts";

// People who were not there before.

/** Inserts the new people, also those who were erased, because the call asks for it. Returns the keys of the new people. */
export async function insertNew(tx: Queries, people: Upsert[], now: Date): Promise<Set<string>> {
  const back = sql`delete from erased_people where person_key = any(${keysOf(people)}::uuid[])`;
  // Citus sends a list of values to its shards only where it stands alone.
  if (tx.distributed) await tx.execute(back);
  const rows = await tx.query<{ person_key: string }>(
    preparedOnOne(
      tx,
      "people.insertNew",
      sql`
      ${tx.distributed ? empty : sql`with back as (${back})`}
      insert into people (
        person_key, workspace_id, person_id,
        email, phone, email_verified, phone_verified, claimed_email, claimed_phone,
        timezone, locale, subscribed, attributes, attribute_times,
        identified_at, created_at, updated_at)
      ${rowsToCheck(
        tx,
        people,
        { ...NAMED, c: given.json(jsonOf) },
        ({ c, ...t }) => sql`
        ${t.person_key}, ${t.workspace_id}, ${t.person_id},
        ${c} ->> 'email', ${c} ->> 'phone',
        coalesce((${c} ->> 'email_verified')::boolean, false), coalesce((${c} ->> 'phone_verified')::boolean, false),
        nullif(${c} ->> 'claimed_email', ${c} ->> 'email'), nullif(${c} ->> 'claimed_phone', ${c} ->> 'phone'),
        ${c} ->> 'timezone', ${c} ->> 'locale', coalesce((${c} ->> 'subscribed')::boolean, true), ${c} -> 'set', ${c} -> 'times',
        ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz`,
      )}
      on conflict (person_key) do nothing
      returning person_key`,
    ),
  );
  return new Set(rows.map((row) => row.person_key));
}

/** A person who was new, or was erased. */
interface NewOrErased {
  person_key: string;
  erased: boolean;
}

/** Inserts people who are not there. `rows` has their key, workspace and id, and then the moment for each of their three times. */
const inserted = (rows: Sql): Sql => sql`
        insert into people (person_key, workspace_id, person_id, identified_at, created_at, updated_at)
        ${rows}
        on conflict (person_key) do nothing
        returning person_key`;

const NAMED = {
  person_key: given.uuid((p) => p.personKey),
  workspace_id: given.uuid((p) => p.workspaceId),
  person_id: given.text((p) => p.personId),
} satisfies Columns<Named>;

/**
 * Inserts the new people except those who were erased. Returns the keys of the new people and of the erased ones. Nearly all people
 * exist already: to look first costs PostgreSQL 2 us a person, and an insert that meets its conflict costs 5.5. It looks by a subquery for
 * each person: PostgreSQL keeps the plan, and a join that was planned while the table was small reads all people.
 */
export async function insertUnlessErased(tx: Queries, people: Named[], now: Date): Promise<NewOrErased[]> {
  if (tx.distributed) return insertInShards(tx, people, now);
  return tx.query(
    prepared(
      "people.insertUnlessErased",
      sql`
      with missing as materialized (
        select * from (${rowsOf(people, NAMED)}) as t
        where (select p.person_key from people p where p.person_key = t.person_key) is null),
      erased as materialized (
        select person_key from erased_people
        where person_key in (select person_key from missing)),
      made as (${inserted(sql`
        select m.*, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz from missing m
        where not exists (select from erased e where e.person_key = m.person_key)`)})
      select person_key, true as erased from erased
      union all select person_key, false from made`,
    ),
  );
}

/** Does the same in steps, each in the shards of these people: Citus sends the parts of one statement to each node, and fails where one is away. */
async function insertInShards(tx: Queries, people: Named[], now: Date): Promise<NewOrErased[]> {
  const known = await existingKeys(tx, keysOf(people));
  const missing = people.filter((p) => !known.has(p.personKey));
  if (missing.length === 0) return [];
  const gone = await tx.query<{ person_key: string }>(
    sql`select person_key from erased_people where person_key = any(${keysOf(missing)}::uuid[])`,
  );
  const erased = new Set(gone.map((row) => row.person_key));
  const others = missing.filter((p) => !erased.has(p.personKey));
  const made =
    others.length === 0
      ? []
      : await tx.query<{ person_key: string }>(
          inserted(
            rowsToCheck(
              tx,
              others,
              NAMED,
              (t) => sql`${join(Object.values(t))}, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz`,
            ),
          ),
        );
  return [
    ...[...erased].map((key) => ({ person_key: key, erased: true })),
    ...made.map((row) => ({ ...row, erased: false })),
  ];
}
