import { OLDEST, type Position } from "../../activity/index.ts";
import { attributeBetween } from "../../audiences/index.ts";
import { join, type Queries, type Sql, sql } from "../../platform/db/index.ts";
import type { Drift } from "../rules/touches.ts";
import type { CampaignRef } from "../run/run.ts";

/** Begins to sweep for a campaign. Returns whether its audience differs from the one before. */
export async function beginSweeps(tx: Queries, campaign: CampaignRef, audience: object, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into campaign_sweeps as old (workspace_id, campaign_id, audience, due_at)
    values (${campaign.workspaceId}, ${campaign.campaignId}, ${JSON.stringify(audience)}::jsonb, ${now})
    on conflict (workspace_id, campaign_id) do update
      set audience = excluded.audience, after_key = null, started_at = null, due_at = excluded.due_at, full_at = null, settled = false
      where old.audience <> excluded.audience
    returning campaign_id`);
  return rows.length === 1;
}

export const endSweeps = (tx: Queries, campaign: CampaignRef): Promise<number> =>
  tx.execute(sql`
    delete from campaign_sweeps where workspace_id = ${campaign.workspaceId} and campaign_id = ${campaign.campaignId}`);

/** Makes the next sweep a full one, and due now: a campaign was paused, and nobody's changes were heard. */
export const sweepAgain = (tx: Queries, { workspaceId, campaignId }: CampaignRef, now: Date): Promise<number> =>
  tx.execute(sql`
    update campaign_sweeps set after_key = null, started_at = null, full_at = null, settled = false, due_at = ${now}
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`);

/** What the sweeps of a campaign have reached. */
export interface SweepState {
  /** The last person of the page before; null between two sweeps. */
  after_key: string | null;
  /** When the full sweep under way began. */
  started_at: Date | null;
  full_at: Date | null;
  settled: boolean;
  seen_at: Date | null;
  fingerprint: string | null;
  feed: Position;
}

/** A due sweep of a campaign that people enter with an audience. */
export interface Sweep extends SweepState {
  workspace_id: string;
  campaign_id: string;
  graph: number;
}

/** True if people are to be checked, or a sweep is due at this time. */
export const isAudienceWorkDue = (now: Date): Sql => sql`exists (select 1 from campaign_checks)
  or exists (select 1 from campaign_sweeps s
    join campaigns c on c.workspace_id = s.workspace_id and c.id = s.campaign_id and c.status = 'active'
    where s.due_at <= ${now})`;

/** Locks and returns the first due sweep of an active campaign that no other transaction holds. */
export async function takeSweep(tx: Queries, now: Date): Promise<Sweep | undefined> {
  const [row] = await tx.query<Omit<Sweep, "feed"> & { feed_txid: string | null; feed_id: string | null }>(sql`
    select s.workspace_id, s.campaign_id, c.graph, s.after_key, s.started_at, s.full_at, s.settled, s.seen_at, s.fingerprint,
      s.feed_txid, s.feed_id
    from campaign_sweeps s
    join campaigns c on c.workspace_id = s.workspace_id and c.id = s.campaign_id and c.status = 'active'
    where s.due_at <= ${now} order by s.due_at limit 1 for update of s skip locked`);
  if (!row) return undefined;
  const { feed_txid, feed_id, ...sweep } = row;
  return { ...sweep, feed: feed_txid === null || feed_id === null ? OLDEST : { txid: feed_txid, id: feed_id } };
}

/** Writes the progress of a sweep, and when the next page or sweep is due. */
export const moveSweep = (
  tx: Queries,
  { workspace_id, campaign_id }: Pick<Sweep, "workspace_id" | "campaign_id">,
  { after_key, started_at, full_at, settled, seen_at, fingerprint, feed }: SweepState,
  dueAt: Date,
): Promise<number> =>
  tx.execute(sql`
    update campaign_sweeps set after_key = ${after_key}, started_at = ${started_at}, full_at = ${full_at}, settled = ${settled},
      seen_at = ${seen_at}, fingerprint = ${fingerprint}, feed_txid = ${feed.txid}, feed_id = ${feed.id}, due_at = ${dueAt}
    where workspace_id = ${workspace_id} and campaign_id = ${campaign_id}`);

/**
 * Returns the people for whom a condition on time may have changed between two moments: their event left the time in which it counts, or
 * their attribute came into it or left it. Events are found by their index on names and times; attributes of all people are read.
 */
export async function peopleMovedByTime(
  q: Queries,
  workspaceId: string,
  { events, attributes }: Pick<Drift, "events" | "attributes">,
  { from, until, limit }: { from: Date; until: Date; limit: number },
): Promise<string[]> {
  const ago = (ms: number) => ({ from: new Date(from.getTime() - ms), until: new Date(until.getTime() - ms) });
  const parts = [
    ...events.map(({ name, withinMs }) => {
      const left = ago(withinMs);
      return sql`(select distinct person_key from events where workspace_id = ${workspaceId} and name = ${name}
        and ts >= ${left.from} and ts <= ${left.until} limit ${limit})`;
    }),
    ...attributes.map(
      ({ name, withinMs }) => sql`(select p.person_key from people p where p.workspace_id = ${workspaceId}
        and (${attributeBetween(name, ago(withinMs))} or ${attributeBetween(name, { from, until })}) limit ${limit})`,
    ),
  ];
  if (parts.length === 0) return [];
  const rows = await q.query<{ person_key: string }>(
    sql`select person_key from (${join(parts, " union ")}) moved limit ${limit}`,
  );
  return rows.map((row) => row.person_key);
}
