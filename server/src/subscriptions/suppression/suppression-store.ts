import type { SuppressedChannel, SuppressionQuery, SuppressionReason } from "@tidings/contract/audience/subscriptions";
import { empty, prepared, type Queries, sql } from "../../platform/db/index.ts";
import type { Rows, Whose } from "../../workspaces/index.ts";

export interface SuppressionRow {
  workspace_id: string;
  channel: SuppressedChannel;
  hash: string;
  address: string | null;
  reason: SuppressionReason;
  source: string;
  created_at: Date;
}

interface Key {
  workspaceId: string;
  channel: SuppressedChannel;
  hash: string;
}

const columnsOf = (keys: Key[]) =>
  sql`${keys.map((k) => k.workspaceId)}::uuid[], ${keys.map((k) => k.channel)}::text[], ${keys.map((k) => k.hash)}::uuid[]`;

/** The entries of the keys that are on the list. Every trigger calls it: one look-up by primary key for each address. */
export const suppressionsBy = (q: Queries, keys: Key[]): Promise<SuppressionRow[]> =>
  q.query(
    prepared(
      "subscriptions.suppressionsBy",
      sql`
      select s.workspace_id, s.channel, s.hash, s.address, s.reason, s.source, s.created_at
        from unnest(${columnsOf(keys)}) as t (workspace_id, channel, hash)
        join suppressions s on s.workspace_id = t.workspace_id and s.channel = t.channel and s.hash = t.hash`,
    ),
  );

/** Returns an entry, by "channel hash", and locks it. */
export async function lockSuppression(
  tx: Queries,
  workspaceId: string,
  id: string,
): Promise<SuppressionRow | undefined> {
  const [channel, hash] = id.split(" ");
  const rows = await tx.query<SuppressionRow>(sql`
    select * from suppressions
    where workspace_id = ${workspaceId} and channel = ${channel} and hash = ${hash}::uuid for no key update`);
  return rows[0];
}

/**
 * Inserts the entries that are not on the list. An erased address that comes again is stored again, and of two STOPs the later one
 * counts. Returns "workspace channel hash" of the new entries.
 */
export async function insertSuppressions(
  tx: Queries,
  rows: (Key & { address: string; reason: SuppressionReason; source: string; createdAt?: Date; saidAt?: Date })[],
  now: Date,
): Promise<Set<string>> {
  const made = await tx.query<{ name: string; fresh: boolean }>(
    prepared(
      "subscriptions.insertSuppressions",
      sql`
      insert into suppressions as s (workspace_id, channel, hash, address, reason, source, created_at, said_at)
      select * from unnest(
        ${columnsOf(rows)},
        ${rows.map((r) => r.address)}::text[],
        ${rows.map((r) => r.reason)}::text[],
        ${rows.map((r) => r.source)}::text[],
        ${rows.map((r) => r.createdAt ?? now)}::timestamptz[],
        ${rows.map((r) => r.saidAt ?? null)}::timestamptz[]
      )
      on conflict (workspace_id, channel, hash) do update set
          address = coalesce(s.address, excluded.address),
          said_at = case when s.reason = excluded.reason then greatest(s.said_at, excluded.said_at) else s.said_at end
        where s.address is null or excluded.said_at is not null
      returning s.workspace_id || ' ' || s.channel || ' ' || s.hash as name, xmax = 0 as fresh`,
    ),
  );
  return new Set(made.filter((row) => row.fresh).map((row) => row.name));
}

/** A condition on the entries to remove: their reason, and the latest time at which they were reported. */
export interface RemovalCondition {
  reason: SuppressionReason;
  saidBefore: Date;
}

/** Removes the entries of these keys and returns them. */
export const removeSuppressions = (
  tx: Queries,
  keys: Key[],
  only: RemovalCondition | undefined,
): Promise<SuppressionRow[]> =>
  tx.query(sql`
    delete from suppressions s using unnest(${columnsOf(keys)}) as t (workspace_id, channel, hash)
    where s.workspace_id = t.workspace_id and s.channel = t.channel and s.hash = t.hash
      ${
        only === undefined
          ? empty
          : sql`and s.reason = ${only.reason} and coalesce(s.said_at, s.created_at) <= ${only.saidBefore}`
      }
    returning s.*`);

/** A page of the list, newest first; `like` is a pattern whose own wildcards are escaped. */
export const listSuppressions = (
  q: Queries,
  workspaceId: string,
  filter: Pick<SuppressionQuery, "channel" | "reason"> & { like?: string | undefined },
  { before, limit }: { before: string[] | undefined; limit: number },
): Promise<SuppressionRow[]> =>
  q.query(sql`
    select * from suppressions
    where workspace_id = ${workspaceId}
      ${filter.channel === undefined ? empty : sql`and channel = ${filter.channel}`}
      ${filter.reason === undefined ? empty : sql`and reason = ${filter.reason}`}
      ${filter.like === undefined ? empty : sql`and address like ${filter.like}`}
      ${before ? sql`and (created_at, hash) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : empty}
    order by created_at desc, hash desc limit ${limit}`);

/** What the list has of these addresses. */
export async function suppressionsOf(q: Queries, { workspaceId, addresses }: Whose): Promise<Rows> {
  const rows = await q.query<Record<string, unknown>>(sql`
    select channel, address, reason, source, created_at from suppressions
    where workspace_id = ${workspaceId} and address = any(${addresses}::text[]) order by created_at`);
  return { rows, last: undefined, json: new Set() };
}

/** Keeps only the salted hash of these addresses: they still get nothing, and nobody can read them. */
export const forgetAddresses = (tx: Queries, { workspaceId, addresses }: Whose): Promise<number> =>
  tx.execute(
    sql`update suppressions set address = null where workspace_id = ${workspaceId} and address = any(${addresses}::text[])`,
  );
