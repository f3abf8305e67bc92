import type { Tx } from "../../platform/db/index.ts";
import type { Published } from "../definition/published.ts";
import { dayTriggerOf, nextMoment } from "../rules/occurrences.ts";
import { closeOccurrences } from "./occurrences-store.ts";
import { beginSchedule, endSchedule } from "./schedules-store.ts";

/**
 * Begins to plan the occurrences of a campaign, in the transaction that activates it: what was due before the activation lets nobody in.
 * A campaign that is activated again with the same trigger goes on. With another trigger, open occurrences are missed.
 */
export async function followSchedule(
  tx: Tx,
  published: Pick<Published, "workspaceId" | "campaignId" | "definition">,
  now: Date,
): Promise<void> {
  const trigger = dayTriggerOf(published.definition);
  if (trigger && !(await beginSchedule(tx, published, { trigger, now, dueAt: nextMoment(trigger.at, now) }))) return;
  if (!trigger && (await endSchedule(tx, published)) === 0) return;
  await closeOccurrences(tx, published);
}
