import { inShardsOf, type Queries, sql } from "../../platform/db/index.ts";
import type { Job } from "../message/message.ts";

/** Ends claimed deliveries as suppressed, each only where the lease is still ours. Returns the ids that were ended. */
export async function endSuppressed(
  tx: Queries,
  ended: { job: Job; reason: string }[],
  now: Date,
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    update deliveries d set
      status = 'suppressed',
      reason = t.reason,
      failed_at = ${now},
      lease_id = null,
      due_at = null,
      content = case when d.retain_content then d.content - 'attachments' end
    from unnest(
      ${ended.map(({ job }) => job.personKey)}::uuid[],
      ${ended.map(({ job }) => job.deliveryId)}::uuid[],
      ${ended.map(({ job }) => job.leaseId)}::uuid[],
      ${ended.map(({ reason }) => reason)}::text[]
    ) as t (person_key, id, lease_id, reason)
    where d.person_key = t.person_key and d.id = t.id and d.lease_id = t.lease_id
      ${inShardsOf(
        tx,
        "d.person_key",
        ended.map(({ job }) => job.personKey),
      )}
    returning d.id`);
  return new Set(rows.map((row) => row.id));
}
