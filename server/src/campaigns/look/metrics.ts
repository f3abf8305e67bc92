import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import type { CampaignMetrics, CampaignMetricsQuery, RunCounts, StepCounts } from "@tidings/contract/campaigns/runs";
import { type Journey, journeyOf } from "@tidings/contract/campaigns/journey";
import type { Step } from "@tidings/contract/campaigns/steps";
import type { Channel } from "@tidings/contract/facts/activity";
import type { Static } from "typebox";
import { metricsByChannel, metricsByStep, type StepMetrics, ZEROS } from "../../analytics/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { keptSince, type Workspace } from "../../workspaces/index.ts";
import { publishedVersions } from "../definition/published.ts";
import type { CampaignRow } from "../definition/store.ts";
import { messagesOf } from "../rules/escalation.ts";
import type { CampaignRef } from "../run/run.ts";
import { dayTriggerOf } from "../rules/occurrences.ts";
import { latestOccurrences } from "../schedule/occurrences-store.ts";
import { countRuns, countSteps, type StepFigure } from "./figures-store.ts";
import { goalMetrics } from "./goals.ts";
import { asksForSeries, seriesOfCampaign } from "./series.ts";

type Metrics = Static<typeof CampaignMetrics>;

/** The most days in `occurrences`. */
const MOST_OCCURRENCES = 10;
const NO_RUNS = { entered: 0, active: 0, completed: 0, exited: 0, failed: 0, canceled: 0 };
const NO_PASSAGES = { entered: 0, waiting: 0, passed: 0, failed: 0, exited: 0 };

/**
 * Returns the numbers of a campaign. With a channel, it counts the messages on this channel and the steps that send them.
 * @throws Problem invalid_request for a range of the series that is empty or too long
 */
export async function campaignMetrics(
  q: Queries,
  { workspace, row, now }: { workspace: Workspace; row: CampaignRow; now: Date },
  query: CampaignMetricsQuery,
): Promise<Metrics> {
  const { channel } = query;
  const campaign = { workspaceId: row.workspace_id, campaignId: row.id };
  const journey = journeyOf(row.definition.steps);
  const hasGoal = row.definition.goal !== null;
  const keptFrom = keptSince(workspace, "runs", now);
  const [{ totals, channels }, messages, runs, figures, series, occurrences] = await Promise.all([
    metricsByChannel(q, row.workspace_id, row.id, channel),
    metricsByStep(q, row.workspace_id, row.id, channel),
    runsOf(q, campaign),
    countSteps(q, campaign, undefined),
    asksForSeries(query) ? seriesOfCampaign(q, { workspace, campaign, journey, hasGoal, now }, query) : undefined,
    dayTriggerOf(row.definition) ? latestOccurrences(q, campaign, MOST_OCCURRENCES) : undefined,
  ]);
  const used = [...journey.nodes.values()].flatMap(({ step }) => channelsOf(step));
  const shown = [...new Set(used)].filter((one) => channel === undefined || one === channel);
  const { converted, ...runCounts } = runs;
  const goal = hasGoal
    ? await goalMetrics(q, { campaign, definition: await measuredBy(q, row), runs, now })
    : undefined;
  return {
    totals,
    channels: { ...zerosOf(shown), ...channels },
    runs: { ...runCounts, ...(hasGoal && { converted }) },
    steps: stepsOf(figures, { messages, journey, channel, hasGoal }),
    ...(goal && { goal }),
    kept_since: keptFrom > row.created_at ? keptFrom.toISOString() : null,
    ...(series && { series }),
    ...(occurrences && { occurrences }),
  };
}

/** Returns the published definition, whose goal runs have reached; the draft as long as nothing with a goal is published. */
async function measuredBy(
  q: Queries,
  { workspace_id, id, version, definition }: CampaignRow,
): Promise<CampaignDefinition> {
  if (version === null) return definition;
  const [published] = await publishedVersions(q, [{ workspace_id, campaign_id: id, version }]);
  return published?.definition.goal ? published.definition : definition;
}

/** The channels of a step's messages. */
const channelsOf = (step: Step): Channel[] =>
  step.type === "message" ? messagesOf(step).flatMap(({ channel }) => channel ?? []) : [];

async function runsOf(q: Queries, campaign: CampaignRef): Promise<Required<RunCounts>> {
  const figures = await countRuns(q, campaign, undefined);
  return { ...NO_RUNS, converted: 0, ...Object.fromEntries(figures.map(({ figure, count }) => [figure, count])) };
}

interface StepsInput {
  messages: Map<string, StepMetrics>;
  journey: Journey;
  channel: Channel | undefined;
  hasGoal: boolean;
}

/**
 * Returns each step of the draft, in its order, and the steps of earlier versions that runs have reached or that sent messages. With a
 * channel, only those that send on it.
 */
function stepsOf(figures: StepFigure[], { messages, journey: { nodes }, channel, hasGoal }: StepsInput) {
  const none: StepCounts = { ...NO_PASSAGES, ...(hasGoal && { converted: 0 }) };
  const steps = new Map([...nodes.keys(), ...messages.keys()].map((id) => [id, { ...none }]));
  for (const { step_id, figure, count } of figures) {
    const counts = steps.get(step_id) ?? { ...none };
    steps.set(step_id, counts);
    if (figure === "converted") {
      if (hasGoal) counts.converted = (counts.converted ?? 0) + count;
      continue;
    }
    counts[figure] += count;
    counts.entered += count;
  }
  const shown = [...steps].map(([id, counts]): [string, StepCounts] => {
    const step = nodes.get(id)?.step;
    const used = (step ? channelsOf(step) : []).filter((one) => channel === undefined || one === channel);
    const { channels, ...numbers } = messages.get(id) ?? { ...ZEROS, channels: {} };
    const all = { ...zerosOf(used), ...channels };
    return [id, Object.keys(all).length === 0 ? counts : { ...counts, messages: { ...numbers, channels: all } }];
  });
  return Object.fromEntries(shown.filter(([, { messages: sent }]) => channel === undefined || sent !== undefined));
}

const zerosOf = (channels: Channel[]) => Object.fromEntries(channels.map((one) => [one, ZEROS]));
