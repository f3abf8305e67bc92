import { readFeed } from "../activity/index.ts";
import type { Ground } from "../platform/ground.ts";
import { countFresh, insertWebhookDeliveries } from "./delivery-store.ts";
import { eventOf } from "./event.ts";
import { lockPosition, moveWebhook } from "./store.ts";

/** Events of one transaction. */
const PAGE = 200;
/**
 * Never-tried deliveries of one endpoint. Beyond them its events wait where they are, in the activity: a slow endpoint costs
 * no more rows than this, and loses none.
 */
const MOST_FRESH = 2_000;

/**
 * Queues the next events of one endpoint and moves its place behind them, in one transaction: a crash repeats or undoes both.
 * Gives whether there is more to collect at once; undefined where it took nothing: another process has its turn, or too many wait.
 */
export function collect(ground: Ground, endpoint: { workspace_id: string; id: string }): Promise<boolean | undefined> {
  const { workspace_id: workspaceId, id } = endpoint;
  return ground.workDb.transaction(async (tx) => {
    const place = await lockPosition(tx, workspaceId, id);
    if (!place || (await countFresh(tx, id, MOST_FRESH)) === MOST_FRESH) return undefined;
    const { events, next, more } = await readFeed(tx, workspaceId, place, place.types, PAGE);
    const queued = events.map((row) => ({
      id: row.id,
      personKey: row.person_key,
      type: row.type,
      payload: JSON.stringify(eventOf(row)),
    }));
    await insertWebhookDeliveries(tx, workspaceId, id, queued, ground.clock.now());
    await moveWebhook(tx, workspaceId, id, next);
    return more;
  });
}
