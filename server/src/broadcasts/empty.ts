import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { interactiveQuery } from "../platform/resources/interactive.ts";
import { keysFrom } from "./definition/audience.ts";
import type { BroadcastRow } from "./definition/store.ts";

/**
 * Refuses what would go to nobody: mostly a filter that is not what its author meant. What can't be told in a few seconds, or goes wrong
 * for another reason, is left to whoever sends it. @throws Problem audience_empty
 */
export async function refuseEmpty(ground: Ground, row: BroadcastRow): Promise<void> {
  const ask = interactiveQuery(ground, row.workspace_id, (q) => keysFrom(q, row, null, 1, ground.clock.now()));
  const first = await ask.catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
  if (first?.length === 0)
    throw new Problem(
      "audience_empty",
      "Nobody is in the audience now. See who would get it with /preflight, or say `allow_empty: true` where that is meant.",
    );
}
