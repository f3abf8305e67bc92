import type { CampaignDefinition, CampaignStatus, Trigger, TriggerType } from "@tidings/contract/campaigns/campaigns";
import type { Channel } from "@tidings/contract/facts/activity";
import { empty, type Queries, rowLock, sql, type Sql } from "../../platform/db/index.ts";
import { byInstant, byText, type ListSource } from "../../platform/resources/lists.ts";

export interface CampaignRow {
  workspace_id: string;
  id: string;
  name: string;
  status: CampaignStatus;
  /** The latest draft. */
  definition: CampaignDefinition;
  /** The channels of its message steps. */
  channels: Channel[];
  /** The version that people enter; null before the first activation. */
  version: number | null;
  /** The graph of that version. */
  graph: number | null;
  /** By how many milliseconds the campaign's own clock is behind. It stands still during a pause. */
  behind_ms: number;
  paused_at: Date | null;
  /** Whether the campaign is archived and the engine still has runs to end. */
  ending: boolean;
  /** Whether the engine still has runs of earlier graphs to move or end, as an activation decided. */
  settling: boolean;
  /** How many runs there were when the engine began with that, when, and how many are left. */
  work_total: number | null;
  work_since: Date | null;
  work_left: number;
  activated_at: Date | null;
  /** Whether the draft differs from the published version. */
  changed: boolean;
  created_at: Date;
  updated_at: Date;
}

/** A campaign without its definition, for lists. */
export type ListedCampaign = Omit<CampaignRow, "definition"> & {
  trigger_type: TriggerType;
  trigger: Trigger;
  active_runs: number;
  step_count: number;
};

const LISTED = sql`c.workspace_id, c.id, c.name, c.status, c.channels, c.version, c.graph,
  (extract(epoch from c.behind) * 1000)::double precision as behind_ms, c.paused_at, c.ending, c.settling,
  c.work_total, c.work_since, c.activated_at, c.definition is distinct from v.definition and c.version is not null as changed,
  c.created_at, c.updated_at`;
const COLUMNS = sql`${LISTED}, c.definition`;
const WITH_VERSION = sql`campaigns c left join campaign_versions v
  on v.workspace_id = c.workspace_id and v.campaign_id = c.id and v.version = c.version`;

/** Counts the steps in the definition, with those in branches and arms. */
const STEP_COUNT = sql`(
  with recursive s (step) as (
    select jsonb_path_query(c.definition, '$.steps[*]')
    union all
    select inner_step from s cross join lateral (
      select jsonb_path_query(s.step, '$.then[*]') as inner_step
      union all select jsonb_path_query(s.step, '$.else[*]')
      union all select jsonb_path_query(s.step, '$.arms[*].steps[*]')) as below)
  select count(*)::integer from s)`;

type Stored = Omit<CampaignRow, "work_left">;
type Working = Pick<Stored, "workspace_id" | "id" | "ending" | "settling">;

/**
 * Counts the runs that an activation or an archive left to the engine and that are left now. Only campaigns that have some are asked about,
 * because the count reads an entry of an index for each run.
 */
async function countLeft(q: Queries, row: Working): Promise<number> {
  if (!(row.ending || row.settling)) return 0;
  const which = sql`workspace_id = ${row.workspace_id} and campaign_id = ${row.id}`;
  const earlier = sql`and graph < (select max(graph) from campaign_versions where ${which} and inside in ('move', 'end'))`;
  const [counted] = await q.query<{ n: number }>(sql`
    select count(*)::integer as n from campaign_runs where ${which} and step_id is not null ${row.ending ? empty : earlier}`);
  return counted?.n ?? 0;
}

const withLeft = async <Row extends Working>(q: Queries, row: Row) => ({
  ...row,
  work_left: await countLeft(q, row),
});

/** Counts the runs of each campaign that are at a step: an index has no others. */
async function withActiveRuns<Row extends { id: string }>(q: Queries, workspaceId: string, rows: Row[]) {
  const counted = await q.query<{ campaign_id: string; n: number }>(sql`
    select campaign_id, count(*)::integer as n from campaign_runs
    where workspace_id = ${workspaceId} and campaign_id = any(${rows.map(({ id }) => id)}::uuid[]) and step_id is not null
    group by campaign_id`);
  const active = new Map(counted.map(({ campaign_id, n }) => [campaign_id, n]));
  return rows.map((row) => ({ ...row, active_runs: active.get(row.id) ?? 0 }));
}

export const listSource: ListSource = {
  columns: sql`${LISTED}, c.definition -> 'trigger' ->> 'type' as trigger_type, c.definition -> 'trigger' as trigger,
    ${STEP_COUNT} as step_count`,
  from: WITH_VERSION,
  of: (workspaceId) => sql`c.workspace_id = ${workspaceId}`,
  id: sql`c.id`,
  sorts: { updated_at: byInstant(sql`c.updated_at`), name: byText(sql`c.name`), status: byText(sql`c.status`) },
  facets: { status: sql`c.status` },
  texts: [sql`c.name`],
  complete: async <Row extends { id: string }>(q: Queries, workspaceId: string, rows: Row[]) => {
    const left = (rows as (Row & Working)[]).map((row) => withLeft(q, row));
    return withActiveRuns(q, workspaceId, await Promise.all(left));
  },
};

export async function byId(q: Queries, workspaceId: string, id: string): Promise<CampaignRow | undefined> {
  const [row] = await q.query<Stored>(sql`
    select ${COLUMNS} from ${WITH_VERSION} where c.workspace_id = ${workspaceId} and c.id = ${id}`);
  return row && withLeft(q, row);
}

