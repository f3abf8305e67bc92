import { boundedCache } from "../platform/limits/cache.ts";
import type { Queries } from "../platform/db/index.ts";
import { countScreens, knownScreens } from "./store.ts";

/**
 * The most screens of a workspace: an application that puts ids into its names, or somebody with the public key, could fill the
 * table.
 */
export const MOST_SCREENS = 10_000;
/** The oldest that a count may be: other processes add screens too. */
const COUNTED_MS = 60_000;
/** The most workspaces whose count is kept: some 100 bytes for each. */
const MOST_COUNTS = 10_000;

interface Screen {
  workspaceId: string;
  name: string;
}

/**
 * Knows how many more screens a workspace may have. It counts once a minute, and only before screens are written. It looks up which
 * of them are in the catalog already only where they might not all fit.
 */
export function screenRoom() {
  const counts = boundedCache<{ at: number; n: number }>(MOST_COUNTS);

  async function recount(tx: Queries, ids: string[], now: number): Promise<void> {
    const old = ids.filter((id) => now - (counts.get(id)?.at ?? Number.NEGATIVE_INFINITY) >= COUNTED_MS);
    if (old.length === 0) return;
    for (const { workspace_id, n } of await countScreens(tx, old, MOST_SCREENS))
      counts.set(workspace_id, { at: now, n });
  }

  return {
    /** Returns the screens that don't fit. */
    async beyond<S extends Screen>(tx: Queries, screens: S[], now: Date): Promise<S[]> {
      const groups = Map.groupBy(screens, ({ workspaceId }) => workspaceId);
      await recount(tx, [...groups.keys()], now.getTime());
      const left = (id: string) => MOST_SCREENS - (counts.get(id)?.n ?? 0);
      const crowded = [...groups].filter(([id, group]) => group.length > left(id));
      if (crowded.length === 0) return [];
      const rows = await knownScreens(
        tx,
        crowded.flatMap(([, group]) => group),
      );
      const known = new Set(rows.map(({ workspace_id, name }) => `${workspace_id} ${name}`));
      return crowded.flatMap(([id, group]) =>
        group.filter(({ name }) => !known.has(`${id} ${name}`)).slice(Math.max(0, left(id))),
      );
    },
    /** Counts one new screen. */
    add(workspaceId: string): void {
      const count = counts.get(workspaceId);
      if (count) count.n++;
    },
  };
}
