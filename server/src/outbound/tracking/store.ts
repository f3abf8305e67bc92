import { prepared, type Queries, sql } from "../../platform/db/index.ts";

/** Returns by id when deliveries were handed over; null while the hand-off is under way. Those of erased people are left out. */
export async function handedOverAt(
  q: Queries,
  messages: { personKey: string; deliveryId: string }[],
): Promise<Map<string, Date | null>> {
  const rows = await q.query<{ id: string; sent_at: Date | null }>(
    prepared(
      "tracking.handedOverAt",
      sql`
      select d.id, d.sent_at
      from deliveries d
      join people p on p.person_key = d.person_key
      where d.person_key = any(${messages.map((one) => one.personKey)}::uuid[])
        and d.id = any(${messages.map((one) => one.deliveryId)}::uuid[])`,
    ),
  );
  return new Map(rows.map((row) => [row.id, row.sent_at]));
}
