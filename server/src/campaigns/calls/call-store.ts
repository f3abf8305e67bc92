import {
  choosing,
  given,
  join,
  prepared,
  preparedOnOne,
  type Queries,
  rowsToCheck,
  sql,
  unquoted,
} from "../../platform/db/index.ts";
import { LEASE_SECONDS } from "../../platform/work/calls.ts";
import type { LineRoom } from "../../platform/work/line-rooms.ts";
import type { CallResponse } from "../rules/calls.ts";
import { dueNow } from "../run/store.ts";

// Calls of webhook steps. Leases and retries go by the clock of the database, which all processes share.

/** A run at a webhook step. */
export interface CallKey {
  person_key: string;
  run_id: string;
  step_id: string;
}

/** What a call came to: an answer for later steps, or the reason why there is none. */
export interface CallAnswer {
  status: number | null;
  response?: CallResponse;
  error?: string;
  /** The beginning of an answer that is no success. */
  text?: string;
}

/** A row of campaign_calls. */
export interface CallRow extends CallKey {
  workspace_id: string;
  campaign_id: string;
  url: string;
  body: string;
  state: "pending" | "answered" | "failed";
  lease_id: string | null;
  attempts: number;
  answer: CallAnswer | null;
}

const COLUMNS = sql`c.person_key, c.run_id, c.step_id, c.workspace_id, c.campaign_id, c.url, c.body, c.state, c.lease_id, c.attempts, c.answer`;

/** Over calls are looked at after this time: whoever waited for them may have ended without them. */
const KEPT = sql`interval '1 day'`;

/** Queues calls. A run has one call from a step. */
export const insertCalls = (
  tx: Queries,
  calls: Pick<CallRow, "person_key" | "run_id" | "step_id" | "workspace_id" | "campaign_id" | "url" | "body">[],
  now: Date,
): Promise<number> =>
  tx.execute(
    preparedOnOne(
      tx,
      "campaigns.insertCalls",
      sql`
      insert into campaign_calls (person_key, run_id, step_id, workspace_id, campaign_id, url, body, due_at, created_at)
      ${rowsToCheck(
        tx,
        calls,
        {
          person_key: given.uuid((one) => one.person_key),
          run_id: given.uuid((one) => one.run_id),
          step_id: given.word((one) => one.step_id),
          workspace_id: given.uuid((one) => one.workspace_id),
          campaign_id: given.uuid((one) => one.campaign_id),
          url: given.text((one) => one.url),
          body: given.text((one) => one.body),
        },
        (t) => sql`${join(Object.values(t))}, now(), ${now}::timestamptz`,
      )}
      on conflict do nothing`,
    ),
  );

type RunKey = { person_key: string; id: string };

/** Returns which of these runs have a call from a step that is not over. */
export const pendingCalls = (q: Queries, stepId: string, runs: RunKey[]): Promise<{ run_id: string }[]> =>
  q.query(
    prepared(
      "campaigns.pendingCalls",
      sql`
      select c.run_id from unnest(${unquoted(runs.map((run) => run.person_key))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[])
        as t (person_key, id)
      join campaign_calls c on c.person_key = t.person_key and c.run_id = t.id and c.step_id = ${stepId}
      where c.state = 'pending'`,
    ),
  );

/** Deletes the calls of these runs from a step that are over, and returns them. */
export const takeOver = (tx: Queries, stepId: string, runs: RunKey[]): Promise<CallRow[]> =>
  tx.query(
    prepared(
      "campaigns.takeCalls",
      sql`
      delete from campaign_calls c
      using unnest(${unquoted(runs.map((run) => run.person_key))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[])
        as t (person_key, id)
      where c.person_key = t.person_key and c.run_id = t.id and c.step_id = ${stepId} and c.state <> 'pending'
      returning ${COLUMNS}`,
    ),
  );

/** A campaign with calls. */
export interface CallingCampaign {
  id: string;
  workspace_id: string;
  /** Milliseconds until its first call has to be looked at. */
  due_in: number;
}

const FIRST_CALL = sql`recursive calling as (
        (select campaign_id, workspace_id, due_at from campaign_calls order by campaign_id, due_at limit 1)
        union all
        select n.* from calling l cross join lateral (
          select campaign_id, workspace_id, due_at from campaign_calls
          where campaign_id > l.campaign_id order by campaign_id, due_at limit 1) n)`;
/** No recursion reaches over shards. Each of them reads its calls, which are few: a call is a minute old at most, unless it is repeated. */
const FIRST_CALLS = sql`calling as (
        select campaign_id, workspace_id, min(due_at) as due_at from campaign_calls group by 1, 2)`;

/**
 * Returns the campaigns with calls, without those that are paused and those of suspended workspaces. It skips from campaign to campaign in
 * the index: as many rows are read as there are campaigns with calls.
 */
export const callingCampaigns = (q: Queries): Promise<CallingCampaign[]> =>
  q.query(
    prepared(
      "campaigns.calling",
      sql`
      with ${q.distributed ? FIRST_CALLS : FIRST_CALL}
      select l.campaign_id as id, l.workspace_id, (extract(epoch from l.due_at - now()) * 1000)::double precision as due_in
      from calling l join workspaces w on w.id = l.workspace_id and w.status = 'active'
      left join campaigns c on c.workspace_id = l.workspace_id and c.id = l.campaign_id
      where c.status is distinct from 'paused'`,
    ),
  );

