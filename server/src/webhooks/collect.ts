import { eventOf, OFFERED, type Offered, readFeed, record } from "../activity/index.ts";
import { boundedCache } from "../platform/limits/cache.ts";
import { type Heard, listen, type Queries } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { encodeId } from "../platform/ids.ts";
import { progressed } from "../platform/resources/progress.ts";
import { FRESH_MS } from "../platform/signals/index.ts";
import { WEBHOOKS_CHANGED } from "./define.ts";
import { countUntried, insertWebhookDeliveries } from "./delivery-store.ts";
import { endReplay, lockPosition, moveWebhook, typesOfEndpoints } from "./store.ts";

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
    const until = position.replay_until;
    if (until) {
      const last = events.at(-1);
      if (!more || (last && last.at >= until)) await endReplay(tx, workspaceId, id);
      progressed(tx, workspaceId, encodeId("whk", id));
    }
    return more;
  });
}

/** The most workspaces in the cache. */
const MOST_WORKSPACES = 10_000;

/** Whether an endpoint with these types gets events of a type. An empty list means all. */
const gets = (types: string[], type: string): boolean =>
  types.length === 0 || types.includes(type) || types.includes(`${type.split(".")[0]}.*`);

/**
 * Listens to offered entries, and records those that an endpoint of the workspace gets, also an endpoint that is disabled: a replay may ask for
 * them. Where no endpoint does, an entry costs one look-up in memory.
 */
export function hearsOffered({ signals }: Pick<Ground, "signals">): Heard {
  const cache = boundedCache<string[][]>(MOST_WORKSPACES, { ttl: FRESH_MS });
  // Counts the signals, so that a read that began before a change is not cached after it.
  let changes = 0;
  signals.subscribe(WEBHOOKS_CHANGED, (workspaceIds) => {
    changes++;
    for (const id of workspaceIds) cache.delete(id);
  });

  async function endpointsOf(q: Queries, workspaceIds: string[]): Promise<Map<string, string[][]>> {
    const found = new Map(workspaceIds.flatMap((id) => entryOf(id, cache.get(id))));
    const unknown = workspaceIds.filter((id) => !found.has(id));
    if (unknown.length === 0) return found;
    const [before, start] = [changes, performance.now()];
    const rows = Map.groupBy(await typesOfEndpoints(q, unknown), (row) => row.workspace_id);
    for (const id of unknown) {
      const types = (rows.get(id) ?? []).map((row) => row.types);
      found.set(id, types);
      if (before === changes) cache.set(id, types, { start });
    }
    return found;
  }

  return listen(OFFERED, {
    hears: "in the transaction",
    cares: ({ workspaceId, type }) => cache.get(workspaceId)?.some((types) => gets(types, type)) ?? true,
    async take(tx, offered: Offered[]) {
      const endpoints = await endpointsOf(tx, [...new Set(offered.map(({ workspaceId }) => workspaceId))]);
      const wanted = offered.filter(({ workspaceId, type }) =>
        endpoints.get(workspaceId)?.some((types) => gets(types, type)),
      );
      await record(
        tx,
        wanted.map(({ workspaceId, type, entry }) => ({ workspaceId, type, ...entry() })),
      );
    },
  });
}

const entryOf = <T>(id: string, value: T | undefined): [string, T][] => (value === undefined ? [] : [[id, value]]);
