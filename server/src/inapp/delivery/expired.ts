import { RECORDED } from "../../activity/index.ts";
import type { Tx } from "../../platform/db/index.ts";

/** Announces the entries in the log that deliveries are since they expired, at `now`. */
export async function announceExpired(
  tx: Tx,
  expired: { person_key: string; id: string; workspace_id: string }[],
  now: Date,
): Promise<void> {
  if (expired.length === 0) return;
  await tx.announce(RECORDED, [...new Set(expired.map((row) => row.workspace_id))], () =>
    expired.map((row) => ({
      workspaceId: row.workspace_id,
      personKey: row.person_key,
      deliveryId: row.id,
      type: "in_app.expired",
      at: now,
    })),
  );
}
