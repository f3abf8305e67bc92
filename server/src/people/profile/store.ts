import { prepared, type Queries, raw, sql, type Sql, texts, unquoted } from "../../platform/db/index.ts";
import type { Change } from "./attributes.ts";
import type { StoredAttributes, Times } from "./newest.ts";

/** A person as stored. `email` is in lower case, `phone` is E.164; the known attributes are columns and not in `attributes`. */
export interface Person {
  person_key: string;
  workspace_id: string;
  person_id: string;
  email: string | null;
  phone: string | null;
  timezone: string | null;
  locale: string | null;
  /** The state for everything: false means no channel and no topic. */
  subscribed: boolean;
  /** What the person chose, by channel or by the topic's TypeID; a missing one was never chosen. */
  preferences: Record<string, boolean>;
  attributes: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
}

export const COLUMNS = sql`person_key, workspace_id, person_id, email, phone, timezone, locale, subscribed, preferences, attributes, created_at, updated_at`;

/** A person with the standing of their addresses, and with the times of the reports. */
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
  /** When each attribute was reported, as it will be stored. */
  times?: Times;
}

/** The change as the statements read it. */
const jsonOf = ({ change, times }: Upsert): string => JSON.stringify({ ...change, times });

/** Inserts the new people, also those who were erased, because the call asks for it. Returns the keys of the new people. */
export async function insertNew(tx: Queries, people: Upsert[], now: Date): Promise<Set<string>> {
  const rows = await tx.query<{ person_key: string }>(
    prepared(
      "people.insertNew",
      sql`
      with back as (delete from erased_people where person_key = any(${people.map((p) => p.personKey)}::uuid[]))
      insert into people (
        person_key, workspace_id, person_id,
        email, phone, email_verified, phone_verified, claimed_email, claimed_phone,
        timezone, locale, subscribed, attributes, attribute_times,
        identified_at, created_at, updated_at)
      select
        t.person_key, t.workspace_id, t.person_id,
        c ->> 'email', c ->> 'phone',
        coalesce((c ->> 'email_verified')::boolean, false), coalesce((c ->> 'phone_verified')::boolean, false),
        nullif(c ->> 'claimed_email', c ->> 'email'), nullif(c ->> 'claimed_phone', c ->> 'phone'),
        c ->> 'timezone', c ->> 'locale', coalesce((c ->> 'subscribed')::boolean, true), c -> 'set', c -> 'times',
        ${now}, ${now}, ${now}
      from unnest(
        ${people.map((p) => p.personKey)}::uuid[],
        ${people.map((p) => p.workspaceId)}::uuid[],
        ${people.map((p) => p.personId)}::text[],
        ${people.map(jsonOf)}::jsonb[]
      ) as t (person_key, workspace_id, person_id, c)
      on conflict (person_key) do nothing
      returning person_key`,
    ),
  );
  return new Set(rows.map((row) => row.person_key));
}

/**
 * Inserts the new people except those who were erased. Returns the keys of the new people and of the erased ones. Nearly all people
 * exist already: to look first costs PostgreSQL 2 us a person, and an insert that meets its conflict costs 5.5. It looks by a subquery for
 * each person: PostgreSQL keeps the plan, and a join that was planned while the table was small reads all people.
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
        select * from unnest(
          ${people.map((p) => p.personKey)}::uuid[],
          ${people.map((p) => p.workspaceId)}::uuid[],
          ${people.map((p) => p.personId)}::text[]
        ) as t (person_key, workspace_id, person_id)
        where (select p.person_key from people p where p.person_key = t.person_key) is null),
      erased as materialized (
        select person_key from erased_people
        where person_key in (select person_key from missing)),
      made as (
        insert into people (person_key, workspace_id, person_id, identified_at, created_at, updated_at)
        select m.person_key, m.workspace_id, m.person_id, ${now}, ${now}, ${now} from missing m
        where not exists (select from erased e where e.person_key = m.person_key)
        on conflict (person_key) do nothing
        returning person_key)
      select person_key, true as erased from erased
      union all select person_key, false from made`,
    ),
  );
}

/** Returns those of the keys whose person exists. */
export async function existingKeys(q: Queries, keys: string[]): Promise<Set<string>> {
  const rows = await q.query<{ person_key: string }>(
    sql`select person_key from people where person_key = any(${keys}::uuid[])`,
  );
  return new Set(rows.map((row) => row.person_key));
}

/** Sets an address from the change `c`, whether it is verified, and the claim. A verified address that is reported again stays verified. */
const address = (name: "email" | "phone"): Sql => {
  const column = raw(name);
  const changed = sql`c ? ${raw(`'${name}'`)}`;
  const next = sql`c ->> ${raw(`'${name}'`)}`;
  const claim = raw(`claimed_${name}`);
  const verified = raw(`${name}_verified`);
  const [newVerified, newClaim] = [raw(`'${name}_verified'`), raw(`'claimed_${name}'`)];
  return sql`
        ${column} = case when ${changed} then ${next} else ${column} end,
        ${verified} = case
          when ${changed} then coalesce((c ->> ${newVerified})::boolean, false)
            or (${verified} and coalesce(${column} = ${next}, false))
          else ${verified} end,
        ${claim} = nullif(
          case when c ? ${newClaim} then c ->> ${newClaim} else ${claim} end,
          case when ${changed} then ${next} else ${column} end)`;
};

