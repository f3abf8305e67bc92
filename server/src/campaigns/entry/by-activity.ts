import { RECORDED } from "../../activity/index.ts";
import { type Heard, listen } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import type { EntranceIndex } from "../definition/entrances.ts";
import { RUNS_DUE } from "../run/run.ts";
import { wakeEscalating } from "../run/wake-store.ts";

/** Entries of a delivery after which a message step that escalates decides again: the person saw it, or does not get it. */
const DECISIVE = new Set(["impression", "click", "dismiss", "opened", "clicked", "failed", "suppressed", "bounced"]);

/**
 * Listens in the transaction that logs what happened to deliveries, and wakes runs that wait for one of them to be seen. Opens and clicks of
 * machines wake nothing. Where no campaign of the workspace escalates, an entry costs one look-up in memory.
 */
export function hearsActivity(ground: Pick<Ground, "clock">, index: EntranceIndex): Heard {
  return listen(RECORDED, {
    hears: "in the transaction",
    cares({ workspaceId, deliveryId, type, data }) {
      if (deliveryId === undefined || data?.machine === true || !DECISIVE.has(type.slice(type.indexOf(".") + 1)))
        return false;
      return index.cached(workspaceId)?.escalates ?? true;
    },
    async take(tx, entries) {
      const entrances = await index.load(
        tx,
        entries.map(({ workspaceId }) => workspaceId),
      );
      const deliveries = entries.flatMap(({ workspaceId, personKey, deliveryId }) =>
        deliveryId !== undefined && entrances.get(workspaceId)?.escalates ? [{ personKey, deliveryId }] : [],
      );
      if (deliveries.length === 0) return;
      const campaigns = await wakeEscalating(tx, deliveries, ground.clock.now());
      if (campaigns.length > 0) tx.signal(RUNS_DUE, campaigns);
    },
  });
}
