import type { DestinationKind, DestinationTable } from "@tidings/contract/destinations";
import { join, type Queries, sql } from "../platform/db/index.ts";
import { newSecret } from "../platform/resources/authored.ts";
import { byInstant, byText, type ListSource } from "../platform/resources/lists.ts";
import type { StreamPlace } from "./streams/place.ts";

export interface DestinationRow {
  workspace_id: string;
  id: string;
  name: string;
  kind: DestinationKind;
  settings: Record<string, unknown>;
  /** Sealed. */
  credentials: string;
  credentials_changed_at: Date | null;
  interval_seconds: number;
  enabled: boolean;
  created_at: Date;
  updated_at: Date;
  tables: DestinationTable[];
}

/** How far one table has come. */
export interface StreamRow {
  table_name: DestinationTable;
  old: boolean;
  rows_sent: number;
  batches_sent: number;
  sent_until: Date | null;
  last_sent_at: Date | null;
  failing_since: Date | null;
  last_error: string | null;
  gap_from: Date | null;
  gap_until: Date | null;
}

const IN_ORDER = sql`array_position(array['deliveries', 'activity', 'events'], c.table_name)`;
const COLUMNS = sql`d.workspace_id, d.id, d.name, d.kind, d.settings, d.credentials, d.credentials_changed_at,
  d.interval_seconds, d.enabled, d.created_at, d.updated_at,
  array(select c.table_name from export_cursors c
    where c.workspace_id = d.workspace_id and c.destination_id = d.id order by ${IN_ORDER}) as tables`;

export const listSource: ListSource = {
  columns: COLUMNS,
  from: sql`export_destinations d`,
  of: (workspaceId) => sql`d.workspace_id = ${workspaceId}`,
  id: sql`d.id`,
  sorts: { updated_at: byInstant(sql`d.updated_at`), name: byText(sql`d.name`) },
  facets: { kind: sql`d.kind` },
  texts: [sql`d.name`],
};

export async function destinationById(
  q: Queries,
  workspaceId: string,
  id: string,
): Promise<DestinationRow | undefined> {
  const rows = await q.query<DestinationRow>(
    sql`select ${COLUMNS} from export_destinations d where d.workspace_id = ${workspaceId} and d.id = ${id}`,
  );
  return rows[0];
}

/** Returns a destination, locked until the transaction ends, so that two changes take turns. */
export async function lockDestination(
  tx: Queries,
  workspaceId: string,
  id: string,
): Promise<DestinationRow | undefined> {
  const rows = await tx.query<DestinationRow>(sql`
    select ${COLUMNS} from export_destinations d
    where d.workspace_id = ${workspaceId} and d.id = ${id} for no key update of d`);
  return rows[0];
}

/** Returns how far the tables of a destination are. */
export const streamsOf = (q: Queries, workspaceId: string, id: string): Promise<StreamRow[]> =>
  q.query(sql`
    select c.table_name, c.place ? 'old' as old, c.rows_sent, c.batches_sent, c.sent_until, c.last_sent_at,
      c.failing_since, c.last_error, c.gap_from, c.gap_until
    from export_cursors c where c.workspace_id = ${workspaceId} and c.destination_id = ${id} order by ${IN_ORDER}`);

/** Locks the workspace, so that two calls can't both add the last destination. Returns how many there are. */
export async function countForInsert(tx: Queries, workspaceId: string): Promise<number> {
  await tx.query(sql`select from workspaces where id = ${workspaceId} for no key update`);
  const rows = await tx.query<{ n: number }>(
    sql`select count(*) as n from export_destinations where workspace_id = ${workspaceId}`,
  );
  return rows[0]?.n ?? 0;
}

export type NewDestination = Omit<
  DestinationRow,
  "credentials_changed_at" | "created_at" | "updated_at" | "tables" | "enabled"
>;

/** Adds a destination and a cursor for each table, due at once. `sentUntil` is null where old rows come first. */
export async function insertDestination(
  tx: Queries,
  row: NewDestination,
  { cursors, now }: { cursors: { table: DestinationTable; place: StreamPlace; sentUntil: Date | null }[]; now: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into export_destinations
      (workspace_id, id, name, kind, settings, credentials, credentials_changed_at, interval_seconds, created_at, updated_at)
    values (${row.workspace_id}, ${row.id}, ${row.name}, ${row.kind}, ${JSON.stringify(row.settings)}, ${row.credentials},
      ${now}, ${row.interval_seconds}, ${now}, ${now})`);
  await tx.execute(sql`
    insert into export_cursors (workspace_id, destination_id, table_name, place, due_at, sent_until)
    select ${row.workspace_id}::uuid, ${row.id}::uuid, t.name, t.place, now(), t.sent_until
    from unnest(
      ${cursors.map(({ table }) => table)}::text[],
      ${cursors.map(({ place }) => JSON.stringify(place))}::jsonb[],
      ${cursors.map(({ sentUntil }) => sentUntil)}::timestamptz[]) as t (name, place, sent_until)`);
}

export type DestinationChange = Partial<
  Pick<DestinationRow, "name" | "settings" | "credentials" | "interval_seconds" | "enabled">
>;

/** Changes what `change` names. A destination that is paused has nothing due; one that is enabled or corrected is due at once. */
export async function updateDestination(
  tx: Queries,
  { workspaceId, id }: { workspaceId: string; id: string },
  { name, settings, credentials, interval_seconds: interval, enabled }: DestinationChange,
  now: Date,
): Promise<void> {
  const sets = [
    ...(name === undefined ? [] : [sql`name = ${name}`]),
    ...(settings === undefined ? [] : [sql`settings = ${JSON.stringify(settings)}`]),
    ...(credentials === undefined ? [] : [newSecret("credentials", credentials, now)]),
    ...(interval === undefined ? [] : [sql`interval_seconds = ${interval}`]),
    ...(enabled === undefined ? [] : [sql`enabled = ${enabled}`]),
  ];
  const rows = await tx.query<{ enabled: boolean }>(sql`
    update export_destinations set ${join([...sets, sql`updated_at = ${now}`])}
    where workspace_id = ${workspaceId} and id = ${id} returning enabled`);
  const due = rows[0]?.enabled ? sql`now()` : sql`null`;
  await tx.execute(sql`
    update export_cursors set due_at = ${due}, attempts = 0
    where workspace_id = ${workspaceId} and destination_id = ${id} and lease_id is null`);
}

export const deleteDestination = (tx: Queries, workspaceId: string, id: string): Promise<number> =>
  tx.execute(sql`delete from export_destinations where workspace_id = ${workspaceId} and id = ${id}`);
