import type { Failures } from "@tidings/contract/facts/activity";
import { MOST_COUNTED } from "@tidings/contract/lists";
import type { Ground } from "../../platform/ground.ts";
import { interactiveQuery } from "../../platform/resources/interactive.ts";
import { countFailures } from "./metrics-store.ts";

const GROUPS = 50;

/**
 * Counts what did not arrive of a transactional, a broadcast or a campaign, by reason, within the short time that a person waits.
 * @throws Problem busy, query_too_slow
 */
export async function failuresOf(ground: Ground, workspaceId: string, sourceId: string): Promise<Failures> {
  const { rows, examined } = await interactiveQuery(ground, workspaceId, (q) =>
    countFailures(q, workspaceId, sourceId, { most: MOST_COUNTED, groups: GROUPS }),
  );
  return { data: rows, exact: examined < MOST_COUNTED };
}
