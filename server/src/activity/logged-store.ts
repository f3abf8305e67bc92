import { type Queries, sql, type Sql } from "../platform/db/index.ts";
import { insertFresh } from "./store.ts";

/**
 * Returns an insert into the log, for the `with` of the statement that writes the deliveries. Rows of `made` are (person_key, id,
 * type, data), and workspace_id if they belong to several; `id` is a delivery that is new or ends an attempt. It is half the work of a
 * second statement, which would get all rows as parameters. The caller must announce RECORDED.
 */
export const logged = (made: Sql, { workspaceId, at }: { workspaceId?: string; at: Date }): Sql => sql`
  insert into activity (person_key, id, workspace_id, delivery_id, type, at, data)
  select m.person_key, (${entryIds()} || substr(m.id::text, 21))::uuid,
    ${workspaceId === undefined ? sql`m.workspace_id` : sql`${workspaceId}::uuid`},
    m.id, m.type, ${at}::timestamptz, m.data
  from (${made}) m`;

/** A delivery that is new or has ended an attempt, with its entry. */
export interface Logged {
  person_key: string;
  id: string;
  workspace_id: string;
  type: string;
  data: Record<string, unknown>;
}

/**
 * Inserts entries by a statement of their own, in the transaction that wrote the deliveries: where those are in shards, Citus sends the rows of one part of a
 * statement to each node, and fails where one is away. The caller must announce RECORDED.
 */
export async function logInShards(tx: Queries, made: Logged[], at: Date): Promise<void> {
  if (made.length === 0) return;
  const begin = entryIds();
  const entries = made.map(({ person_key: personKey, id: deliveryId, workspace_id: workspaceId, type, data }) => ({
    personKey,
    deliveryId,
    workspaceId,
    type,
    data,
    at,
  }));
  const ids = made.map(({ id }) => begin + id.slice(begin.length));
  await insertFresh(tx, entries, ids);
}

/**
 * Returns the beginning of UUIDv7s for now. 60 bits of a delivery's id follow it, instead of random bits. The ids are in order of time
 * with those of `newId`, before all of the same millisecond.
 */
function entryIds(): string {
  const hex = Date.now().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8`;
}
