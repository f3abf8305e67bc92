import type { Ground } from "../platform/ground.ts";
import { Problem } from "../platform/http/index.ts";
import { currentQuery } from "../platform/resources/interactive.ts";
import { keysFrom } from "./definition/audience.ts";
import type { BroadcastRow } from "./definition/store.ts";

/**
 * Refuses a broadcast that would go to nobody: mostly its filter is not what the author meant. If the audience can't be read within
 * a few seconds, or the reading fails for another reason, the broadcast is not refused. @throws Problem audience_empty
 */
export async function refuseEmpty(ground: Ground, row: BroadcastRow): Promise<void> {
  const reading = currentQuery(ground, row.workspace_id, (q) =>
    keysFrom(q, row, { cursor: null, limit: 1, now: ground.clock.now() }),
  );
  const first = await reading.catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
  if (first?.length === 0)
    throw new Problem(
      "audience_empty",
      "Nobody is in the audience now. See who would get it with /preflight, or give `allow_empty: true` if you mean it.",
    );
}
