import { LRUCache } from "lru-cache";
import type { Queries } from "../platform/db/index.ts";
import { judge, type Rejection } from "./name.ts";
import { screenRoom } from "./room.ts";
import { upsert } from "./store.ts";

export interface Seen {
  workspaceId: string;
  /** As the client reported it. */
  screen: string;
}

export interface Verdict {
  name: string;
  accepted: boolean;
  reason?: Rejection;
}

const MINUTE = 60_000;
const MOST = 20_000;

export interface Reported {
  verdicts: Verdict[];
  /** To be called after the commit: what was rolled back must be written again by the next view. */
  committed(): void;
}

/**
 * The catalog's door: takes reported names, many at once. A process remembers what it wrote within the last minute, so a
 * popular screen costs one statement a minute and not one a view.
 */
export function screenCatalog(): (tx: Queries, seen: Seen[], now: Date) => Promise<Reported> {
  const written = new LRUCache<string, number>({ max: MOST });
  const room = screenRoom();
  return async (tx, seen, now) => {
    const due = new Map<string, { key: string; workspaceId: string; name: string }>();
    const verdicts = seen.map(({ workspaceId, screen }): Verdict => {
      const { name, reason } = judge(screen);
      if (reason) return { name, accepted: false, reason };
      const key = `${workspaceId} ${name}`;
      if (now.getTime() - (written.get(key) ?? Number.NEGATIVE_INFINITY) >= MINUTE)
        due.set(key, { key, workspaceId, name });
      return { name, accepted: true };
    });
    for (const { key } of due.size > 0 ? await room.beyond(tx, [...due.values()], now) : []) {
      due.delete(key);
      seen.forEach(({ workspaceId }, i) => {
        const { name = "" } = verdicts[i] ?? {};
        if (`${workspaceId} ${name}` === key) verdicts[i] = { name, accepted: false, reason: "too_many" };
      });
    }
    const sorted = [...due.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    const rows = sorted.length > 0 ? await upsert(tx, sorted, now) : [];
    return {
      verdicts,
      committed() {
        for (const { key } of sorted) written.set(key, now.getTime());
        for (const { workspace_id, fresh } of rows) if (fresh) room.made(workspace_id);
      },
    };
  };
}
