import type { Static } from "typebox";
import type { CampaignMetrics, StepCounts } from "@tidings/contract/campaigns/runs";
import { type Journey, journeyOf } from "@tidings/contract/campaigns/journey";
import type { Channel } from "@tidings/contract/facts/activity";
import { metricsByChannel, ZEROS } from "../../analytics/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import type { CampaignRow } from "../definition/store.ts";
import { goalsReached, stepCounts } from "../run/look-store.ts";
import type { CampaignRef } from "../run/run.ts";

const NONE: StepCounts = { entered: 0, waiting: 0, passed: 0, failed: 0, exited: 0 };

/** Returns the numbers of a campaign. With a channel, it counts the messages on this channel and the steps that send them. */
export async function campaignMetrics(
  q: Queries,
  row: CampaignRow,
  channel: Channel | undefined,
): Promise<Static<typeof CampaignMetrics>> {
  const campaign = { workspaceId: row.workspace_id, campaignId: row.id };
  const journey = journeyOf(row.definition.steps);
  const used = channelsOf(journey);
  const [{ totals, channels }, steps, reached] = await Promise.all([
    metricsByChannel(q, row.workspace_id, row.id, channel),
    stepsOf(q, campaign, journey, channel),
    row.definition.goal ? goalsReached(q, campaign) : undefined,
  ]);
  const shown = [...used].filter((one) => channel === undefined || one === channel);
  return {
    totals,
    channels: { ...Object.fromEntries(shown.map((one) => [one, ZEROS])), ...channels },
    steps,
    ...(reached !== undefined && { goal: { reached } }),
  };
}

function channelsOf({ nodes }: Journey): Set<Channel> {
  const used = new Set<Channel>();
  for (const { step } of nodes.values()) {
    if (step.type !== "message") continue;
    if (step.channel) used.add(step.channel);
    for (const { channel } of step.escalate ?? []) used.add(channel);
  }
  return used;
}

/** Returns each step of the draft, in its order, and the steps of earlier versions that runs have reached. */
async function stepsOf(
  q: Queries,
  campaign: CampaignRef,
  { nodes }: Journey,
  channel: Channel | undefined,
): Promise<Record<string, StepCounts>> {
  const steps: Record<string, StepCounts> = Object.fromEntries([...nodes.keys()].map((id) => [id, NONE]));
  for (const { step_id, state, count } of await stepCounts(q, campaign)) {
    const counts = steps[step_id] ?? NONE;
    steps[step_id] = { ...counts, entered: counts.entered + count, [state]: counts[state] + count };
  }
  if (channel === undefined) return steps;
  return Object.fromEntries(
    Object.entries(steps).filter(([id]) => {
      const step = nodes.get(id)?.step;
      return step?.type === "message" && step.channel === channel;
    }),
  );
}
