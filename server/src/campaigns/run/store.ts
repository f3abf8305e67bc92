import {
  type Columns,
  empty,
  given,
  join,
  once,
  prepared,
  type Queries,
  raw,
  rowLock,
  rowsOf,
  type Sql,
  sql,
  unquoted,
} from "../../platform/db/index.ts";
import type { Time } from "../rules/turn.ts";
import type { CampaignRef, RunRow } from "./run.ts";

// A run's row is its own job. The transaction that advances a run holds its row until it ends: PostgreSQL frees the row with the connection
// of a process that dies, and rolls its changes back. Due times are times of the campaign's own clock, which is late by `behind`. Only waits
// for a date (`due_fixed`) are due by the service's clock, so a pause and a resume rewrite no run.

/** A campaign that may have work for the engine. */
export interface WorkingCampaign extends CampaignRef {
  /** Whether the campaign is archived, so that its runs end. */
  ending: boolean;
  /** Whether it has runs of earlier graphs to move or end. */
  settling: boolean;
  /** When the limits changed, where runs that they held back until then have to ask again; null elsewhere. */
  asking: Date | null;
  /** When its first run is due, by the service's clock; null where no run waits, and where the campaign is not active. */
  due: Date | null;
}

/** The campaign's own clock now, in a statement over `campaigns c`. It stands still during a pause. */
export const ownClock = (now: Date): Sql =>
  sql`((case when c.status = 'paused' then c.paused_at else ${now}::timestamptz end) - c.behind)`;

/**
 * Returns the last parts of a statement: they make runs due at once, and return their campaigns.
 * @param runs the part of the statement that has locked these runs: (person_key, id, workspace_id, campaign_id)
 * @param set more columns to write; `w` is the row of `runs`
 */
export const dueNow = (q: Pick<Queries, "distributed">, runs: Sql, now: Date, set: Sql = empty): Sql => sql`,
  timed as ${once(q)} (
    select w.*, ${ownClock(now)} as clock from ${runs} w
    join campaigns c on c.workspace_id = w.workspace_id and c.id = w.campaign_id)
  update campaign_runs r set due_at = w.clock, due_fixed = false ${set}
  from timed w where r.person_key = w.person_key and r.id = w.id
  returning r.campaign_id`;

/** Locks runs in several shards, where `for update` can't: it writes what they have. In one PostgreSQL the statement that follows locks them. */
export const holdInShards = async (tx: Queries, which: Sql): Promise<unknown> =>
  tx.distributed && tx.execute(sql`update campaign_runs r set attempts = r.attempts where ${which}`);

/**
 * Locks and returns the chosen runs in several shards: those for which the condition is still true.
 * @param chosen selects (person_key, id)
 */
export const lockedInShards = (chosen: Sql, condition: Sql): Sql => sql`
  with chosen (key, run) as materialized (${chosen})
  update campaign_runs set attempts = attempts from chosen
  where person_key = chosen.key and id = chosen.run and ${condition}
  returning ${RUN_COLUMNS}`;

/** Returns the time of the first due run of a kind. */
const firstDue = (fixed: boolean) => sql`(
  select r.due_at from campaign_runs r where r.campaign_id = c.id and r.due_fixed = ${raw(String(fixed))} and r.due_at is not null
  order by r.campaign_id, r.due_fixed, r.due_at limit 1)`;

/** When the next run of the campaign `c` is due. */
const NEXT_DUE = sql`least(c.behind + ${firstDue(false)}, ${firstDue(true)})`;

/** When the next run of the campaign `c` is due, read from the rows of `near`. */
const NEXT_NEAR = sql`(select min(case when n.due_fixed then n.due_at else c.behind + n.due_at end) from near n where n.id = c.id)`;

/** In shards runs are looked for that are due until this time after now: the poll asks again long before. */
const NEAR_MS = 60_000;

/**
 * Returns the active campaigns with the time of their next work, and those with runs to end or to settle. The statement reads the first
 * entries of the due index for each: asked whether any run is due, PostgreSQL may read the whole table instead. The time is rounded up to
 * milliseconds, in which the service counts: rounded down, a round would find no due run and rest for a whole second.
 */
