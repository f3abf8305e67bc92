import { prepared, type Queries, raw, sql, unquoted } from "../../platform/db/index.ts";
import { mergedTimes } from "../profile/newest.ts";
import { type Person, PROFILE, type Profile } from "../profile/store.ts";

/** Locks both people until the transaction ends and returns them. In shards each is locked in its own. */
export async function lockPeople(tx: Queries, keys: string[]): Promise<Profile[]> {
  if (!tx.distributed)
    return tx.query<Profile>(sql`
    select ${PROFILE} from people
    where person_key = any(${keys}::uuid[])
    order by person_key for update`);
  const people: Profile[] = [];
  for (const key of keys.toSorted())
    people.push(...(await tx.query<Profile>(sql`select ${PROFILE} from people where person_key = ${key} for update`)));
  return people;
}

/** Prevents merges in the workspace until the transaction ends. Transactions that do this don't wait for each other. */
export const preventMerges = (tx: Queries, workspaceId: string): Promise<unknown> =>
  tx.query(
    prepared(
      "people.preventMerges",
      sql`select pg_advisory_xact_lock_shared(hashtextextended(${`merge ${workspaceId}`}, 0))`,
    ),
  );

/**
 * Waits until no transaction prevents merges. From here on this transaction waits at most a second for each lock, so that nobody waits
 * for long behind a merge that waits itself. After the second PostgreSQL answers 55P03.
 */
export async function lockForMerge(tx: Queries, workspaceId: string): Promise<void> {
  await tx.query(sql`select set_config('lock_timeout', '1s', true)`);
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`merge ${workspaceId}`}, 0))`);
}

/** A merge: the key of the person who is gone, and of the person who has all their rows now. */
export interface Merge {
  from: string;
  into: string;
}

/** Stores who was merged into whom. */
export const recordMerge = (
  tx: Queries,
  workspaceId: string,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<number> =>
  tx.execute(sql`
    insert into merged_people (person_key, merged_key, workspace_id, merged_at)
    values (${to}, ${from}, ${workspaceId}, ${now})
    on conflict (person_key, merged_key) do update set merged_at = excluded.merged_at`);

export interface RecordedMerge extends Merge {
  workspaceId: string;
}

/** Returns all merges since then, the latest first. */
export const mergesAfter = (q: Queries, since: Date): Promise<RecordedMerge[]> =>
  q.query(sql`
    select workspace_id as "workspaceId", merged_key as "from", person_key as "into" from merged_people
    where workspace_id in (select id from workspaces) and merged_at >= ${since}
    order by merged_at desc`);

/** Returns the keys of those who were merged into a person. */
export async function mergedKeys(q: Queries, key: string): Promise<string[]> {
  const rows = await q.query<{ merged_key: string }>(sql`
    select merged_key from merged_people where person_key = ${key} order by merged_key`);
  return rows.map(({ merged_key }) => merged_key);
}

/** Returns the merges since then, the latest first: those of the people whom the keys name, and all others into the same people. */
export const mergesOf = (q: Queries, workspaceId: string, keys: string[], since: Date): Promise<Merge[]> =>
  q.query(
    prepared(
      "people.mergesOf",
      sql`
      with late as (
        select * from merged_people
        where workspace_id = ${workspaceId} and merged_at >= ${since}),
      named as (select unnest((select ${unquoted(keys)}::uuid[])) as key)
      select merged_key as "from", person_key as "into"
      from late
      where person_key in (select key from named)
        or person_key in (select person_key from late where merged_key in (select key from named))
      order by merged_at desc`,
    ),
  );

/** Returns the key of the person into whom the person of this key was merged, however often; undefined for anybody else. */
export async function mergedInto(q: Queries, workspaceId: string, key: string): Promise<string | undefined> {
  const [row] = await q.query<{ person_key: string }>(sql`
    select person_key from merged_people where workspace_id = ${workspaceId} and merged_key = ${key}
    order by merged_at desc limit 1`);
  return row?.person_key;
}

/** Sets the target's address, or else the source's. It is verified if either person's was verified and equal. A claim of the same address is dropped. */
const ofBoth = (name: "email" | "phone", source: Profile) => {
  const [column, verified, claim] = [raw(name), raw(`${name}_verified`), raw(`claimed_${name}`)];
  const [address, isVerified, claimed] = [source[name], source[`${name}_verified`], source[`claimed_${name}`]];
  return sql`
      ${column} = coalesce(${column}, ${address}),
      ${verified} = ${verified} or (${isVerified} and coalesce(${column}, ${address}) = ${address}),
      ${claim} = nullif(coalesce(${claim}, ${claimed}), coalesce(${column}, ${address}))`;
};

/** Copies to the target what only the source has, and sets the states of subscription. Returns the target. */
export const completeTarget = (
  tx: Queries,
  {
    target,
    source,
    states,
    now,
  }: {
    target: Profile;
    source: Profile;
    states: Pick<Person, "subscribed" | "preferences">;
    now: Date;
  },
): Promise<Profile[]> =>
  tx.query<Profile>(sql`
    update people set ${ofBoth("email", source)}, ${ofBoth("phone", source)},
      timezone = coalesce(timezone, ${source.timezone}), locale = coalesce(locale, ${source.locale}),
      attributes = ${JSON.stringify(source.attributes)}::jsonb || attributes,
      attribute_times = ${JSON.stringify(mergedTimes(target, source))},
      subscribed = ${states.subscribed}, preferences = ${JSON.stringify(states.preferences)},
      created_at = least(created_at, ${source.created_at}), updated_at = ${now}
    where person_key = ${target.person_key} returning ${PROFILE}`);
