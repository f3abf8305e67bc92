import type { DestinationKind, DestinationTable } from "@tidings/contract/destinations";
import type { Retention } from "@tidings/contract/workspaces";
import { prepared, type Queries, sql, type Sql } from "../../platform/db/index.ts";
import type { Mark, StreamPlace, Planned } from "./place.ts";

export const LEASE_SECONDS = 60;

/** A stream whose next batch this process makes. */
export interface ClaimedCursor {
  workspaceId: string;
  destinationId: string;
  table: DestinationTable;
  leaseId: string;
  place: StreamPlace;
  planned: Planned | null;
  attempts: number;
  batches: number;
  sentUntil: Date | null;
  kind: DestinationKind;
  name: string;
  settings: Record<string, unknown>;
  /** Sealed. */
  credentials: string;
  intervalSeconds: number;
  retention_days: number;
  retention: Retention;
}

/** The streams that are due, of destinations that are enabled and workspaces that are active. */
const DUE = sql`export_cursors c
        join export_destinations d on d.workspace_id = c.workspace_id and d.id = c.destination_id
        join workspaces w on w.id = c.workspace_id
        where c.due_at <= now() and d.enabled and w.status = 'active'`;

/** An expression that is true if a batch is due. */
export const isDue = (): Sql => sql`exists (select 1 from ${DUE})`;

/** Leases due streams, one of each workspace before the second of any. */
export async function claimDue(q: Queries, leaseId: string, most: number): Promise<ClaimedCursor[]> {
  // Two statements: Citus does not let one write a table of the coordinator and read one that all nodes have.
  const claimed = await q.execute(
    prepared(
      "outflow.claim",
      sql`
      with waiting as materialized (
        select c.workspace_id, c.destination_id, c.table_name, c.due_at,
          row_number() over (partition by c.workspace_id order by c.due_at) as turn
        from ${DUE}),
      picked as materialized (
        select c.workspace_id, c.destination_id, c.table_name from waiting p
        join export_cursors c using (workspace_id, destination_id, table_name)
        where c.due_at <= now()
        order by p.turn, p.due_at limit ${most} for update of c skip locked)
      update export_cursors c set lease_id = ${leaseId}, due_at = now() + ${LEASE_SECONDS} * interval '1 second'
      from picked p
      where c.workspace_id = p.workspace_id and c.destination_id = p.destination_id and c.table_name = p.table_name`,
    ),
  );
  return claimed === 0 ? [] : cursorsOf(q, leaseId);
}

/** Returns the streams of a lease, with their destinations. */
const cursorsOf = (q: Queries, leaseId: string): Promise<ClaimedCursor[]> =>
  q.query(
    prepared(
      "outflow.claimed",
      sql`
      select c.workspace_id as "workspaceId", c.destination_id as "destinationId", c.table_name as "table",
        c.lease_id as "leaseId", c.place, c.planned, c.attempts, c.batches_sent as batches, c.sent_until as "sentUntil",
        d.kind, d.name, d.settings, d.credentials, d.interval_seconds as "intervalSeconds", w.retention_days, w.retention
      from export_cursors c
      join export_destinations d on d.workspace_id = c.workspace_id and d.id = c.destination_id
      join workspaces w on w.id = c.workspace_id
      where c.lease_id = ${leaseId}`,
    ),
  );

const ours = (c: ClaimedCursor): Sql => sql`
  workspace_id = ${c.workspaceId} and destination_id = ${c.destinationId} and table_name = ${c.table} and lease_id = ${c.leaseId}`;

/** The pause before the next batch; none while the destination is paused. */
const dueIn = (c: ClaimedCursor, ms: number): Sql => sql`
  (select case when d.enabled then now() + ${ms} * interval '1 millisecond' end from export_destinations d
    where d.workspace_id = ${c.workspaceId} and d.id = ${c.destinationId})`;

/** Gives streams back whose batch was not made. */
export async function releaseCursors(q: Queries, claimed: ClaimedCursor[], ms = 0): Promise<void> {
  for (const one of claimed)
    await q.execute(sql`update export_cursors set lease_id = null, due_at = ${dueIn(one, ms)} where ${ours(one)}`);
}

