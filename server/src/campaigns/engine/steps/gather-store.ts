import {
  empty,
  given,
  lockOf,
  prepared,
  preparedOnOne,
  type Queries,
  rowsToCheck,
  sql,
  unquoted,
} from "../../../platform/db/index.ts";
import type { RunRow } from "../../run/run.ts";

/** A batch step. */
export interface BatchStep {
  workspaceId: string;
  campaignId: string;
  stepId: string;
}

/** A row of campaign_batches: a run that waits at a batch step, with the runs that it gathered. */
export interface BatchRow {
  person_key: string;
  run_id: string;
  key: string;
  open: boolean;
  count: number;
  run_ids: string[];
}

type RunKey = Pick<RunRow, "person_key" | "id">;

const COLUMNS = sql`b.person_key, b.run_id, b.key, b.open, b.count, b.run_ids`;

/** Locks the batches of people in several shards, where `for update` can't: it writes what they have. */
const holdBatches = async (tx: Queries, personKeys: string[]): Promise<unknown> =>
  tx.distributed &&
  tx.execute(sql`update campaign_batches set count = count where person_key = any(${unquoted(personKeys)}::uuid[])`);

const OF_BATCH = sql`for update of b`;

/** Locks and returns the batches that these runs lead at a step. */
export async function batchesOf(tx: Queries, { stepId }: BatchStep, runs: RunKey[]): Promise<BatchRow[]> {
  await holdBatches(
    tx,
    runs.map((run) => run.person_key),
  );
  return tx.query(
    prepared(
      "campaigns.batchesOf",
      sql`
      select ${COLUMNS} from unnest(${unquoted(runs.map((run) => run.person_key))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[])
        as t (person_key, id)
      join campaign_batches b on b.person_key = t.person_key and b.run_id = t.id and b.step_id = ${stepId}
      order by b.person_key, b.run_id ${lockOf(tx, OF_BATCH)}`,
    ),
  );
}

/** Locks and returns the open batches of these keys. `led` is false where the run that leads it has ended or left the step otherwise. */
export async function openBatches(
  tx: Queries,
  { campaignId, stepId }: BatchStep,
  keys: { personKey: string; key: string }[],
): Promise<(BatchRow & { led: boolean })[]> {
  await holdBatches(
    tx,
    keys.map((one) => one.personKey),
  );
  return tx.query(
    prepared(
      "campaigns.openBatches",
      sql`
      select ${COLUMNS}, ${
        tx.distributed
          ? sql`r.id is not null`
          : sql`exists (select from campaign_runs r
          where r.person_key = b.person_key and r.id = b.run_id and r.step_id = b.step_id)`
      } as led
      from unnest(${unquoted(keys.map((one) => one.personKey))}::uuid[], ${unquoted(keys.map((one) => one.key))}::uuid[])
        as t (person_key, key)
      join campaign_batches b on b.person_key = t.person_key and b.campaign_id = ${campaignId} and b.step_id = ${stepId}
        and b.key = t.key and b.open
      ${
        tx.distributed
          ? sql`left join campaign_runs r on r.person_key = b.person_key and r.id = b.run_id and r.step_id = b.step_id`
          : empty
      }
      order by b.person_key, b.run_id ${lockOf(tx, OF_BATCH)}`,
    ),
  );
}

/** Writes batches in the given order: a full one is closed before the next one of its key opens. */
export const writeBatches = (
  tx: Queries,
  { workspaceId, campaignId, stepId }: BatchStep,
  batches: BatchRow[],
): Promise<number> =>
  tx.execute(
    preparedOnOne(
      tx,
      "campaigns.writeBatches",
      sql`
      insert into campaign_batches (person_key, run_id, step_id, workspace_id, campaign_id, key, open, count, run_ids)
      ${rowsToCheck(
        tx,
        batches,
        {
          person_key: given.uuid((one) => one.person_key),
          run_id: given.uuid((one) => one.run_id),
          key: given.uuid((one) => one.key),
          open: given.boolean((one) => one.open),
          count: given.integer((one) => one.count),
          run_ids: given.text((one) => unquoted(one.run_ids)),
        },
        (t) => sql`${t.person_key}, ${t.run_id}, ${stepId}::text, ${workspaceId}::uuid, ${campaignId}::uuid,
          ${t.key}, ${t.open}, ${t.count}, ${t.run_ids}::uuid[]`,
      )}
      on conflict (person_key, run_id, step_id) do update
        set open = excluded.open, count = excluded.count, run_ids = excluded.run_ids`,
    ),
  );

/**
 * Wakes runs that wait at a batch step, and returns the ids of those that were woken. Runs that another transaction has locked are left
 * out unless `waits`: that transaction may wait for this one.
 * @param clock now by the campaign's own clock
 */
export const wakeLeaders = (
  tx: Queries,
  { stepId }: BatchStep,
  runs: RunKey[],
  { clock, waits }: { clock: Date; waits: boolean },
): Promise<{ id: string }[]> =>
  tx.query(sql`
    update campaign_runs r set due_at = least(r.due_at, ${clock}::timestamptz)
    from (
      select r.person_key, r.id from campaign_runs r
      join unnest(${unquoted(runs.map((run) => run.person_key))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[])
        as t (person_key, id) on r.person_key = t.person_key and r.id = t.id
      where r.step_id = ${stepId}
      ${lockOf(tx, sql`order by r.person_key, r.id for no key update of r ${waits ? empty : sql`skip locked`}`)}) w
    where r.person_key = w.person_key and r.id = w.id and r.step_id = ${stepId}
    returning r.id`);

/** A batch that was taken, with the data of its runs in the order in which these arrived. */
interface Taken {
  run_id: string;
  count: number;
  items: Record<string, unknown>[];
}

/** Deletes the batches that these runs lead, and returns them. */
export async function takeBatches(tx: Queries, stepId: string, runs: RunKey[]): Promise<Taken[]> {
  const taken = sql`
      delete from campaign_batches b
      using unnest(${unquoted(runs.map((run) => run.person_key))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[])
        as t (person_key, id)
      where b.person_key = t.person_key and b.run_id = t.id and b.step_id = ${stepId}
      returning b.person_key, b.run_id, b.count, b.run_ids`;
  if (tx.distributed) return withItems(tx, await tx.query(taken));
  return tx.query(sql`
    with taken as (${taken})
    select b.run_id, b.count, (
        select coalesce(jsonb_agg(r.data order by i.n), '[]')
        from unnest(b.run_ids) with ordinality as i (id, n)
        join campaign_runs r on r.person_key = b.person_key and r.id = i.id) as items
    from taken b`);
}

/** In shards the data are read by a statement of their own: no sub-select for each batch reaches over them. */
async function withItems(
  tx: Queries,
  batches: (Pick<BatchRow, "person_key" | "run_id" | "count"> & { run_ids: string[] })[],
): Promise<Taken[]> {
  const rows = await tx.query<{ id: string; data: Record<string, unknown> }>(sql`
    select id, data from campaign_runs
    where person_key = any(${unquoted(batches.map((batch) => batch.person_key))}::uuid[])
      and id = any(${unquoted(batches.flatMap((batch) => batch.run_ids))}::uuid[])`);
  const dataOf = new Map(rows.map((row) => [row.id, row.data]));
  return batches.map(({ run_id, count, run_ids }) => ({
    run_id,
    count,
    items: run_ids.map((id) => dataOf.get(id)).filter((data) => data !== undefined),
  }));
}
