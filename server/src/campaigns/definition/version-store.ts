import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { prepared, type Queries, sql } from "../../platform/db/index.ts";

/** The newest version of a graph of a campaign that people are in. */
export interface LiveVersion {
  workspace_id: string;
  campaign_id: string;
  version: number;
  graph: number;
  /** Whether people enter this graph now. */
  current: boolean;
}

/** The newest version of each graph of the campaigns of these workspaces that are active or paused. */
export const liveVersions = (q: Queries, workspaceIds: string[]): Promise<LiveVersion[]> =>
  q.query(
    prepared(
      "campaigns.liveVersions",
      sql`
      select c.workspace_id, c.id as campaign_id, v.version, v.graph, c.status = 'active' and v.graph = c.graph as current
      from campaigns c
      cross join lateral (
        select v.graph, max(v.version) as version from campaign_versions v
        where v.workspace_id = c.workspace_id and v.campaign_id = c.id group by v.graph) v
      where c.workspace_id = any(${workspaceIds}::uuid[]) and c.status in ('active', 'paused')
      order by c.workspace_id, c.id, v.graph`,
    ),
  );

/** Names a version. */
export type VersionName = Pick<LiveVersion, "workspace_id" | "campaign_id" | "version">;

/** A published version. It never changes. */
export interface VersionRow extends VersionName {
  graph: number;
  definition: CampaignDefinition;
}

/** These versions, in any order; those that are gone are left out. */
export const definitionsOf = (q: Queries, versions: VersionName[]): Promise<VersionRow[]> =>
  q.query(sql`
    select v.workspace_id, v.campaign_id, v.version, v.graph, v.definition from
      unnest(${versions.map((one) => one.workspace_id)}::uuid[], ${versions.map((one) => one.campaign_id)}::uuid[],
        ${versions.map((one) => one.version)}::integer[]) as t (workspace_id, campaign_id, version)
    join campaign_versions v using (workspace_id, campaign_id, version)`);

/** The number of the newest version of a graph. */
export async function newestVersion(
  q: Queries,
  { workspaceId, campaignId, graph }: { workspaceId: string; campaignId: string; graph: number },
): Promise<number | undefined> {
  const [row] = await q.query<{ version: number }>(
    prepared(
      "campaigns.newestVersion",
      sql`
      select version from campaign_versions
      where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and graph = ${graph}
      order by version desc limit 1`,
    ),
  );
  return row?.version;
}

/** Publishes a version. The caller holds the campaign's lock. */
export const insertVersion = (tx: Queries, row: VersionRow, now: Date): Promise<number> =>
  tx.execute(sql`
    insert into campaign_versions (workspace_id, campaign_id, version, graph, definition, created_at)
    values (${row.workspace_id}, ${row.campaign_id}, ${row.version}, ${row.graph}, ${JSON.stringify(row.definition)}, ${now})`);

/** A campaign that runs, and the campaigns that its steps start, by their ids on the wire. */
export interface Starting {
  id: string;
  starts: string[];
}

/** What the active and paused campaigns of a workspace start, as they are published. */
export const startingIn = (q: Queries, workspaceId: string): Promise<Starting[]> =>
  q.query(sql`
    select c.id,
      jsonb_path_query_array(v.definition, 'strict $.steps.** ? (@.type == "start").campaign_id', '{}', true) as starts
    from campaigns c
    join campaign_versions v on v.workspace_id = c.workspace_id and v.campaign_id = c.id and v.version = c.version
    where c.workspace_id = ${workspaceId} and c.status in ('active', 'paused')`);
