import type { CampaignDefinition, CampaignStatus, TriggerType } from "@tidings/contract/campaigns/campaigns";
import type { Channel } from "@tidings/contract/facts/activity";
import { empty, type Queries, sql } from "../../platform/db/index.ts";

export interface CampaignRow {
  workspace_id: string;
  id: string;
  name: string;
  status: CampaignStatus;
  /** What its author wrote last. */
  definition: CampaignDefinition;
  /** The channels of its message steps. */
  channels: Channel[];
  /** The version that people enter; null before the first activation. */
  version: number | null;
  /** The graph of that version. */
  graph: number | null;
  /** By how many milliseconds the campaign's own clock is behind: it stands still during a pause. */
  behind_ms: number;
  paused_at: Date | null;
  /** It is archived, and the engine has still to end its runs. */
  ending: boolean;
  activated_at: Date | null;
  /** Whether the definition is another than that of the version. */
  changed: boolean;
  created_at: Date;
  updated_at: Date;
}

/** A campaign without its definition, for lists. */
export type ListedCampaign = Omit<CampaignRow, "definition"> & { trigger_type: TriggerType };

const LISTED = sql`c.workspace_id, c.id, c.name, c.status, c.channels, c.version, c.graph,
  (extract(epoch from c.behind) * 1000)::double precision as behind_ms, c.paused_at, c.ending, c.activated_at,
  c.definition is distinct from v.definition and c.version is not null as changed, c.created_at, c.updated_at`;
const COLUMNS = sql`${LISTED}, c.definition`;
const WITH_VERSION = sql`campaigns c left join campaign_versions v
  on v.workspace_id = c.workspace_id and v.campaign_id = c.id and v.version = c.version`;

export const list = (
  q: Queries,
  workspaceId: string,
  before: string[] | undefined,
  limit: number,
): Promise<ListedCampaign[]> =>
  q.query(sql`
    select ${LISTED}, c.definition -> 'trigger' ->> 'type' as trigger_type from ${WITH_VERSION}
    where c.workspace_id = ${workspaceId} ${before ? sql`and c.id < ${before[0]}::uuid` : empty}
    order by c.id desc limit ${limit}`);

export async function byId(q: Queries, workspaceId: string, id: string): Promise<CampaignRow | undefined> {
  const [row] = await q.query<CampaignRow>(sql`
    select ${COLUMNS} from ${WITH_VERSION} where c.workspace_id = ${workspaceId} and c.id = ${id}`);
  return row;
}

/** The campaign, locked until the transaction ends. It is read behind the lock: whoever had it before may have published a version. */
export async function lockById(tx: Queries, workspaceId: string, id: string): Promise<CampaignRow | undefined> {
  await tx.execute(sql`select from campaigns where workspace_id = ${workspaceId} and id = ${id} for no key update`);
  return byId(tx, workspaceId, id);
}

/** What its author wrote. */
type Authored = Pick<CampaignRow, "workspace_id" | "id" | "name" | "definition" | "channels">;

export async function insert(tx: Queries, row: Authored, now: Date): Promise<CampaignRow> {
  await tx.execute(sql`
    insert into campaigns (workspace_id, id, name, status, definition, channels, created_at, updated_at)
    values (${row.workspace_id}, ${row.id}, ${row.name}, 'draft', ${JSON.stringify(row.definition)}, ${row.channels}, ${now}, ${now})`);
  return (await byId(tx, row.workspace_id, row.id)) as CampaignRow;
}

/** Writes what its author changed. */
export async function writeDraft(tx: Queries, row: Authored, now: Date): Promise<CampaignRow> {
  await tx.execute(sql`
    update campaigns set name = ${row.name}, definition = ${JSON.stringify(row.definition)}, channels = ${row.channels},
      updated_at = ${now}
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);
  return (await byId(tx, row.workspace_id, row.id)) as CampaignRow;
}

/** Removes the campaign and its versions. */
export const remove = (tx: Queries, workspaceId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from campaigns where workspace_id = ${workspaceId} and id = ${id}`);

/** Where a campaign is in its life. */
type Life = Pick<
  CampaignRow,
  "workspace_id" | "id" | "status" | "version" | "graph" | "behind_ms" | "paused_at" | "ending" | "activated_at"
>;

/** Writes where it is in its life. The caller holds its lock. */
export async function writeLife(tx: Queries, row: Life, now: Date): Promise<CampaignRow> {
  await tx.execute(sql`
    update campaigns set status = ${row.status}, version = ${row.version}, graph = ${row.graph},
      behind = ${row.behind_ms} * interval '1 millisecond', paused_at = ${row.paused_at}, ending = ${row.ending},
      activated_at = ${row.activated_at}, updated_at = ${now}
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);
  return (await byId(tx, row.workspace_id, row.id)) as CampaignRow;
}

/**
 * Campaigns that are not over and name something by its id on the wire: as they are written, as they are published, or in an older
 * journey that somebody is still in.
 */
export const using = (q: Queries, workspaceId: string, text: string): Promise<{ id: string; name: string }[]> => {
  const named = `strict $.** ? (@ == "${text}")`;
  return q.query(sql`
    select c.id, c.name from campaigns c
    where c.workspace_id = ${workspaceId} and c.status <> 'archived' and (c.definition @? ${named}::jsonpath
      or exists (select from campaign_versions v
        where v.workspace_id = c.workspace_id and v.campaign_id = c.id and v.definition @? ${named}::jsonpath
          and (v.version = c.version or exists (select from campaign_runs r
            where r.workspace_id = c.workspace_id and r.campaign_id = c.id and r.step_id is not null and r.graph = v.graph))))
    order by c.name limit 10`);
};
