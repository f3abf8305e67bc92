import { prepared, type Queries, sql } from "../platform/db/index.ts";

export interface NewEvent {
  personKey: string;
  id: string;
  workspaceId: string;
  name: string;
  properties: Record<string, unknown>;
  ts: Date;
}

/** Inserts what is new and gives the ids of those: a repeat of an event_id is a conflict, not a row. */
export async function insert(tx: Queries, events: NewEvent[], now: Date): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    prepared(
      "events.insert",
      sql`
      insert into events (person_key, id, workspace_id, name, properties, ts, received_at)
      select person_key, id, workspace_id, name, properties, ts, ${now}
      from unnest(${events.map((e) => e.personKey)}::uuid[], ${events.map((e) => e.id)}::uuid[], ${events.map((e) => e.workspaceId)}::uuid[],
        ${events.map((e) => e.name)}::text[], ${events.map((e) => JSON.stringify(e.properties))}::jsonb[], ${events.map((e) => e.ts)}::timestamptz[])
        as t (person_key, id, workspace_id, name, properties, ts)
      on conflict (person_key, id) do nothing
      returning id`,
    ),
  );
  return new Set(rows.map((row) => row.id));
}