/** Leases due calls, for each campaign at most as many as it has room for. */
export function claimCalls(q: Queries, leaseId: string, rooms: LineRoom[]): Promise<CallRow[]> {
  const { lock, still } = choosing(q, sql`for update skip locked`, sql`c.due_at <= now()`);
  const [ids, sizes] = [rooms.map(({ id }) => id), rooms.map(({ room }) => room)];
  return q.query(
    prepared(
      "campaigns.claimCalls",
      sql`
      with picked as (
        select d.* from unnest(${ids}::uuid[], ${sizes}::int[]) as l (campaign_id, room)
        ${
          q.distributed
            ? sql`join (
          select person_key, run_id, step_id, campaign_id, row_number() over (partition by campaign_id order by due_at) as nth
          from campaign_calls where campaign_id = any(${ids}::uuid[]) and due_at <= now()) d
          on d.campaign_id = l.campaign_id and d.nth <= l.room`
            : sql`cross join lateral (
          select person_key, run_id, step_id from campaign_calls
          where campaign_id = l.campaign_id and due_at <= now()
          order by due_at limit l.room
          ${lock}) as d`
        })
      update campaign_calls c set lease_id = ${leaseId}, due_at = now() + ${LEASE_SECONDS} * interval '1 second'
      from picked p where c.person_key = p.person_key and c.run_id = p.run_id and c.step_id = p.step_id ${still}
      returning ${COLUMNS}`,
    ),
  );
}

/** Releases leased calls that were not made. */
export const releaseCalls = (q: Queries, calls: CallRow[]): Promise<number> =>
  q.execute(sql`
    update campaign_calls c set lease_id = null, due_at = now()
    from unnest(${calls.map((one) => one.person_key)}::uuid[], ${calls.map((one) => one.run_id)}::uuid[],
      ${calls.map((one) => one.step_id)}::text[], ${calls.map((one) => one.lease_id)}::uuid[]) as t (person_key, run_id, step_id, lease_id)
    where c.person_key = t.person_key and c.run_id = t.run_id and c.step_id = t.step_id and c.lease_id = t.lease_id`);

/** Releases the calls of lost leases. A leased call is due within LEASE_SECONDS, so few rows are read. */
export const takeBackCalls = (q: Queries, leaseIds: string[], campaignIds: string[]): Promise<number> =>
  q.execute(sql`
    update campaign_calls set lease_id = null, due_at = now()
    where campaign_id = any(${campaignIds}::uuid[]) and lease_id = any(${leaseIds}::uuid[])
      and due_at > now() and due_at <= now() + ${LEASE_SECONDS} * interval '1 second'`);

/** Returns whether a run still waits at the step of a call, and whether its campaign is paused. */
export async function awaits(q: Queries, call: CallRow): Promise<{ awaited: boolean; paused: boolean }> {
  const [row] = await q.query<{ awaited: boolean; paused: boolean }>(
    prepared(
      "campaigns.awaitsCall",
      sql`
      select exists (select from campaign_runs r
          where r.person_key = ${call.person_key} and r.id = ${call.run_id} and r.step_id = ${call.step_id}
        ) and c.status in ('active', 'paused') as awaited, c.status = 'paused' as paused
      from campaigns c where c.workspace_id = ${call.workspace_id} and c.id = ${call.campaign_id}`,
    ),
  );
  return row ?? { awaited: false, paused: false };
}

const leased = ({ person_key, run_id, step_id, lease_id }: CallRow) =>
  sql`person_key = ${person_key} and run_id = ${run_id} and step_id = ${step_id} and lease_id = ${lease_id}`;

/** Deletes a call for which no run waits. */
export const dropCall = (q: Queries, call: CallRow): Promise<number> =>
  q.execute(sql`delete from campaign_calls where ${leased(call)}`);

/** Keeps a call that is over, because its run has not collected it yet. */
export const keepCall = (q: Queries, call: CallRow): Promise<number> =>
  q.execute(sql`update campaign_calls set lease_id = null, due_at = now() + ${KEPT} where ${leased(call)}`);

/** Writes an attempt after which the call is to be repeated. */
export const repeatCall = (q: Queries, call: CallRow, waitMs: number, answer: CallAnswer): Promise<number> =>
  q.execute(sql`
    update campaign_calls set lease_id = null, attempts = attempts + 1, answer = ${JSON.stringify(answer)}::jsonb,
      due_at = now() + ${waitMs}::double precision * interval '1 ms'
    where ${leased(call)}`);

/**
 * Writes that a call is over, and makes its run due. The run is locked first, as in the engine. Where it no longer waits at the step, the
 * call is deleted and its answer ignored. Writes nothing if another process has the call by now.
 */
export const settleCall = (
  q: Queries,
  call: CallRow,
  { state, answer }: { state: "answered" | "failed"; answer: CallAnswer },
  now: Date,
): Promise<{ campaign_id: string }[]> =>
  q.query(
    prepared(
      "campaigns.settleCall",
      sql`
      with waiting as materialized (
        select person_key, id from campaign_runs
        where person_key = ${call.person_key} and id = ${call.run_id} and step_id = ${call.step_id}
        for no key update),
      settled as (
        update campaign_calls set state = ${state}, lease_id = null, attempts = attempts + 1, due_at = now() + ${KEPT},
          answer = ${JSON.stringify(answer)}::jsonb
        where ${leased(call)} and exists (select from waiting)
        returning person_key, run_id as id, workspace_id, campaign_id),
      dropped as (
        delete from campaign_calls where ${leased(call)} and not exists (select from waiting))
      ${dueNow(q, sql`settled`, now)}`,
    ),
  );
