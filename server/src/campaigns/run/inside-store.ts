import { prepared, type Queries, raw, rowLock, sql, unquoted } from "../../platform/db/index.ts";
import type { CampaignRef, RunRow } from "./run.ts";
import { type HeldCampaign, lockedInShards, ownClock, RUN_COLUMNS } from "./store.ts";

// The active runs of a campaign, for its activation and its archive. A campaign may have 1,000,000 of them: they change in batches, and a
// batch skips the runs that other transactions hold, so that no event waits for it and no two transactions wait for each other.

/** Returns how many runs are at each step. */
export const countByStep = (q: Queries, campaign: CampaignRef): Promise<{ step_id: string; runs: number }[]> =>
  q.query(sql`
    select step_id, count(*)::integer as runs from campaign_runs
    where workspace_id = ${campaign.workspaceId} and campaign_id = ${campaign.campaignId} and step_id is not null
    group by step_id order by step_id`);

/** Active runs of graphs before this one. `steps` are the steps of these graphs: with them PostgreSQL reads these runs only. */
export interface Earlier {
  graph: number;
  steps: string[];
}

const earlierThan = ({ workspaceId, campaignId }: CampaignRef, { graph, steps }: Earlier) => sql`
  workspace_id = ${workspaceId} and campaign_id = ${campaignId} and step_id is not null and step_id = any(${steps}) and graph < ${graph}`;

/** Locks and returns up to `limit` active runs of earlier graphs, without those that other transactions hold. */
export const lockEarlier = (tx: Queries, campaign: CampaignRef, earlier: Earlier, limit: number): Promise<RunRow[]> => {
  const which = earlierThan(campaign, earlier);
  return tx.query(
    tx.distributed
      ? lockedInShards(sql`select person_key, id from campaign_runs where ${which} limit ${limit}`, which)
      : sql`
    select ${RUN_COLUMNS} from campaign_runs where ${which} limit ${limit} for update skip locked`,
  );
};

/** Whether a campaign has active runs of earlier graphs, also such that other transactions hold. */
export async function hasEarlier(q: Queries, campaign: CampaignRef, earlier: Earlier): Promise<boolean> {
  const rows = await q.query(sql`select from campaign_runs where ${earlierThan(campaign, earlier)} limit 1`);
  return rows.length > 0;
}

/** A run that moves to another graph. */
export interface GraphMove {
  run: Pick<RunRow, "person_key" | "id">;
  graph: number;
  stepId: string;
  /** The run evaluates its step again: it is due at once, and forgets the event that it waited for. */
  again: boolean;
}

/** Moves runs to other graphs. The caller holds their locks. @param clock now by the campaign's own clock */
export const moveToGraphs = (tx: Queries, moves: GraphMove[], clock: Date): Promise<number> =>
  tx.execute(
    prepared(
      "campaigns.moveToGraphs",
      sql`
      update campaign_runs r set graph = t.graph, step_id = t.step_id,
        due_at = case when t.again then ${clock}::timestamptz else r.due_at end, due_fixed = r.due_fixed and not t.again,
        waits_for = case when not t.again then r.waits_for end,
        outputs = case when t.again then r.outputs #- array[t.step_id, 'event'] else r.outputs end
      from unnest(${unquoted(moves.map(({ run }) => run.person_key))}::uuid[], ${unquoted(moves.map(({ run }) => run.id))}::uuid[],
        ${unquoted(moves.map((move) => move.graph))}::integer[], ${moves.map((move) => move.stepId)}::text[],
        ${unquoted(moves.map((move) => move.again))}::boolean[]) as t (person_key, id, graph, step_id, again)
      where r.person_key = t.person_key and r.id = t.id`,
    ),
  );

/** Returns the ids of those runs that have a passage: they have begun a step. */
export async function begunAmong(q: Queries, runs: Pick<RunRow, "person_key" | "id">[]): Promise<Set<string>> {
  const rows = await q.query<{ id: string }>(sql`
    select distinct p.run_id as id from unnest(${unquoted(runs.map((run) => run.person_key))}::uuid[], ${unquoted(runs.map((run) => run.id))}::uuid[])
      as t (person_key, id)
    join campaign_passages p on p.person_key = t.person_key and p.run_id = t.id`);
  return new Set(rows.map((row) => row.id));
}

/** Returns the campaign if it has runs to settle, whatever its status is. No graph is published until the transaction ends. */
export async function holdSettling(tx: Queries, campaign: CampaignRef, now: Date): Promise<HeldCampaign | undefined> {
  const locked = await rowLock(tx, [campaign.campaignId], "share");
  const [row] = await tx.query<HeldCampaign>(sql`
    select c.graph, (extract(epoch from ${now}::timestamptz - ${ownClock(now)}) * 1000)::double precision as behind
    from campaigns c where workspace_id = ${campaign.workspaceId} and id = ${campaign.campaignId} and settling ${locked}`);
  return row;
}

/** Writes that a campaign has no more runs to settle, or to end. */
export const noteDone = (tx: Queries, campaign: CampaignRef, what: "settling" | "ending"): Promise<number> =>
  tx.execute(
    sql`update campaigns set ${raw(what)} = false where workspace_id = ${campaign.workspaceId} and id = ${campaign.campaignId}`,
  );

/** Locks up to `limit` active runs that no other transaction holds. */
export const lockInside = (
  tx: Queries,
  campaign: CampaignRef,
  limit: number,
): Promise<Pick<RunRow, "person_key" | "id">[]> => {
  const which = sql`workspace_id = ${campaign.workspaceId} and campaign_id = ${campaign.campaignId} and step_id is not null`;
  const chosen = sql`
    select person_key, id from campaign_runs
    where ${which}
    limit ${limit}`;
  return tx.query(tx.distributed ? lockedInShards(chosen, which) : sql`${chosen} for update skip locked`);
};

/**
 * Locks an archived campaign, and returns whether it has active runs. It waits for the transactions in which people enter that saw the campaign
 * active (enter-store.ts); from here on nobody enters.
 */
export async function holdArchived(tx: Queries, campaign: CampaignRef): Promise<boolean> {
  const { workspaceId, campaignId } = campaign;
  const locked = await rowLock(tx, [campaignId], "update");
  await tx.execute(sql`select from campaigns where workspace_id = ${workspaceId} and id = ${campaignId} ${locked}`);
  const left = await tx.query(sql`
    select from campaign_runs where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and step_id is not null limit 1`);
  return left.length > 0;
}