export const workingCampaigns = (q: Queries, now: Date): Promise<WorkingCampaign[]> =>
  q.query(
    prepared(
      "campaigns.working",
      sql`
      ${q.distributed ? sql`with near as materialized (select id, due_fixed, min(due_at) as due_at from (${dueIn(new Date(now.getTime() + NEAR_MS))}) d group by 1, 2)` : empty}
      select c.workspace_id as "workspaceId", c.id as "campaignId", c.ending, c.settling,
        case when c.status = 'active' then c.asking_since end as asking,
        case when c.status = 'active' then date_trunc('milliseconds', ${q.distributed ? NEXT_NEAR : NEXT_DUE} + interval '999 microseconds') end as due
      from campaigns c
      where c.status = 'active' or c.ending or c.settling
      order by c.workspace_id, c.id`,
    ),
  );

/** True if a campaign has work at this time. */
export const isCampaignDue = (now: Date, { distributed }: Pick<Queries, "distributed">): Sql =>
  distributed
    ? sql`exists (select 1 from campaigns c
  where c.ending or c.settling or c.status = 'active' and c.asking_since is not null) or exists (${dueIn(now)})`
    : sql`exists (select from campaigns c
  where (c.status = 'active' or c.ending or c.settling)
    and (c.ending or c.settling or c.asking_since is not null or ${NEXT_DUE} <= ${now}))`;

/** Selects the runs `r` of active campaigns `c` that are due, shard by shard: no sub-select for each campaign reaches over the shards. */
const dueIn = (now: Date) => sql`
  select c.id, r.due_fixed, r.due_at from campaigns c
  join campaign_runs r on r.campaign_id = c.id and r.workspace_id = c.workspace_id and r.due_at is not null
    and (r.due_fixed and r.due_at <= ${now}::timestamptz or not r.due_fixed and r.due_at <= ${now}::timestamptz - c.behind)
  where c.status = 'active'`;

/** A campaign that is held until the transaction ends: its newest graph, and by how many milliseconds its own clock is behind. */
export interface HeldCampaign {
  graph: number;
  behind: number;
}

/** Returns an active campaign; undefined where it is not active. It stays active and keeps its clock until the transaction ends: a pause waits. */
export async function holdActive(
  tx: Queries,
  { workspaceId, campaignId }: CampaignRef,
): Promise<HeldCampaign | undefined> {
  const locked = await rowLock(tx, [campaignId], "share");
  const [row] = await tx.query<HeldCampaign>(
    prepared(
      "campaigns.holdActive",
      sql`
      select graph, (extract(epoch from behind) * 1000)::double precision as behind from campaigns
      where workspace_id = ${workspaceId} and id = ${campaignId} and status = 'active' ${locked}`,
    ),
  );
  return row;
}

/** The columns of a RunRow. */
export const RUN_COLUMNS = sql`person_key, id, workspace_id, campaign_id, graph, status, reason, step_id, data, outputs, cancellation_key,
  entered_at, stepped_at, waits_for, due_at, due_fixed, escalation, escalated_at, attempts, goal_at, ended_at`;

/** How many runs to claim, without those of some graphs. */
export interface Claim {
  limit: number;
  without: number[];
}

const dueBy = (
  { campaignId }: CampaignRef,
  fixed: boolean,
  at: Date,
  { most, without }: { most: Sql; without: number[] },
) => sql`
  select ${RUN_COLUMNS} from campaign_runs
  where campaign_id = ${campaignId}::uuid and due_fixed = ${raw(String(fixed))} and due_at <= ${at}
    and graph <> all(${without}::integer[])
  order by due_at limit ${most} for update skip locked`;

/**
 * Locks and returns the first due runs that no other transaction holds, longest due first, and at the same instant in the order of their
 * entries. Those that wait for a date leave at least half of the batch to the others, so that it has up to half as many more than `limit`.
 * Each kind is a range of the due index.
 */
export async function claimDue(
  tx: Queries,
  campaign: CampaignRef,
  { now, clock }: Time,
  { limit, without }: Claim,
): Promise<RunRow[]> {
  if (tx.distributed) return dueInShards(tx, campaign, { now, clock }, { limit, without });
  const some = sql`${limit}::integer`;
  const rest = sql`${limit}::integer - (select count(*) from dates) / 2`;
  const runs = await tx.query<RunRow>(
    prepared(
      "campaigns.claimDue",
      sql`
      with dates as materialized (${dueBy(campaign, true, now, { most: some, without })}),
      lengths as materialized (${dueBy(campaign, false, clock, { most: rest, without })})
      select * from dates union all select * from lengths`,
    ),
  );
  return inOrder(runs, { now, clock });
}

