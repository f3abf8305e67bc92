import type { CampaignDefinition, CampaignStatus } from "@tidings/contract/campaigns/campaigns";
import { empty, type Queries, sql } from "../../platform/db/index.ts";

export interface CampaignRow {
  workspace_id: string;
  id: string;
  name: string;
  status: CampaignStatus;
  /** What its author wrote last. */
  definition: CampaignDefinition;
  /** The version that people enter; null before the first activation. */
  version: number | null;
  /** The graph of that version. */
  graph: number | null;
  /** By how many milliseconds the campaign's own clock is behind: it stands still during a pause. */
  behind_ms: number;
  paused_at: Date | null;
  activated_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** A published version. It never changes. */
export interface VersionRow {
  workspace_id: string;
  campaign_id: string;
  version: number;
  graph: number;
  definition: CampaignDefinition;
}

const COLUMNS = sql`workspace_id, id, name, status, definition, version, graph,
  (extract(epoch from behind) * 1000)::double precision as behind_ms, paused_at, activated_at, created_at, updated_at`;

export const list = (
  q: Queries,
  workspaceId: string,
  before: string[] | undefined,
  limit: number,
): Promise<CampaignRow[]> =>
  q.query(sql`
    select ${COLUMNS} from campaigns
    where workspace_id = ${workspaceId} ${before ? sql`and id < ${before[0]}::uuid` : empty}
    order by id desc limit ${limit}`);

export async function byId(q: Queries, workspaceId: string, id: string): Promise<CampaignRow | undefined> {
  const [row] = await q.query<CampaignRow>(sql`
    select ${COLUMNS} from campaigns where workspace_id = ${workspaceId} and id = ${id}`);
  return row;
}

/** The campaign, locked until the transaction ends. */
export async function lockById(tx: Queries, workspaceId: string, id: string): Promise<CampaignRow | undefined> {
  const [row] = await tx.query<CampaignRow>(sql`
    select ${COLUMNS} from campaigns where workspace_id = ${workspaceId} and id = ${id} for no key update`);
  return row;
}

/** The newest version of a graph. */
export async function newestOf(
  q: Queries,
  workspaceId: string,
  campaignId: string,
  graph: number,
): Promise<VersionRow | undefined> {
  const [row] = await q.query<VersionRow>(sql`
    select workspace_id, campaign_id, version, graph, definition from campaign_versions
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and graph = ${graph}
    order by version desc limit 1`);
  return row;
}
