import type { Ground } from "../platform/ground.ts";
import { PROVIDERS_CHANGED } from "./registry.ts";
import { providersFor } from "./provider-store.ts";

const FRESH_MS = 4_000;
const MOST = 10_000;

/**
 * Gives the function that says whether a workspace's emails need a sender of their own, because a real provider takes
 * them: only the local one has a sender to fall back on. Kept for 4 s, and dropped at once when a provider changes; in
 * between, a delivery without a sender fails with that reason.
 */
export function needsSender(ground: Ground): (workspaceId: string) => Promise<boolean> {
  const known = new Map<string, { at: number; answer: Promise<boolean> }>();
  ground.signals.subscribe(PROVIDERS_CHANGED, () => known.clear());
  return (workspaceId) => {
    let entry = known.get(workspaceId);
    if (!entry || performance.now() - entry.at > FRESH_MS) {
      if (known.size >= MOST) known.clear();
      const lane = { workspaceId, channel: "email" as const };
      const answer = providersFor(ground.db, lane).then((rows) => rows.some((row) => row.kind !== "local"));
      entry = { at: performance.now(), answer };
      known.set(workspaceId, entry);
      answer.catch(() => known.delete(workspaceId));
    }
    return entry.answer;
  };
}