/** Makes the streams of lost leases due again. */
export const takeBackCursors = (q: Queries, leaseIds: string[]): Promise<number> =>
  q.execute(sql`
    update export_cursors set lease_id = null, due_at = now() where lease_id = any(${leaseIds}::uuid[]) and due_at is not null`);

/** Extends leases. Returns those that are still ours. */
export async function renewCursors(q: Queries, claimed: ClaimedCursor[]): Promise<ClaimedCursor[]> {
  const kept = await q.query<{ lease_id: string; table_name: string; destination_id: string }>(sql`
    update export_cursors set due_at = now() + ${LEASE_SECONDS} * interval '1 second'
    where lease_id = any(${claimed.map(({ leaseId }) => leaseId)}::uuid[])
    returning lease_id, destination_id, table_name`);
  return claimed.filter((one) =>
    kept.some(
      (row) => row.lease_id === one.leaseId && row.table_name === one.table && row.destination_id === one.destinationId,
    ),
  );
}

/** Notes the end of the batch before its first attempt. Returns 0 if the lease is lost. */
export const planBatch = (q: Queries, claimed: ClaimedCursor, planned: Planned): Promise<number> =>
  q.execute(sql`update export_cursors set planned = ${JSON.stringify(planned)} where ${ours(claimed)}`);

/** The outcome of a batch that was sent, or that had no rows. */
export interface Sent {
  place: StreamPlace;
  rows: number;
  sentUntil: Date | null;
  waitMs: number;
  now: Date;
}

/** Moves a stream behind a batch that is stored at the far end. */
export const moveOn = (
  q: Queries,
  claimed: ClaimedCursor,
  { place, rows, sentUntil, waitMs, now }: Sent,
): Promise<number> =>
  q.execute(sql`
    update export_cursors set place = ${JSON.stringify(place)}, planned = null, lease_id = null, attempts = 0,
      due_at = ${dueIn(claimed, waitMs)}, rows_sent = rows_sent + ${rows}, batches_sent = batches_sent + ${rows > 0 ? 1 : 0},
      sent_until = ${sentUntil}, last_sent_at = ${rows > 0 ? sql`${now}` : sql`last_sent_at`},
      failing_since = null, last_error = null
    where ${ours(claimed)}`);

/** Notes that a batch was not stored, and when it is tried again. */
export const markFailed = (
  q: Queries,
  claimed: ClaimedCursor,
  { error, waitMs, now }: { error: string; waitMs: number; now: Date },
): Promise<number> =>
  q.execute(sql`
    update export_cursors set lease_id = null, attempts = attempts + 1, due_at = ${dueIn(claimed, waitMs)},
      last_error = ${error}, failing_since = coalesce(failing_since, ${now})
    where ${ours(claimed)}`);

/** Notes that retention may have removed rows before they were sent. */
export const markGap = (
  q: Queries,
  claimed: ClaimedCursor,
  { from, until }: { from: Date; until: Date },
): Promise<number> =>
  q.execute(sql`
    update export_cursors set gap_from = coalesce(gap_from, ${from}), gap_until = ${until} where ${ours(claimed)}`);

/** Returns this moment and the number of the next transaction: what is written before it has a smaller one. */
export async function markNow(q: Queries, now: Date): Promise<Mark> {
  const [row] = await q.query<{ txid: string }>(sql`select pg_snapshot_xmax(pg_current_snapshot())::text as txid`);
  return { txid: (row as { txid: string }).txid, at: now.toISOString() };
}

/** The streams to the enabled destinations of a kind. */
export interface StreamsOfKind {
  kind: DestinationKind;
  streams: number;
  failing: number;
  gaps: number;
  /** Of the one that is furthest behind, in seconds. */
  lag: number;
}

/** Counts the streams of all workspaces, for the metrics. */
export const streamsByKind = (q: Queries, now: Date): Promise<StreamsOfKind[]> =>
  q.query(sql`
    select d.kind, count(*) as streams, count(c.failing_since) as failing, count(c.gap_from) as gaps,
      coalesce(extract(epoch from ${now}::timestamptz - min(c.sent_until)), 0)::float8 as lag
    from export_cursors c join export_destinations d on d.workspace_id = c.workspace_id and d.id = c.destination_id
    where d.enabled group by d.kind`);
