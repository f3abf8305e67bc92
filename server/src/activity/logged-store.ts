import { sql } from "../platform/db/index.ts";

type Sql = ReturnType<typeof sql>;

/**
 * An insert into the log for the `with` of the statement that makes what is logged: rows of `made` are (person_key, id, type, data),
 * `id` a delivery that is new or ends an attempt, and workspace_id where they are of several. Half the work of a second statement that is handed every row again. Whoever runs it announces
 * RECORDED.
 */
export const logged = (made: Sql, { workspaceId, at }: { workspaceId?: string; at: Date }): Sql => sql`
  insert into activity (person_key, id, workspace_id, delivery_id, type, at, data)
  select m.person_key, (${entryIds()} || substr(m.id::text, 21))::uuid, ${workspaceId === undefined ? sql`m.workspace_id` : sql`${workspaceId}::uuid`}, m.id, m.type, ${at}::timestamptz, m.data
  from (${made}) m`;

/**
 * The front of UUIDv7s for now, up to where 60 bits of a delivery's id take the place of chance: in time order with what `newId`
 * makes, before all of the same millisecond.
 */
function entryIds(): string {
  const hex = Date.now().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8`;
}