/** The stored times. Older versions did not store any: then every attribute counts as reported when the person was last identified. */
const TIMES = sql`coalesce(attribute_times, jsonb_build_object('', (extract(epoch from identified_at) * 1000)::bigint))`;

/**
 * Changes people who exist. A column that the change names is set, also to null; the other columns stay. The rows are locked in the order of
 * their keys first: an update locks them in the order of its plan, which differs with the number of people.
 */
export const merge = (tx: Queries, people: Upsert[], now: Date): Promise<number> =>
  tx.execute(
    prepared(
      "people.merge",
      sql`
      with held as materialized (
        select t.key, t.c from unnest(${people.map((p) => p.personKey)}::uuid[], ${people.map(jsonOf)}::jsonb[]) as t (key, c)
        join people p on p.person_key = t.key
        order by p.person_key for no key update of p)
      update people p set
        ${address("email")}, ${address("phone")},
        timezone = case when c ? 'timezone' then c ->> 'timezone' else timezone end,
        locale = case when c ? 'locale' then c ->> 'locale' else locale end,
        subscribed = case when c ? 'subscribed' then coalesce((c ->> 'subscribed')::boolean, true) else subscribed end,
        attributes = (attributes - array(select jsonb_array_elements_text(c -> 'removed'))) || (c -> 'set'),
        attribute_times = ${TIMES} || (c -> 'times'),
        identified_at = ${now}, updated_at = ${now}
      from held t where p.person_key = t.key`,
    ),
  );

/** Locks these people until the transaction ends, in the order of their keys, and returns their attributes. */
export async function lockAttributes(tx: Queries, keys: string[]): Promise<Map<string, StoredAttributes>> {
  const rows = await tx.query<StoredAttributes & { person_key: string }>(sql`
    select ${PROFILE} from people
    where person_key = any(${keys}::uuid[])
    order by person_key for no key update`);
  return new Map(rows.map((row) => [row.person_key, row]));
}

/** Locks those of these people whom no other transaction holds, until the transaction ends, and returns them. It waits for nobody. */
export const lockByKeys = (tx: Queries, keys: string[]): Promise<Person[]> =>
  tx.query(
    prepared(
      "people.lockByKeys",
      sql`
      select ${COLUMNS} from people where person_key = any((select ${unquoted(keys)}::uuid[])::uuid[])
      order by person_key for no key update skip locked`,
    ),
  );

/** Returns the people with these keys. */
export const byKeys = (q: Queries, keys: string[]): Promise<Person[]> =>
  q.query(
    prepared(
      "people.byKeys",
      sql`select ${COLUMNS} from people where person_key = any((select ${unquoted(keys)}::uuid[])::uuid[])`,
    ),
  );

/** Returns one person with the standing of their addresses. */
export const profileByKey = async (q: Queries, key: string): Promise<Profile | undefined> =>
  (await q.query<Profile>(sql`select ${PROFILE} from people where person_key = ${key}`))[0];

/** Returns only what says whether these people may be reached. It costs this process half of what all columns cost. */
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

/** Locks the person until the transaction ends, so that of two choices at the same moment neither is lost. */
export async function lockStates(tx: Queries, personKey: string): Promise<Person | undefined> {
  return (
    await tx.query<Person>(sql`select ${COLUMNS} from people where person_key = ${personKey} for no key update`)
  )[0];
}

/** Stores what the person chose. */
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

/** Returns at most two people for each (workspace, email): verified ones first, then the last identified first. */
export const byEmails = (q: Queries, emails: { workspaceId: string; email: string }[]): Promise<Holder[]> =>
  q.query(
    prepared(
      "people.byEmails",
      holders(
        "email",
        emails.map(({ workspaceId, email }) => [workspaceId, email]),
      ),
    ),
  );

/** Like byEmails, for each (workspace, phone number). */
export const byPhones = (q: Queries, phones: { workspaceId: string; phone: string }[]): Promise<Holder[]> =>
  q.query(
    prepared(
      "people.byPhones",
      holders(
        "phone",
        phones.map(({ workspaceId, phone }) => [workspaceId, phone]),
      ),
    ),
  );

/** Reads at most two entries of an index for each address. Each array is in a sub-select so that the plan is kept, see inapp/delivery/live-store.ts. */
const holders = (name: "email" | "phone", addresses: [workspaceId: string, address: string][]): Sql => sql`
  select found.*
  from unnest(
    (select ${unquoted(addresses.map(([id]) => id))}::uuid[]),
    (select ${texts(addresses.map(([, address]) => address))}::text[])
  ) as a (workspace_id, address)
  cross join lateral (
    select ${COLUMNS}, ${raw(name)}_verified as verified
    from people p
    where p.workspace_id = a.workspace_id and p.${raw(name)} = a.address
    order by ${raw(name)}_verified desc, identified_at desc limit 2) found`;
