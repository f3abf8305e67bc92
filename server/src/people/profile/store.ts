import {
  anyOf,
  inShardsOf,
  lockOf,
  prepared,
  type Queries,
  raw,
  sql,
  type Sql,
  unquoted,
} from "../../platform/db/index.ts";
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
export const jsonOf = ({ change, times }: Upsert): string => JSON.stringify({ ...change, times });

/** A person whom an event names. */
export type Named = Omit<Upsert, "change">;

export const keysOf = (people: Named[]): string[] => people.map((p) => p.personKey);

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

/**
 * The stored times. Older versions did not store any: then every attribute counts as reported when the person was last identified. The JSON is
 * made by casts, because Citus allows only immutable functions in an update.
 */
const TIMES = sql`coalesce(attribute_times, ('{"": ' || (extract(epoch from identified_at - '1970-01-01T00:00:00Z'::timestamptz) * 1000)::bigint::text || '}')::jsonb)`;

/**
 * Changes people who exist. A column that the change names is set, also to null; the other columns stay. The rows are locked in the order of
 * their keys first: an update locks them in the order of its plan, which differs with the number of people.
 */
export function merge(tx: Queries, people: Upsert[], now: Date): Promise<number> {
  const keys = keysOf(people);
  const theirs = inShardsOf(tx, "p.person_key", keys);
  const lock = lockOf(tx, sql`order by p.person_key for no key update of p`);
  return tx.execute(
    prepared(
      "people.merge",
      sql`
      with held as materialized (
        select t.key, t.c from unnest(${keys}::uuid[], ${people.map(jsonOf)}::jsonb[]) as t (key, c)
        join people p on p.person_key = t.key ${theirs}
        ${lock})
      update people p set
        ${address("email")}, ${address("phone")},
        timezone = case when c ? 'timezone' then c ->> 'timezone' else timezone end,
        locale = case when c ? 'locale' then c ->> 'locale' else locale end,
        subscribed = case when c ? 'subscribed' then coalesce((c ->> 'subscribed')::boolean, true) else subscribed end,
        attributes = (attributes - array(select jsonb_array_elements_text(c -> 'removed'))) || (c -> 'set'),
        attribute_times = ${TIMES} || (c -> 'times'),
        identified_at = ${now}, updated_at = ${now}
      from held t where p.person_key = t.key ${theirs}`,
    ),
  );
}

/** Locks people in several shards, where `for update` can't: it writes what they have. */
const TOUCHED = sql`update people set updated_at = updated_at`;

/** Locks these people until the transaction ends, in the order of their keys, and returns their attributes. */
export async function lockAttributes(tx: Queries, keys: string[]): Promise<Map<string, StoredAttributes>> {
  const rows = await tx.query<StoredAttributes & { person_key: string }>(
    tx.distributed
      ? sql`${TOUCHED} where person_key = any(${keys}::uuid[]) returning ${PROFILE}`
      : sql`
    select ${PROFILE} from people
    where person_key = any(${keys}::uuid[])
    order by person_key for no key update`,
  );
  return new Map(rows.map((row) => [row.person_key, row]));
}

/**
 * Locks those of these people whom no other transaction holds, until the transaction ends, and returns them. It waits for nobody, or on a
 * distributed database for all: the order of locks in several shards is open, and Citus ends one of two that wait for each other.
 */
export const lockByKeys = (tx: Queries, keys: string[]): Promise<Person[]> =>
  tx.query(
    prepared(
      "people.lockByKeys",
      tx.distributed
        ? sql`${TOUCHED} where person_key = any(${unquoted(keys)}::uuid[]) returning ${COLUMNS}`
        : sql`
      select ${COLUMNS} from people where person_key = any((select ${unquoted(keys)}::uuid[])::uuid[])
      order by person_key for no key update skip locked`,
    ),
  );

/** Returns the people with these keys. */
export const byKeys = (q: Queries, keys: string[]): Promise<Person[]> =>
  q.query(prepared("people.byKeys", sql`select ${COLUMNS} from people where person_key = ${anyOf(q, keys)}`));

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
        where person_key = ${anyOf(q, keys)}`,
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
        else ${TIMES} || ${JSON.stringify({ subscribed: now.getTime() })}::jsonb end
    where person_key = ${personKey}`);
