import { boundedCache } from "../platform/limits/cache.ts";
import type { Queries } from "../platform/db/index.ts";
import { checkName, type Rejection } from "./name.ts";
import { screenRoom } from "./room.ts";
import { upsert } from "./store.ts";

/** A screen that a client reported. */
export interface ReportedScreen {
  workspaceId: string;
  /** As the client reported it. */
  screen: string;
}

export interface ScreenResult {
  name: string;
  accepted: boolean;
  reason?: Rejection;
}

const MINUTE = 60_000;
const MOST_REMEMBERED = 20_000;

export interface CatalogResult {
  /** In the order of the reported screens. */
  results: ScreenResult[];
  /** Call it after the commit: screens of a rolled-back transaction must be written again at their next view. */
  committed(): void;
}

/**
 * Returns the function that writes reported screens to the catalog, many at once. A process remembers which screens it wrote within
 * the last minute, so a popular screen costs one statement a minute and not one a view.
 */
export function screenCatalog(): (tx: Queries, screens: ReportedScreen[], now: Date) => Promise<CatalogResult> {
  const written = boundedCache<number>(MOST_REMEMBERED);
  const room = screenRoom();
  return async (tx, screens, now) => {
    const due = new Map<string, { key: string; workspaceId: string; name: string }>();
    const results = screens.map(({ workspaceId, screen }): ScreenResult => {
      const { name, reason } = checkName(screen);
      if (reason) return { name, accepted: false, reason };
      const key = `${workspaceId} ${name}`;
      if (now.getTime() - (written.get(key) ?? Number.NEGATIVE_INFINITY) >= MINUTE)
        due.set(key, { key, workspaceId, name });
      return { name, accepted: true };
    });
    for (const { key } of due.size > 0 ? await room.beyond(tx, [...due.values()], now) : []) {
      due.delete(key);
      screens.forEach(({ workspaceId }, i) => {
        const { name = "" } = results[i] ?? {};
        if (`${workspaceId} ${name}` === key) results[i] = { name, accepted: false, reason: "too_many" };
      });
    }
    const sorted = [...due.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    const rows = sorted.length > 0 ? await upsert(tx, sorted, now) : [];
    return {
      results,
      committed() {
        for (const { key } of sorted) written.set(key, now.getTime());
        for (const { workspace_id, fresh } of rows) if (fresh) room.add(workspace_id);
      },
    };
  };
}
