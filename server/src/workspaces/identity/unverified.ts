import { boundedCache } from "../../platform/limits/cache.ts";
import type { Ground } from "../../platform/ground.ts";
import { addUnverified, type Unverified, unverifiedSince } from "./secrets-store.ts";

const FLUSH_MS = 5_000;
/** The log warns about unsigned calls once an hour for each workspace, and not for each call. */
const WARN_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Returns how many unproven calls and addresses came from applications in the last 7 days, today included. */
export const unverifiedCalls = (ground: Ground, workspaceId: string): Promise<Unverified> =>
  unverifiedSince(ground.db, workspaceId, new Date(ground.clock.now().getTime() - 6 * DAY_MS));

/** Counts in memory and writes every 5 s: a row that each call updates would be the most contended row of the database. */
export function unverifiedCounter(ground: Ground) {
  let counts = new Map<string, Unverified>();
  const warned = boundedCache<number>(10_000);

  async function flush(): Promise<void> {
    if (counts.size === 0) return;
    const written = counts;
    counts = new Map();
    const now = ground.clock.now();
    try {
      await addUnverified(ground.workDb, now, [...written]);
    } catch {
      // The database is unreachable: these counts are added to the next ones.
      for (const [id, counts] of written) add(id, counts);
    }
    for (const [id, { unsigned, invalid }] of written) if (unsigned + invalid > 0) warn(id, now.getTime());
  }

  function add(workspaceId: string, more: Partial<Unverified>): void {
    const count = counts.get(workspaceId) ?? { unsigned: 0, invalid: 0, claimed: 0 };
    for (const kind of ["unsigned", "invalid", "claimed"] as const) count[kind] += more[kind] ?? 0;
    counts.set(workspaceId, count);
  }

  function warn(workspaceId: string, now: number): void {
    if (now - (warned.get(workspaceId) ?? Number.NEGATIVE_INFINITY) < WARN_MS) return;
    warned.set(workspaceId, now);
    ground.log.warn(
      { workspace_id: workspaceId },
      "applications call without a valid person token: anybody with the public key can read anybody's messages",
    );
  }

  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  return {
    count(workspaceId: string, kind: keyof Unverified): void {
      ground.metrics.unverified.inc({ kind });
      add(workspaceId, { [kind]: 1 });
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
