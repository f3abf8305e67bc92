import { readFeed } from "../activity/index.ts";
import type { Ground } from "../platform/ground.ts";
import { countUntried, insertWebhookDeliveries } from "./delivery-store.ts";
import { eventOf } from "./event.ts";
import { lockPosition, moveWebhook } from "./store.ts";

/** How many events one transaction collects. */
const BATCH = 200;
/**
 * The most deliveries of one endpoint that were never tried. Further events wait in the activity: a slow endpoint has no more
 * rows than this, and loses no event.
 */
const MOST_UNTRIED = 2_000;

/**
 * Queues the next events of one endpoint and moves its position behind them, in one transaction. Returns whether more events can be
 * collected now; undefined if it took none, because another process collects or too many deliveries wait.
 */
export function collect(ground: Ground, endpoint: { workspace_id: string; id: string }): Promise<boolean | undefined> {
  const { workspace_id: workspaceId, id } = endpoint;
  return ground.workDb.transaction(async (tx) => {
    const position = await lockPosition(tx, workspaceId, id);
    if (!position || (await countUntried(tx, id, MOST_UNTRIED)) === MOST_UNTRIED) return undefined;
    const { events, next, more } = await readFeed(tx, workspaceId, {
      after: position,
      types: position.types,
      limit: BATCH,
    });
    const queued = events.map((row) => ({
      id: row.id,
      personKey: row.person_key,
      type: row.type,
      payload: JSON.stringify(eventOf(row)),
    }));
    await insertWebhookDeliveries(tx, workspaceId, { webhookId: id, events: queued, now: ground.clock.now() });
    await moveWebhook(tx, workspaceId, id, next);
    return more;
  });
}
