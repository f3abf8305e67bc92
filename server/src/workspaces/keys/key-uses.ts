import type { Ground } from "../../platform/ground.ts";
import { markUsed } from "./keys-store.ts";

/** The precision of last_used_at: a row that each call updates would be the most contended row of the database. */
const APART_MS = 60_000;
const FLUSH_MS = 1_000;

/**
 * Returns the function that notes the use of a key; `last` is the last_used_at of its row. It is called when the key's row is read
 * again, every half a second: other requests pay nothing.
 */
export function keyUses(ground: Ground): (id: string, last: Date | null) => void {
  let due = new Set<string>();

  async function flush(): Promise<void> {
    const ids = [...due];
    due = new Set();
    // If the database is unreachable or this process is stopping, the next use notes it.
    await markUsed(ground.workDb, ids, ground.clock.now(), APART_MS).catch(() => {});
  }

  return (id, last) => {
    if (last !== null && ground.clock.now().getTime() - last.getTime() < APART_MS) return;
    if (due.size === 0) setTimeout(() => void flush(), FLUSH_MS).unref();
    due.add(id);
  };
}
