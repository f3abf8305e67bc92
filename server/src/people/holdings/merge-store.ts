import { prepared, type Queries, raw, sql, unquoted } from "../../platform/db/index.ts";
import { mergedTimes } from "../profile/newest.ts";
import { type Person, PROFILE, type Profile } from "../profile/store.ts";

/** Both people, locked until the transaction ends. */
export const lockPeople = (tx: Queries, keys: string[]): Promise<Profile[]> =>
  tx.query<Profile>(sql`
    select ${PROFILE} from people where person_key = any(${keys}::uuid[]) order by person_key for update`);

/** Holds merges of the workspace until the transaction ends; those who hold them so do not wait for each other. */
export const holdMerges = (tx: Queries, workspaceId: string): Promise<unknown> =>
  tx.query(
    prepared(
      "people.holdMerges",
      sql`select pg_advisory_xact_lock_shared(hashtextextended(${`merge ${workspaceId}`}, 0))`,
    ),
  );

/**
 * Waits for those who hold merges, and for whatever else holds a row that a merge needs: a second at a time, so that nobody
 * waits for long behind a merge that waits itself. Beyond it PostgreSQL answers 55P03.
 */
export async function turnToMerge(tx: Queries, workspaceId: string): Promise<void> {
  await tx.query(sql`select set_config('lock_timeout', '1s', true)`);
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`merge ${workspaceId}`}, 0))`);
}

/** Keeps who was merged into whom. */
export const keepMerge = (tx: Queries, workspaceId: string, from: string, to: string, now: Date): Promise<number> =>
  tx.execute(sql`
    insert into merged_people (person_key, merged_key, workspace_id, merged_at) values (${to}, ${from}, ${workspaceId}, ${now})
    on conflict (person_key, merged_key) do update set merged_at = excluded.merged_at`);

/** Who was merged into whom since then, newest first: of those whom the keys name, and of those who took them on. */
export const mergesOf = (
  q: Queries,
  workspaceId: string,
  keys: string[],
  since: Date,
): Promise<{ from: string; into: string }[]> =>
  q.query(
    prepared(
      "people.mergesOf",
      sql`
      with late as (select * from merged_people where workspace_id = ${workspaceId} and merged_at >= ${since}),
      named as (select unnest((select ${unquoted(keys)}::uuid[])) as key)
      select merged_key as "from", person_key as "into" from late
      where person_key in (select key from named)
        or person_key in (select person_key from late where merged_key in (select key from named))
      order by merged_at desc`,
    ),
  );

export const forgetMerges = (q: Queries, before: Date): Promise<number> =>
  q.execute(sql`delete from merged_people where merged_at < ${before}`);

/** The target's address, else the source's; verified where either's was for the one that stays. A claim of what it is says nothing. */
const ofBoth = (name: "email" | "phone", source: Profile) => {
  const [column, verified, claim] = [raw(name), raw(`${name}_verified`), raw(`claimed_${name}`)];
  return sql`
      ${column} = coalesce(${column}, ${source[name]}),
      ${verified} = ${verified} or (${source[`${name}_verified`]} and coalesce(${column}, ${source[name]}) = ${source[name]}),
      ${claim} = nullif(coalesce(${claim}, ${source[`claimed_${name}`]}), coalesce(${column}, ${source[name]}))`;
};

/** What the target does not have comes from the source; `states` are decided. */
export const takeOn = (
  tx: Queries,
  target: Profile,
  source: Profile,
  states: Pick<Person, "subscribed" | "preferences">,
  now: Date,
): Promise<Profile[]> =>
  tx.query<Profile>(sql`
    update people set ${ofBoth("email", source)}, ${ofBoth("phone", source)},
      timezone = coalesce(timezone, ${source.timezone}), locale = coalesce(locale, ${source.locale}),
      attributes = ${JSON.stringify(source.attributes)}::jsonb || attributes, attribute_times = ${JSON.stringify(mergedTimes(target, source))},
      subscribed = ${states.subscribed}, preferences = ${JSON.stringify(states.preferences)},
      created_at = least(created_at, ${source.created_at}), updated_at = ${now}
    where person_key = ${target.person_key} returning ${PROFILE}`);