export const namesById = (q: Queries, workspaceId: string, ids: string[]): Promise<{ id: string; name: string }[]> =>
  q.query(sql`select id, name from campaigns where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`);

/** Returns the campaigns in which the engine moves or ends runs, without their definitions. */
export async function working(
  q: Queries,
  workspaceId: string,
  limit: number,
): Promise<Omit<CampaignRow, "definition">[]> {
  const rows = await q.query<Omit<Stored, "definition">>(sql`
    select ${LISTED} from ${WITH_VERSION} where c.workspace_id = ${workspaceId} and (c.ending or c.settling)
    order by c.id desc limit ${limit}`);
  return Promise.all(rows.map((row) => withLeft(q, row)));
}

/** Locks a campaign until the transaction ends. */
export async function lock(tx: Queries, workspaceId: string, id: string): Promise<void> {
  const locked = await rowLock(tx, [id], "no key update");
  await tx.execute(sql`select from campaigns where workspace_id = ${workspaceId} and id = ${id} ${locked}`);
}

/** Locks a campaign until the transaction ends, and returns it. It is read after the lock: the previous holder may have published a version. */
export async function lockById(tx: Queries, workspaceId: string, id: string): Promise<CampaignRow | undefined> {
  await lock(tx, workspaceId, id);
  return byId(tx, workspaceId, id);
}

/** The columns that an author writes. */
type Authored = Pick<CampaignRow, "workspace_id" | "id" | "name" | "definition" | "channels">;

export async function insert(tx: Queries, row: Authored, now: Date): Promise<CampaignRow> {
  await tx.execute(sql`
    insert into campaigns (workspace_id, id, name, status, definition, channels, created_at, updated_at)
    values (${row.workspace_id}, ${row.id}, ${row.name}, 'draft', ${JSON.stringify(row.definition)}, ${row.channels}, ${now}, ${now})`);
  return (await byId(tx, row.workspace_id, row.id)) as CampaignRow;
}

/** Writes the draft. */
export async function writeDraft(tx: Queries, row: Authored, now: Date): Promise<CampaignRow> {
  await tx.execute(sql`
    update campaigns set name = ${row.name}, definition = ${JSON.stringify(row.definition)}, channels = ${row.channels},
      updated_at = ${now}
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);
  return (await byId(tx, row.workspace_id, row.id)) as CampaignRow;
}

/** Removes the campaign and its versions. */
export async function remove(tx: Queries, workspaceId: string, id: string): Promise<void> {
  await rowLock(tx, [id], "update");
  await tx.execute(sql`delete from campaigns where workspace_id = ${workspaceId} and id = ${id}`);
}

/** The columns that a change of status writes. */
type Lifecycle = Pick<
  CampaignRow,
  | "workspace_id"
  | "id"
  | "status"
  | "version"
  | "graph"
  | "behind_ms"
  | "paused_at"
  | "ending"
  | "settling"
  | "work_total"
  | "work_since"
  | "activated_at"
>;

/** Writes the status and the published version. The caller holds the lock. */
export async function writeLifecycle(tx: Queries, row: Lifecycle, now: Date): Promise<CampaignRow> {
  await tx.execute(sql`
    update campaigns set status = ${row.status}, version = ${row.version}, graph = ${row.graph},
      behind = ${row.behind_ms} * interval '1 millisecond', paused_at = ${row.paused_at}, ending = ${row.ending},
      settling = ${row.settling}, work_total = ${row.work_total}, work_since = ${row.work_since},
      activated_at = ${row.activated_at}, updated_at = ${now}
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);
  return (await byId(tx, row.workspace_id, row.id)) as CampaignRow;
}

/**
 * Returns the campaigns that are not archived and contain this id: in the draft, in the published version, or in an older journey that
 * somebody is still in. @param text an id as the API shows it
 */
export const using = (q: Queries, workspaceId: string, text: string): Promise<{ id: string; name: string }[]> => {
  const named = `strict $.** ? (@ == "${text}")`;
  // In shards one statement reads the runs of all campaigns first, because no sub-select for each version reaches over them.
  const standing = (workspace: Sql, rest: Sql) =>
    sql`select from ${
      q.distributed ? sql`standing` : sql`campaign_runs`
    } r where ${q.distributed ? empty : sql`r.workspace_id = ${workspace} and r.step_id is not null and`} ${rest}`;
  return q.query(sql`
    ${
      q.distributed
        ? sql`with standing as materialized (select distinct campaign_id, graph from campaign_runs
      where workspace_id = ${workspaceId} and step_id is not null)`
        : empty
    }
    select c.id, c.name from campaigns c
    where c.workspace_id = ${workspaceId} and c.status <> 'archived' and (c.definition @? ${named}::jsonpath
      or exists (select from campaign_versions v
        where v.workspace_id = c.workspace_id and v.campaign_id = c.id and v.definition @? ${named}::jsonpath
          and (v.version = c.version or exists (${standing(sql`c.workspace_id`, sql`r.campaign_id = c.id and r.graph = v.graph`)}))))
    order by c.name limit 10`);
};

/** Returns up to ten campaigns that are not archived and whose draft or published journey has this text. */
export const saying = (q: Queries, workspaceId: string, text: string): Promise<{ id: string; name: string }[]> =>
  q.query(sql`
    select c.id, c.name from campaigns c
    left join campaign_versions v on v.workspace_id = c.workspace_id and v.campaign_id = c.id and v.version = c.version
    where c.workspace_id = ${workspaceId} and c.status <> 'archived'
      and (strpos(c.definition::text, ${text}) > 0 or strpos(v.definition::text, ${text}) > 0)
    order by c.name limit 10`);
