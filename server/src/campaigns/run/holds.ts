import type { Tx } from "../../platform/db/index.ts";
import { durationMs } from "../../platform/time/duration.ts";
import { isGoal } from "../rules/events.ts";
import { endOne } from "./end-store.ts";
import { eventsSince, goalRunsOf, type GoalEvent, noteGoals } from "./goals-store.ts";
import { held, type Held, TURNS } from "../../workspaces/index.ts";
import { closeSecond, lockRuns, mergeEntries, secondRuns } from "./held-store.ts";

/** The runs of people. When two people are merged, the runs of both continue, unless one of them would be a second run. */
export const holds: Held[] = [
  held("campaign_batches", {
    ids: { run_id: "run", campaign_id: "cmp" },
    async beforeMerge(tx, { from, to }) {
      await closeSecond(tx, from, to);
      return [];
    },
  }),
  held("campaign_entries", {
    ids: { campaign_id: "cmp" },
    async beforeMerge(tx, { from, to, now }) {
      for (const run of await secondRuns(tx, from, to))
        await endOne(tx, run, { status: "canceled", reason: "merged", mergedInto: to }, now);
      return [];
    },
    combine: (tx, { from, to }) => mergeEntries(tx, from, to),
  }),
  held("campaign_calls", { ids: { run_id: "run", campaign_id: "cmp" } }),
  held("campaign_checks"),
  held("campaign_members", { ids: { campaign_id: "cmp" } }),
  held("campaign_passages", { ids: { run_id: "run", campaign_id: "cmp", delivery_id: "dlv", deliveries: "dlv" } }),
  held("campaign_runs", {
    ids: { id: "run", campaign_id: "cmp", escalation: "dlv" },
    // The engine locks a run before it changes the person.
    lockedFirst: TURNS.runs,
    hold: lockRuns,
    afterMerge: reachMergedGoals,
  }),
];

/**
 * Records goals that a run reaches because two people are one now: an event of the one within the goal's time of a run of the
 * other.
 */
async function reachMergedGoals(tx: Tx, { to, now }: { to: string; now: Date }): Promise<void> {
  const runs = await goalRunsOf(tx, to);
  if (runs.length === 0) return;
  const goals = new Map(runs.map((run) => [run.campaign_id, run.goal]));
  const names = [...new Set(runs.map(({ goal }) => goal.event))];
  const since = new Date(Math.min(...runs.map((run) => run.entered_at.getTime())));
  const events = await eventsSince(tx, to, { names, since });
  const reached = [...goals].flatMap(([campaignId, goal]) =>
    events
      .filter((event) => event.name === goal.event && isGoal(goal, event, now))
      .map(({ ts }): GoalEvent => ({ personKey: to, campaignId, ts, withinMs: durationMs(goal.within) })),
  );
  if (reached.length === 0) return;
  for (const run of await noteGoals(tx, reached))
    if (goals.get(run.campaign_id)?.exit) await endOne(tx, run, { status: "exited", reason: "goal" }, now);
}
