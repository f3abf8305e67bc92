import { empty, type Queries, sql } from "../../platform/db/index.ts";

/**
 * Locks a person's runs, in the order in which the engine and events lock them; also ended ones, because a goal can be reached after the end,
 * unless only those that are `open` are wanted. It waits for the engine, whose transactions are short.
 */
export const lockRuns = (tx: Queries, personKey: string, open: boolean): Promise<unknown[]> =>
  tx.query(sql`
    select from campaign_runs where person_key = ${personKey} ${open ? sql`and ended_at is null` : empty}
    order by id for no key update`);

/** Closes open batches of a person where the other person has an open one with the same key. Both runs go on, each with what it gathered. */
export const closeSecond = (tx: Queries, from: string, to: string): Promise<number> =>
  tx.execute(sql`
    with theirs as materialized (
      select campaign_id, step_id, key from campaign_batches where person_key = ${to} and open)
    update campaign_batches b set open = false
    where b.person_key = ${from} and b.open and exists (
      select 1 from theirs o where o.campaign_id = b.campaign_id and o.step_id = b.step_id and o.key = b.key)`);

/** Moves entries to another person. Of two entries of one campaign the later one stays. */
export async function mergeEntries(tx: Queries, from: string, to: string): Promise<void> {
  await tx.execute(sql`
    with gone as (delete from campaign_entries where person_key = ${from} returning campaign_id, workspace_id, entered_at)
    insert into campaign_entries as old (person_key, campaign_id, workspace_id, entered_at)
    select ${to}::uuid, campaign_id, workspace_id, entered_at from gone
    on conflict (person_key, campaign_id) do update set entered_at = greatest(old.entered_at, excluded.entered_at)`);
}

/**
 * Returns the active runs of a person that the other person does not get: those of a campaign with `reentry` "once" that the other person
 * has entered, and those of a campaign with a time in `reentry` in which the other person has an active run.
 */
export const secondRuns = (tx: Queries, from: string, to: string): Promise<{ person_key: string; id: string }[]> =>
  tx.query(sql`
    with own as materialized (select campaign_id from campaign_runs where person_key = ${to} and ended_at is null),
    entered as materialized (select campaign_id from campaign_entries where person_key = ${to})
    select r.person_key, r.id from campaign_runs r
    join campaigns c on c.workspace_id = r.workspace_id and c.id = r.campaign_id
    join campaign_versions v on v.workspace_id = c.workspace_id and v.campaign_id = c.id and v.version = c.version
    where r.person_key = ${from} and r.ended_at is null and v.definition -> 'reentry' <> '"always"'
      and (r.campaign_id in (select campaign_id from own)
        or v.definition -> 'reentry' = '"once"' and r.campaign_id in (select campaign_id from entered))`);
