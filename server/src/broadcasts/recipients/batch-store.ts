import { prepared, type Queries, sql, unquoted } from "../../platform/db/index.ts";
import type { BroadcastRow } from "../definition/store.ts";

/** A part of the audience that waits for its turn: a row of `broadcast_pages`. */
export interface Batch {
  id: string;
  dueAt: Date;
  personKeys: string[];
  /** A sending window holds these people back. */
  held?: boolean;
}

type BroadcastKey = Pick<BroadcastRow, "workspace_id" | "id">;

/** Stores batches of the audience. */
export const storeBatches = (tx: Queries, of: BroadcastKey, batches: Batch[]): Promise<number> =>
  tx.execute(sql`
    insert into broadcast_pages (workspace_id, broadcast_id, due_at, id, person_keys, held)
    select ${of.workspace_id}::uuid, ${of.id}::uuid, t.due_at, t.id, t.keys::uuid[], t.held
    from unnest(
      ${batches.map((batch) => batch.dueAt)}::timestamptz[],
      ${batches.map((batch) => batch.id)}::uuid[],
      ${batches.map((batch) => unquoted(batch.personKeys))}::text[],
      ${batches.map((batch) => batch.held ?? false)}::boolean[]
    ) as t (due_at, id, keys, held)`);

/** Returns the first batch that is due and not locked, locked until the transaction ends; undefined if there is none. */
export async function takeBatch(tx: Queries, of: BroadcastKey, now: Date): Promise<Batch | undefined> {
  const [row] = await tx.query<Omit<Batch, "personKeys"> & { keys: string }>(
    prepared(
      "broadcasts.takeBatch",
      // Read as text and split here, because the driver needs 1 ms to parse an array of 1,000.
      sql`
      select id, due_at as "dueAt", array_to_string(person_keys, ' ') as keys
      from broadcast_pages
      where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id} and due_at <= ${now}
      order by due_at, id limit 1 for update skip locked`,
    ),
  );
  return row && { id: row.id, dueAt: row.dueAt, personKeys: row.keys.split(" ") };
}

/** Cuts a batch to the people who are left, or deletes it if nobody is. */
export const cutBatch = (tx: Queries, of: BroadcastKey, { dueAt, id }: Batch, left: string[]): Promise<number> =>
  tx.execute(
    left.length === 0
      ? prepared(
          "broadcasts.dropBatch",
          sql`
          delete from broadcast_pages
          where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id} and due_at = ${dueAt} and id = ${id}`,
        )
      : prepared(
          "broadcasts.cutBatch",
          sql`
          update broadcast_pages set person_keys = ${unquoted(left)}::uuid[]
          where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id} and due_at = ${dueAt} and id = ${id}`,
        ),
  );

/** Returns how many people are in the remaining batches, and when the first of them are due; null if there are none. */
export async function remaining(tx: Queries, of: BroadcastKey): Promise<{ people: number; dueAt: Date | null }> {
  const [row] = await tx.query<{ people: number; dueAt: Date | null }>(
    prepared(
      "broadcasts.remaining",
      sql`
      select coalesce(sum(people), 0)::integer as people, min(due_at) as "dueAt"
      from broadcast_pages
      where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id}`,
    ),
  );
  return row ?? { people: 0, dueAt: null };
}

/**
 * Makes the batches due whose people a window holds back, of all broadcasts of these workspaces that send. It waits for steps that are under
 * way: they hold people back by the limits that they read. Returns whether a broadcast has work to do now.
 */
export async function askHeldAgain(tx: Queries, workspaceIds: string[], now: Date): Promise<boolean> {
  const rows = await tx.query<{ status: string }>(sql`
    with sending as materialized (
      select workspace_id, id, status from broadcasts
      where workspace_id = any(${workspaceIds}::uuid[]) and status in ('sending', 'paused')
      order by workspace_id, id for no key update)
    select status from sending`);
  if (rows.length === 0) return false;
  // A statement of its own: the one before does not see the batches of the steps for which it waited.
  const started = await tx.execute(sql`
    with asked as (
      update broadcast_pages p set due_at = ${now}, held = false from broadcasts b
      where b.workspace_id = any(${workspaceIds}::uuid[]) and b.status in ('sending', 'paused')
        and p.workspace_id = b.workspace_id and p.broadcast_id = b.id and p.held
      returning p.workspace_id, p.broadcast_id)
    update broadcasts b set next_at = least(b.next_at, ${now}) from (select distinct * from asked) a
    where b.workspace_id = a.workspace_id and b.id = a.broadcast_id and b.status = 'sending'`);
  return started > 0;
}

/** Deletes the remaining batches and returns how many people they had. It waits for a batch that is being queued. */
export async function dropBatches(tx: Queries, of: BroadcastKey): Promise<number> {
  const batches = await tx.query<{ people: number }>(sql`
    delete from broadcast_pages
    where workspace_id = ${of.workspace_id} and broadcast_id = ${of.id}
    returning people`);
  return batches.reduce((sum, { people }) => sum + people, 0);
}

/** Returns the keys of the people whose deliveries exist. */
export async function existingDeliveries(
  tx: Queries,
  deliveries: { personKey: string; id: string }[],
): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const rows = await tx.query<{ person_key: string }>(sql`
    select d.person_key from deliveries d
    join unnest(
      ${deliveries.map((d) => d.personKey)}::uuid[],
      ${deliveries.map((d) => d.id)}::uuid[]
    ) as t (person_key, id)
      on d.person_key = t.person_key and d.id = t.id`);
  return rows.map((row) => row.person_key);
}
