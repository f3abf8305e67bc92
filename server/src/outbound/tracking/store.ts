import { prepared, type Queries, sql } from "../../platform/db/index.ts";

/** When the deliveries were handed over, by id: null while they are being. Those of erased people are left out. */
export async function handedOverAt(
  q: Queries,
  asked: { personKey: string; deliveryId: string }[],
): Promise<Map<string, Date | null>> {
  const rows = await q.query<{ id: string; sent_at: Date | null }>(
    prepared(
      "tracking.handedOverAt",
      sql`
      select d.id, d.sent_at from deliveries d join people p on p.person_key = d.person_key
      where d.person_key = any(${asked.map((a) => a.personKey)}::uuid[]) and d.id = any(${asked.map((a) => a.deliveryId)}::uuid[])`,
    ),
  );
  return new Map(rows.map((row) => [row.id, row.sent_at]));
}
