import { type Queries, sql } from "../platform/db/index.ts";

interface QueuedRow {
  id: string;
  status: string;
  reason: string | null;
  queued_at: Date;
}

/**
 * Returns the deliveries of a person that triggers queued after `since`, newest first. It reads a range of the primary key: ids are in
 * order of time, and none that was made before `made` is read.
 */
export function queuedSince(q: Queries, personKey: string, since: Date, made: Date): Promise<QueuedRow[]> {
  const time = made.getTime().toString(16).padStart(12, "0");
  const from = `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
  return q.query(sql`
    select id, status, reason, queued_at from deliveries
    where person_key = ${personKey} and id >= ${from}::uuid and source = 'transactional' and queued_at > ${since}
    order by id desc`);
}
