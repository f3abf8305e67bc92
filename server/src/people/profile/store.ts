import { empty, prepared, type Queries, raw, sql, texts, unquoted } from "../../platform/db/index.ts";
import type { Change } from "./attributes.ts";
import type { Known, Times } from "./newest.ts";

type Sql = ReturnType<typeof sql>;

/** A person as stored. `email` is lower-cased, `phone` E.164; the known attributes are columns and not in `attributes`. */
export interface Person {
  person_key: string;
  workspace_id: string;
  person_id: string;
  email: string | null;
  phone: string | null;
  timezone: string | null;
  locale: string | null;
  /** The state for all: false means no channel and no topic. */
  subscribed: boolean;
  /** A channel or a topic's TypeID to what the person chose; what is not there was never chosen. */
  preferences: Record<string, boolean>;
  attributes: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
}

export const COLUMNS = sql`person_key, workspace_id, person_id, email, phone, timezone, locale, subscribed, preferences, attributes, created_at, updated_at`;

/** A person with all that is kept of their addresses, and of when it was said. */
export interface Profile extends Person {
  email_verified: boolean;
  phone_verified: boolean;
  claimed_email: string | null;
  claimed_phone: string | null;
  identified_at: Date;
  attribute_times: Times | null;
}

export const PROFILE = sql`${COLUMNS}, email_verified, phone_verified, claimed_email, claimed_phone, identified_at, attribute_times`;

/** Rows come sorted by key, so that two batches with the same people lock them in the same order. */
export interface Upsert {
  personKey: string;
  workspaceId: string;
  personId: string;
  change: Change;
  /** When each of its names was said, as it is kept. */
  said?: Times;
}

/** As a statement reads it. */
const jsonOf = ({ change: { times: _, ...change }, said }: Upsert): string => JSON.stringify({ ...change, said });

/** Inserts those who are new, with all they bring, also who was erased: this is asked for. Gives the keys of the new. */
export async function insertNew(tx: Queries, people: Upsert[], now: Date): Promise<Set<string>> {
  const rows = await tx.query<{ person_key: string }>(
    prepared(
      "people.insertNew",
      sql`
      with back as (delete from erased_people where person_key = any(${people.map((p) => p.personKey)}::uuid[]))
      insert into people (person_key, workspace_id, person_id, email, phone, email_verified, phone_verified, claimed_email, claimed_phone,
        timezone, locale, subscribed, attributes, attribute_times, identified_at, created_at, updated_at)
      select t.person_key, t.workspace_id, t.person_id, c ->> 'email', c ->> 'phone',
        coalesce((c ->> 'email_verified')::boolean, false), coalesce((c ->> 'phone_verified')::boolean, false),
        nullif(c ->> 'claimed_email', c ->> 'email'), nullif(c ->> 'claimed_phone', c ->> 'phone'), c ->> 'timezone', c ->> 'locale',
        coalesce((c ->> 'subscribed')::boolean, true), c -> 'set', c -> 'said', ${now}, ${now}, ${now}
      from unnest(${people.map((p) => p.personKey)}::uuid[], ${people.map((p) => p.workspaceId)}::uuid[],
        ${people.map((p) => p.personId)}::text[], ${people.map(jsonOf)}::jsonb[]) as t (person_key, workspace_id, person_id, c)
      on conflict (person_key) do nothing
      returning person_key`,
    ),
  );
  return new Set(rows.map((row) => row.person_key));
}

/**
 * Inserts those who are new and were not erased. Gives the keys of those who were, and of the new. Nearly all are known: to
 * look first costs PostgreSQL 2 us a person, where an insert that meets its conflict cost 5.5.
 */
export async function insertUnlessErased(
  tx: Queries,
  people: Omit<Upsert, "change">[],
  now: Date,
): Promise<{ person_key: string; erased: boolean }[]> {
  return tx.query(
    prepared(
      "people.insertUnlessErased",
      sql`
      with missing as materialized (
        select * from unnest(${people.map((p) => p.personKey)}::uuid[], ${people.map((p) => p.workspaceId)}::uuid[],
          ${people.map((p) => p.personId)}::text[]) as t (person_key, workspace_id, person_id)
        where not exists (select from people p where p.person_key = t.person_key)),
      erased as materialized (select person_key from erased_people where person_key in (select person_key from missing)),
      made as (
        insert into people (person_key, workspace_id, person_id, identified_at, created_at, updated_at)
        select m.person_key, m.workspace_id, m.person_id, ${now}, ${now}, ${now} from missing m
        where not exists (select from erased e where e.person_key = m.person_key)
        on conflict (person_key) do nothing
        returning person_key)
      select person_key, true as erased from erased union all select person_key, false from made`,
    ),
  );
}

/** Of these keys those of people. */
export async function knownKeys(q: Queries, keys: string[]): Promise<Set<string>> {
  const rows = await q.query<{ person_key: string }>(
    sql`select person_key from people where person_key = any(${keys}::uuid[])`,
  );
  return new Set(rows.map((row) => row.person_key));
}

/** What a change `c` makes of an address, whether it is verified, and what is claimed: verified it stays where it is said again. */
const address = (name: "email" | "phone"): Sql => {
  const column = raw(name);
  const said = sql`c ? ${raw(`'${name}'`)}`;
  const next = sql`c ->> ${raw(`'${name}'`)}`;
  const claim = raw(`claimed_${name}`);
  const verified = raw(`${name}_verified`);
  return sql`
        ${column} = case when ${said} then ${next} else ${column} end,
        ${verified} = case when ${said} then coalesce((c ->> ${raw(`'${name}_verified'`)})::boolean, false) or (${verified} and coalesce(${column} = ${next}, false))
          else ${verified} end,
        ${claim} = nullif(case when c ? ${raw(`'claimed_${name}'`)} then c ->> ${raw(`'claimed_${name}'`)} else ${claim} end,
          case when ${said} then ${next} else ${column} end)`;
};

