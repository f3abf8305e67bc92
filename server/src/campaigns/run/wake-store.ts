import { lockOf, prepared, type Queries, sql, unquoted } from "../../platform/db/index.ts";
import type { RunRow } from "./run.ts";
import { dueNow, holdInShards } from "./store.ts";

/** A run that waits for an event. */
export type WaitingRun = Pick<
  RunRow,
  "person_key" | "id" | "workspace_id" | "campaign_id" | "graph" | "step_id" | "waits_for" | "entered_at" | "stepped_at"
>;

/**
 * Returns the runs of these people that wait for an event of the given name. Their `stepped_at` is a time of the service's clock here, as
 * events' times are: after a pause the campaign's own clock is behind, and an event from before the step would count.
 */
export const waitingFor = (tx: Queries, asked: { personKey: string; name: string }[]): Promise<WaitingRun[]> =>
  tx.query(
    prepared(
      "campaigns.waitingFor",
      sql`
      select r.person_key, r.id, r.workspace_id, r.campaign_id, r.graph, r.step_id, r.waits_for, r.entered_at,
        r.stepped_at + c.behind as stepped_at
      from (select distinct person_key, name from
        unnest(${asked.map((one) => one.personKey)}::uuid[], ${asked.map((one) => one.name)}::text[]) as t (person_key, name)) t
      join campaign_runs r on r.person_key = t.person_key and r.waits_for = t.name and r.waits_for is not null
      join campaigns c on c.workspace_id = r.workspace_id and c.id = r.campaign_id
      order by r.person_key, r.id`,
    ),
  );

/** A run that an event wakes. */
export interface Wake {
  run: Pick<WaitingRun, "person_key" | "id" | "step_id" | "waits_for">;
  properties: Record<string, unknown>;
}

/** Ends a run's wait: the event becomes the output of its step. */
const WITH_EVENT = sql`, waits_for = null, outputs = jsonb_set(r.outputs, array[r.step_id],
  coalesce(r.outputs -> r.step_id, '{}') || jsonb_set('{}', '{event}', w.properties))`;

const campaignsOf = (runs: { campaign_id: string }[]): string[] => [...new Set(runs.map((run) => run.campaign_id))];

/** The order in which all transactions lock runs. */
const IN_ORDER = sql`order by r.person_key, r.id for no key update of r`;

/**
 * Ends the waiting of runs by events: the properties become the step's output, and the run is due at once. A run that went on
 * meanwhile, because its time was over, stays as it is: it takes one way only. Returns the campaigns of the woken runs.
 */
export async function wakeRuns(tx: Queries, wakes: Wake[], now: Date): Promise<string[]> {
  const [keys, ids] = [wakes.map(({ run }) => run.person_key), wakes.map(({ run }) => run.id)];
  await holdInShards(tx, sql`r.person_key = any(${keys}::uuid[]) and r.id = any(${ids}::uuid[])`);
  const rows = await tx.query<{ campaign_id: string }>(
    prepared(
      "campaigns.wakeRuns",
      sql`
      with waiting as (
        select r.person_key, r.id, r.workspace_id, r.campaign_id, t.properties from campaign_runs r
        join unnest(${keys}::uuid[], ${ids}::uuid[],
          ${wakes.map(({ run }) => run.step_id)}::text[], ${wakes.map(({ run }) => run.waits_for)}::text[],
          ${wakes.map(({ properties }) => JSON.stringify(properties))}::jsonb[]) as t (person_key, id, step_id, waits_for, properties)
          on r.person_key = t.person_key and r.id = t.id and r.step_id = t.step_id and r.waits_for = t.waits_for
        ${lockOf(tx, IN_ORDER)})
      ${dueNow(tx, sql`waiting`, now, WITH_EVENT)}`,
    ),
  );
  return campaignsOf(rows);
}

/**
 * Makes runs due that wait for one of these deliveries to be seen. The engine then reads what became of the deliveries. A person without
 * such a run costs one look-up in a partial index. Returns the campaigns of the woken runs.
 */
export async function wakeEscalating(
  tx: Queries,
  deliveries: { personKey: string; deliveryId: string }[],
  now: Date,
): Promise<string[]> {
  const keys = unquoted(deliveries.map((one) => one.personKey));
  await holdInShards(tx, sql`r.person_key = any(${keys}::uuid[]) and r.escalation is not null`);
  const rows = await tx.query<{ campaign_id: string }>(
    prepared(
      "campaigns.wakeEscalating",
      sql`
      with waiting as materialized (
        select r.person_key, r.id, r.workspace_id, r.campaign_id from (
          select person_key, array_agg(delivery_id) as deliveries
          from unnest(${keys}::uuid[],
            ${unquoted(deliveries.map((one) => one.deliveryId))}::uuid[]) as t (person_key, delivery_id)
          group by person_key) t
        join campaign_runs r on r.person_key = t.person_key and r.escalation is not null and r.escalation && t.deliveries
        ${lockOf(tx, IN_ORDER)})
      ${dueNow(tx, sql`waiting`, now)}`,
    ),
  );
  return campaignsOf(rows);
}

/** A run that stands at a step. */
export type StandingRun = Pick<
  RunRow,
  "person_key" | "id" | "campaign_id" | "graph" | "step_id" | "data" | "stepped_at" | "due_at" | "due_fixed"
>;

/** Locks and returns all runs of these people in these campaigns that have not ended. It waits for a batch that advances one of them. */
export async function lockTheirs(
  tx: Queries,
  { personKeys, campaignIds }: { personKeys: string[]; campaignIds: string[] },
): Promise<StandingRun[]> {
  const theirs = sql`r.person_key = any(${personKeys}::uuid[]) and r.campaign_id = any(${campaignIds}::uuid[])
    and r.step_id is not null`;
  await holdInShards(tx, theirs);
  return tx.query(
    prepared(
      "campaigns.lockTheirs",
      sql`
      select r.person_key, r.id, r.campaign_id, r.graph, r.step_id, r.data, r.stepped_at, r.due_at, r.due_fixed
      from campaign_runs r where ${theirs} ${lockOf(tx, IN_ORDER)}`,
    ),
  );
}

/** Makes runs due that the caller has locked. Returns their campaigns. */
export async function makeDue(tx: Queries, runs: Pick<RunRow, "person_key" | "id">[], now: Date): Promise<string[]> {
  const rows = await tx.query<{ campaign_id: string }>(
    prepared(
      "campaigns.makeDue",
      sql`
      with waiting as (
        select r.person_key, r.id, r.workspace_id, r.campaign_id from campaign_runs r
        join unnest(${runs.map((one) => one.person_key)}::uuid[], ${runs.map((one) => one.id)}::uuid[]) as t (person_key, id)
          on r.person_key = t.person_key and r.id = t.id)
      ${dueNow(tx, sql`waiting`, now)}`,
    ),
  );
  return campaignsOf(rows);
}
