import type { Tx } from "../../platform/db/index.ts";
import { durationMs } from "../../platform/time/duration.ts";
import { isGoal } from "../rules/events.ts";
import { endOne } from "./end-store.ts";
import { eventsOfBoth, goalRunsOf, type GoalEvent, noteGoals } from "./goals-store.ts";

/**
 * Records goals that a run reaches because two people are one now: an event of the one within the goal's time of a run of the other. It reads
 * the events of both, because their table may be merged later than the runs.
 */
export async function reachMergedGoals(
  tx: Tx,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<void> {
  const runs = await goalRunsOf(tx, to);
  if (runs.length === 0) return;
  const goals = new Map(runs.map((run) => [run.campaign_id, run.goal]));
  const names = [...new Set(runs.map(({ goal }) => goal.event))];
  const since = new Date(Math.min(...runs.map((run) => run.entered_at.getTime())));
  const events = await eventsOfBoth(tx, [from, to], { names, since });
  const reached = [...goals].flatMap(([campaignId, goal]) =>
    events
      .filter((event) => event.name === goal.event && isGoal(goal, event, now))
      .map(({ ts }): GoalEvent => ({ personKey: to, campaignId, ts, withinMs: durationMs(goal.within) })),
  );
  if (reached.length === 0) return;
  for (const run of await noteGoals(tx, reached))
    if (goals.get(run.campaign_id)?.exit) await endOne(tx, run, { status: "exited", reason: "goal" }, now);
}
