import type { Actor } from "@tidings/contract/audit";
import type { CampaignDefinition, Inside } from "@tidings/contract/campaigns/campaigns";
import { prepared, type Queries, sql } from "../../platform/db/index.ts";

/** The newest version of one graph of a campaign. */
export interface LiveVersion {
  workspace_id: string;
  campaign_id: string;
  version: number;
  graph: number;
  /** Whether people enter this graph now. */
  current: boolean;
}

/** Returns the newest version of each graph of the active and paused campaigns in these workspaces. */
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

/** The key of a version. */
export type VersionKey = Pick<LiveVersion, "workspace_id" | "campaign_id" | "version">;

/** A published version. It never changes. */
export interface VersionRow extends VersionKey {
  graph: number;
  definition: CampaignDefinition;
}

/** Returns these versions in any order, without the removed ones. */
export const definitionsOf = (q: Queries, versions: VersionKey[]): Promise<VersionRow[]> =>
  q.query(sql`
    select v.workspace_id, v.campaign_id, v.version, v.graph, v.definition from
      unnest(${versions.map((one) => one.workspace_id)}::uuid[], ${versions.map((one) => one.campaign_id)}::uuid[],
        ${versions.map((one) => one.version)}::integer[]) as t (workspace_id, campaign_id, version)
    join campaign_versions v using (workspace_id, campaign_id, version)`);

/** Returns the number of a graph's newest version. */
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

/** Publishes a version. The caller holds the campaign's lock. @param inside what a new graph decides about the runs of earlier graphs */
export const insertVersion = (
  tx: Queries,
  row: VersionRow,
  { inside, by, now }: { inside: Inside | null; by: Actor; now: Date },
): Promise<number> =>
  tx.execute(sql`
    insert into campaign_versions (workspace_id, campaign_id, version, graph, definition, inside, published_by, created_at)
    values (${row.workspace_id}, ${row.campaign_id}, ${row.version}, ${row.graph}, ${JSON.stringify(row.definition)}, ${inside},
      ${JSON.stringify(by)}, ${now})`);

/** A published version, with who published it. */
export interface PublicationRow {
  version: number;
  inside: Inside | null;
  published_by: Actor | null;
  created_at: Date;
}

/** Returns the published versions of a campaign, newest first. @param before only versions before this one */
export const publicationsOf = (
  q: Queries,
  {
    workspaceId,
    campaignId,
    before,
    limit,
  }: { workspaceId: string; campaignId: string; before: string | undefined; limit: number },
): Promise<PublicationRow[]> =>
  q.query(sql`
    select version, inside, published_by, created_at from campaign_versions
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
      and (${before ?? null}::integer is null or version < ${before ?? null}::integer)
    order by version desc limit ${limit}`);

/** A graph of a campaign: its newest version, and what its first version decided about the runs of earlier graphs. */
export interface GraphRow {
  graph: number;
  version: number;
  inside: Inside | null;
  published_at: Date;
}

/** Returns all graphs of a campaign. */
export const graphsOf = (q: Queries, workspaceId: string, campaignId: string): Promise<GraphRow[]> =>
  q.query(sql`
    select graph, max(version) as version, max(inside) as inside, min(created_at) as published_at from campaign_versions
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} group by graph order by graph`);

/** An active or paused campaign, and the campaigns that its steps start, by their ids as the API shows them. */
export interface Starting {
  id: string;
  starts: string[];
}

/** Returns the active and paused campaigns of a workspace, with the campaigns that their published versions start. */
export const startingIn = (q: Queries, workspaceId: string): Promise<Starting[]> =>
  q.query(sql`
    select c.id,
      jsonb_path_query_array(v.definition, 'strict $.steps.** ? (@.type == "start").campaign_id', '{}', true) as starts
    from campaigns c
    join campaign_versions v on v.workspace_id = c.workspace_id and v.campaign_id = c.id and v.version = c.version
    where c.workspace_id = ${workspaceId} and c.status in ('active', 'paused')`);
