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

/** The definitions of these versions. */
export const definitionsOf = (
  q: Queries,
  versions: Pick<LiveVersion, "workspace_id" | "campaign_id" | "version">[],
): Promise<(Pick<LiveVersion, "campaign_id" | "version"> & { definition: CampaignDefinition })[]> =>
  q.query(sql`
    select v.campaign_id, v.version, v.definition from
      unnest(${versions.map((one) => one.workspace_id)}::uuid[], ${versions.map((one) => one.campaign_id)}::uuid[],
        ${versions.map((one) => one.version)}::integer[]) as t (workspace_id, campaign_id, version)
    join campaign_versions v using (workspace_id, campaign_id, version)`);
