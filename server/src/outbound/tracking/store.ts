import { prepared, type Queries, sql } from "../../platform/db/index.ts";
import { byPlace, type PlacedDelivery } from "../feedback/places-store.ts";

/** Returns by id when deliveries were handed over; null while the hand-off is under way. Those of erased people are left out. */
export async function handedOverAt(q: Queries, messages: PlacedDelivery[]): Promise<Map<string, Date | null>> {
  const rows = await byPlace(q, messages, ({ ids, within, name }) =>
    q.query<{ id: string; sent_at: Date | null }>(
      prepared(
        `tracking.handedOverAt${name}`,
        sql`
        select d.id, d.sent_at from deliveries d join people p on p.person_key = d.person_key
        where d.id = any(${ids}::uuid[]) ${within}`,
      ),
    ),
  );
  return new Map(rows.map((row) => [row.id, row.sent_at]));
}