/** Claims in several shards: at most half of the runs wait for a date. */
async function dueInShards(
  tx: Queries,
  { campaignId }: CampaignRef,
  { now, clock }: Time,
  { limit, without }: Claim,
): Promise<RunRow[]> {
  const is = (fixed: boolean, at: Date) => sql`due_fixed = ${raw(String(fixed))} and due_at <= ${at}`;
  const part = (fixed: boolean, at: Date, most: number) => sql`(select person_key, id from campaign_runs
    where campaign_id = ${campaignId}::uuid and ${is(fixed, at)} and graph <> all(${without}::integer[]) order by due_at limit ${most})`;
  const chosen = sql`${part(true, now, Math.ceil(limit / 2))} union all ${part(false, clock, limit)}`;
  const condition = sql`(${is(true, now)} or ${is(false, clock)}) and graph <> all(${without}::integer[])`;
  return inOrder(await tx.query<RunRow>(prepared("campaigns.claimDue", lockedInShards(chosen, condition))), {
    now,
    clock,
  });
}

function inOrder(runs: RunRow[], { now, clock }: Time): RunRow[] {
  // Sorted here, because an index with the entry would be wider for each run. Equal due times may be in several batches. Runs that are equal
  // in both times stay in the order of the index, in which they were inserted: events of one call are in the order of the call.
  const lateness = ({ due_fixed, due_at }: RunRow) => (due_fixed ? now : clock).getTime() - (due_at?.getTime() ?? 0);
  return runs.sort((a, b) => lateness(b) - lateness(a) || a.entered_at.getTime() - b.entered_at.getTime());
}

/** Locks and returns a run, if it is still due and no other transaction holds it. */
export async function claimOne(
  tx: Queries,
  { person_key, id }: Pick<RunRow, "person_key" | "id">,
  { now, clock }: Time,
): Promise<RunRow | undefined> {
  const [row] = await tx.query<RunRow>(sql`
    select ${RUN_COLUMNS} from campaign_runs
    where person_key = ${person_key} and id = ${id}
      and due_at <= case when due_fixed then ${now}::timestamptz else ${clock}::timestamptz end for update skip locked`);
  return row;
}

/** The new state of a run after a round. `outputs` is null where nothing was added. */
export type RunUpdate = Pick<
  RunRow,
  | "person_key"
  | "id"
  | "status"
  | "reason"
  | "step_id"
  | "stepped_at"
  | "waits_for"
  | "due_at"
  | "due_fixed"
  | "escalation"
  | "escalated_at"
  | "ended_at"
> & { outputs: RunRow["outputs"] | null };

const RUN_UPDATE = {
  person_key: given.uuid((run) => run.person_key),
  id: given.uuid((run) => run.id),
  status: given.word((run) => run.status),
  reason: given.text((run) => run.reason),
  step_id: given.text((run) => run.step_id),
  outputs: given.json((run) => run.outputs && JSON.stringify(run.outputs)),
  stepped_at: given.time((run) => run.stepped_at),
  waits_for: given.text((run) => run.waits_for),
  due_at: given.time((run) => run.due_at),
  due_fixed: given.boolean((run) => run.due_fixed),
  escalation: given.text((run) => run.escalation && unquoted(run.escalation)),
  escalated_at: given.time((run) => run.escalated_at),
  ended_at: given.time((run) => run.ended_at),
} satisfies Columns<RunUpdate>;

/** Writes the new state of these runs by one statement. The caller holds their locks. */
export const writeRuns = (tx: Queries, runs: RunUpdate[]): Promise<number> =>
  tx.execute(
    prepared(
      "campaigns.writeRuns",
      sql`
      with t as ${once(tx)} (${rowsOf(
        runs,
        RUN_UPDATE,
        ({ escalation, ...t }) => sql`${join(Object.values(t))}, ${escalation}::uuid[] as escalation`,
      )})
      update campaign_runs r set status = t.status, reason = t.reason, step_id = t.step_id,
        outputs = coalesce(t.outputs, r.outputs), stepped_at = t.stepped_at, waits_for = t.waits_for, due_at = t.due_at,
        due_fixed = t.due_fixed, escalation = t.escalation, escalated_at = t.escalated_at, attempts = 0, ended_at = t.ended_at
      from t
      where r.person_key = t.person_key and r.id = t.id`,
    ),
  );

/** Delays a run after a fault, and counts the attempt. @param until by the campaign's own clock */
export const putOff = (tx: Queries, { person_key, id }: RunRow, until: Date): Promise<number> =>
  tx.execute(sql`
    update campaign_runs set due_at = ${until}, due_fixed = false, attempts = attempts + 1
    where person_key = ${person_key} and id = ${id}`);
