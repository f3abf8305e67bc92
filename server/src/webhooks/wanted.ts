import { LRUCache } from "lru-cache";
import { OFFERED, type Offered, record } from "../activity/index.ts";
import { type Heard, listen, type Queries } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { WEBHOOKS_CHANGED } from "./define.ts";
import { typesOfEndpoints } from "./store.ts";

/** How long the types of a workspace's endpoints are kept in memory: after a lost signal they are wrong for no longer. */
const FRESH_MS = 4_000;
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
  const cache = new LRUCache<string, string[][]>({ max: MOST_WORKSPACES, ttl: FRESH_MS });
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
