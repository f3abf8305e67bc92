import type { Queries } from "../platform/db/index.ts";
import { judge, type Rejection } from "./name.ts";
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
  const written = new Map<string, number>();
  return async (tx, seen, now) => {
    const due = new Map<string, { workspaceId: string; name: string }>();
    const verdicts = seen.map(({ workspaceId, screen }): Verdict => {
      const { name, reason } = judge(screen);
      if (reason) return { name, accepted: false, reason };
      const key = `${workspaceId} ${name}`;
      if (now.getTime() - (written.get(key) ?? Number.NEGATIVE_INFINITY) >= MINUTE) due.set(key, { workspaceId, name });
      return { name, accepted: true };
    });
    const sorted = [...due].sort(([a], [b]) => (a < b ? -1 : 1));
    if (sorted.length > 0)
      await upsert(
        tx,
        sorted.map(([, screen]) => screen),
        now,
      );
    return {
      verdicts,
      committed() {
        if (written.size >= MOST) written.clear();
        for (const [key] of sorted) written.set(key, now.getTime());
      },
    };
  };
}
