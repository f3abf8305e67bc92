import type { Actor, Difference } from "@tidings/contract/audit";
import { empty, type Queries, sql } from "../db/index.ts";
import { newId } from "../ids.ts";

export interface AuditRow {
  id: string;
  at: Date;
  action: string;
  actor_type: Actor["type"];
  actor_id: string | null;
  actor_name: string;
  resource_type: string;
  resource_id: string;
  resource_name: string;
  changes: Difference[];
  left_out: number;
  request_id: string | null;
}

/** Adds an entry. `scope` is the tenant, as in idempotency.ts. */
export const insertEntry = (tx: Queries, scope: string, row: Omit<AuditRow, "id">): Promise<number> =>
  tx.execute(sql`
    insert into audit_entries (workspace_id, id, at, action, actor_type, actor_id, actor_name,
      resource_type, resource_id, resource_name, changes, left_out, request_id)
    values (${scope}, ${newId()}, ${row.at}, ${row.action}, ${row.actor_type}, ${row.actor_id}, ${row.actor_name},
      ${row.resource_type}, ${row.resource_id}, ${row.resource_name}, ${JSON.stringify(row.changes)}, ${row.left_out},
      ${row.request_id})`);

/** Returns the last entry of a resource, given by the id that the API shows. */
export async function lastEntry(
  q: Queries,
  scope: string,
  { id, type }: { id: string; type: string },
): Promise<AuditRow | undefined> {
  const rows = await q.query<AuditRow>(sql`
    select * from audit_entries where workspace_id = ${scope} and resource_id = ${id} and resource_type = ${type}
    order by id desc limit 1`);
  return rows[0];
}

/** Which entries to list. A resource or an actor is named by its type or by its id. */
export interface EntryFilter {
  resource?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Returns a page of entries, the latest first. */
export const entriesOf = (
  q: Queries,
  scope: string,
  { resource, actor, action, since, until }: EntryFilter,
  { before, limit }: { before: string[] | undefined; limit: number },
): Promise<AuditRow[]> =>
  q.query(sql`
    select * from audit_entries
    where workspace_id = ${scope} ${before ? sql`and id < ${before[0]}::uuid` : empty}
      ${resource === undefined ? empty : isType(resource) ? sql`and resource_type = ${resource}` : sql`and resource_id = ${resource}`}
      ${actor === undefined ? empty : isType(actor) ? sql`and actor_type = ${actor}` : sql`and actor_id = ${actor}`}
      ${action === undefined ? empty : sql`and action = ${action}`}
      ${since === undefined ? empty : sql`and at >= ${since}`}
      ${until === undefined ? empty : sql`and at < ${until}`}
    order by id desc limit ${limit}`);

/** Types are words. Every id has a digit or a capital letter, because it begins with a time or has hundreds of random bits. */
const isType = (text: string): boolean => /^[a-z_]+$/.test(text);

/** Deletes up to `limit` entries from before a time. Returns how many. */
export const forgetEntries = (
  tx: Queries,
  scope: string,
  { before, limit }: { before: Date; limit: number },
): Promise<number> =>
  tx.execute(sql`
    delete from audit_entries where (workspace_id, id) in (
      select workspace_id, id from audit_entries where workspace_id = ${scope} and at < ${before}
      order by at limit ${limit} for update skip locked)`);
