import { type Queries, sql, type Sql } from "../platform/db/index.ts";
import { LEAST_PEOPLE, MOST_VALUE_CHARACTERS, MOST_VALUES, type FieldSample } from "./values.ts";

/** The newest events that an answer reads: 10 ms. */
export const EVENT_SAMPLE = 1_000;
/** The last changed people that an answer reads: 30 ms. */
export const PEOPLE_SAMPLE = 2_000;

/** What a sample has: how many rows were read, and each of the fields that at least one of them has. */
export interface Sample {
  rows: number;
  fields: Map<string, FieldSample>;
}

interface Row {
  rows: number;
  name: string | null;
  people: number;
  values: FieldSample["values"];
}

/**
 * Reads the fields `names` of a sample of rows (person_key, fields). Values that could not be shown anyway are left out; twice as many
 * are returned as are shown, because the rules of values.ts leave out more.
 */
async function sampled(q: Queries, sample: Sql, names: string[]): Promise<Sample> {
  const rows = await q.query<Row>(sql`
    with sample as materialized (${sample}),
    pairs as (
      select s.person_key, f.key, f.value, f.value #>> '{}' as text
      from sample s cross join lateral jsonb_each(s.fields) f
      where f.key = any(${names}) and f.value <> 'null'),
    of_key as (select key, count(distinct person_key) as people from pairs group by key),
    of_value as (
      select key, value, count(distinct person_key) as people,
        row_number() over (partition by key order by count(distinct person_key) desc, value) as nth
      from pairs
      where jsonb_typeof(value) in ('string', 'number', 'boolean') and length(text) between 1 and ${MOST_VALUE_CHARACTERS}
      group by key, value having count(distinct person_key) >= ${LEAST_PEOPLE})
    select n.rows, k.key as name, k.people, coalesce((
      select jsonb_agg(jsonb_build_object('value', v.value, 'people', v.people) order by v.nth)
      from of_value v where v.key = k.key and v.nth <= ${2 * MOST_VALUES}), '[]') as values
    from (select count(*) as rows from sample) n left join of_key k on true`);
  const fields = rows.flatMap(({ name, people, values }) => (name === null ? [] : [{ name, people, values }]));
  return { rows: rows[0]?.rows ?? 0, fields: new Map(fields.map((field) => [field.name, field])) };
}

/** Reads properties of the newest events of a name. */
export const sampleEvents = (q: Queries, workspaceId: string, event: string, names: string[]): Promise<Sample> =>
  sampled(
    q,
    sql`select person_key, properties as fields from events
      where workspace_id = ${workspaceId} and name = ${event} order by ts desc limit ${EVENT_SAMPLE}`,
    names,
  );

/** Reads attributes of the people who changed last, also those that have a column of their own. */
export const samplePeople = (q: Queries, workspaceId: string, names: string[]): Promise<Sample> =>
  sampled(
    q,
    sql`select person_key, attributes || jsonb_build_object(
        'email', email, 'phone', phone, 'timezone', timezone, 'locale', locale, 'subscribed', subscribed) as fields
      from people where workspace_id = ${workspaceId} order by updated_at desc, person_key limit ${PEOPLE_SAMPLE}`,
    names,
  );