/** Of a person from before this was kept all was said when they were identified last. */
const TIMES = sql`coalesce(attribute_times, jsonb_build_object('', (extract(epoch from identified_at) * 1000)::bigint))`;

/** Merges into those who are known. A column that the change names is set, to null too; one that it does not name stays. */
export const merge = (tx: Queries, people: Upsert[], now: Date): Promise<number> =>
  tx.execute(
    prepared(
      "people.merge",
      sql`
      update people p set
        ${address("email")}, ${address("phone")},
        timezone = case when c ? 'timezone' then c ->> 'timezone' else timezone end,
        locale = case when c ? 'locale' then c ->> 'locale' else locale end,
        subscribed = case when c ? 'subscribed' then coalesce((c ->> 'subscribed')::boolean, true) else subscribed end,
        attributes = (attributes - array(select jsonb_array_elements_text(c -> 'removed'))) || (c -> 'set'),
        attribute_times = ${TIMES} || (c -> 'said'),
        identified_at = ${now}, updated_at = ${now}
      from unnest(${people.map((p) => p.personKey)}::uuid[], ${people.map(jsonOf)}::jsonb[]) as t (key, c)
      where p.person_key = t.key`,
    ),
  );

/** What is known of these people, locked until the transaction ends, in the order of their keys. */
export async function lockKnown(tx: Queries, keys: string[]): Promise<Map<string, Known>> {
  const rows = await tx.query<Known & { person_key: string }>(sql`
    select ${PROFILE} from people where person_key = any(${keys}::uuid[]) order by person_key for no key update`);
  return new Map(rows.map((row) => [row.person_key, row]));
}

/** By the workspace's own id. */
export const byKeys = (q: Queries, keys: string[]): Promise<Person[]> =>
  q.query(
    prepared(
      "people.byKeys",
      sql`select ${COLUMNS} from people where person_key = any((select ${unquoted(keys)}::uuid[])::uuid[])`,
    ),
  );

/** One person with all that is kept of their addresses. */
export const profileByKey = async (q: Queries, key: string): Promise<Profile | undefined> =>
  (await q.query<Profile>(sql`select ${PROFILE} from people where person_key = ${key}`))[0];

/** By the workspace's own id, with what says whether they may be reached and nothing else: half of what reading all costs this process. */
export const statesByKeys = (
  q: Queries,
  keys: string[],
): Promise<Pick<Person, "person_key" | "workspace_id" | "subscribed" | "preferences" | "created_at">[]> =>
  q.query(
    prepared(
      "people.statesByKeys",
      sql`select person_key, workspace_id, subscribed, preferences, created_at from people
        where person_key = any((select ${unquoted(keys)}::uuid[])::uuid[])`,
    ),
  );

/** The person, locked until the transaction ends, so that two choices at once both stay. */
export async function lockStates(tx: Queries, personKey: string): Promise<Person | undefined> {
  return (
    await tx.query<Person>(sql`select ${COLUMNS} from people where person_key = ${personKey} for no key update`)
  )[0];
}

export const setStates = (
  tx: Queries,
  personKey: string,
  { subscribed, preferences }: Pick<Person, "subscribed" | "preferences">,
  now: Date,
): Promise<number> =>
  tx.execute(sql`
    update people set subscribed = ${subscribed}, preferences = ${JSON.stringify(preferences)}, updated_at = ${now},
      attribute_times = case when subscribed = ${subscribed} then attribute_times
        else ${TIMES} || jsonb_build_object('subscribed', ${now.getTime()}::bigint) end
    where person_key = ${personKey}`);

/** A person with an address, and whether it is verified. */
export type Holder = Person & { verified: boolean };

/** For each (workspace, email) two of the people who have it, one after the other: verified before others, then who was identified last. */
export const byEmails = (q: Queries, asked: { workspaceId: string; email: string }[]): Promise<Holder[]> =>
  q.query(
    prepared(
      "people.byEmails",
      holders(
        "email",
        asked.map(({ workspaceId, email }) => [workspaceId, email]),
      ),
    ),
  );

/** For each (workspace, number) the same. */
export const byPhones = (q: Queries, asked: { workspaceId: string; phone: string }[]): Promise<Holder[]> =>
  q.query(
    prepared(
      "people.byPhones",
      holders(
        "phone",
        asked.map(({ workspaceId, phone }) => [workspaceId, phone]),
      ),
    ),
  );

/** Two steps down an index for each address. Arrays stand in a sub-select so that the plan is kept, see inapp/delivery/live-store.ts. */
const holders = (name: "email" | "phone", asked: [workspaceId: string, address: string][]): Sql => sql`
  select found.* from unnest((select ${unquoted(asked.map(([id]) => id))}::uuid[]), (select ${texts(asked.map(([, address]) => address))}::text[]))
    as a (workspace_id, address)
  cross join lateral (
    select ${COLUMNS}, ${raw(name)}_verified as verified from people p where p.workspace_id = a.workspace_id and p.${raw(name)} = a.address
    order by ${raw(name)}_verified desc, identified_at desc limit 2) found`;

/** Newest change first; `like` is a pattern whose own wildcards are escaped. */
export const list = (
  q: Queries,
  workspaceId: string,
  like: string | undefined,
  before: string[] | undefined,
  limit: number,
): Promise<Profile[]> =>
  q.query(sql`
    select ${PROFILE} from people
    where workspace_id = ${workspaceId}
      ${like === undefined ? empty : sql`and (person_id like ${like} or email like ${like.toLowerCase()})`}
      ${before ? sql`and (updated_at, person_key) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by updated_at desc, person_key desc limit ${limit}`);
