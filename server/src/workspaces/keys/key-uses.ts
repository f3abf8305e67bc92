import type { Ground } from "../../platform/ground.ts";
import { markUsed } from "./keys-store.ts";

/** How exactly the list shows when a key was used: a row that each call writes would be the hottest of all. */
const APART_MS = 60_000;
const FLUSH_MS = 1_000;

/**
 * Gives the function that is told of a key in use, with when its row says it was last. What is known of a key is read anew
 * every 4 s, and that is when it is told: a request pays nothing.
 */
export function keyUses(ground: Ground): (id: string, last: Date | null) => void {
  let due = new Set<string>();

  async function flush(): Promise<void> {
    const ids = [...due];
    due = new Set();
    // Where the database is away, or this process is stopping, the next use tells it.
    await markUsed(ground.workDb, ids, ground.clock.now(), APART_MS).catch(() => {});
  }

  return (id, last) => {
    if (last !== null && ground.clock.now().getTime() - last.getTime() < APART_MS) return;
    if (due.size === 0) setTimeout(() => void flush(), FLUSH_MS).unref();
    due.add(id);
  };
}
