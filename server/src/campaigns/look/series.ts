import type { CampaignMetricsQuery, CampaignSeries } from "@tidings/contract/campaigns/runs";
import type { Journey } from "@tidings/contract/campaigns/journey";
import { seriesOf } from "../../analytics/index.ts";
import type { Queries } from "../../platform/db/index.ts";
import { badParameter } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import type { Workspace } from "../../workspaces/index.ts";
import type { CampaignRef } from "../run/run.ts";
import { countRuns, countSteps } from "./figures-store.ts";

/** The most numbers of steps by buckets in an answer: each takes about 130 bytes. */
const MOST_CELLS = 20_000;

/** Whether a query asks for the numbers over time. */
export const asksForSeries = ({ bucket, from, to, by }: CampaignMetricsQuery): boolean =>
  [bucket, from, to, by].some((one) => one !== undefined);

interface SeriesContext {
  workspace: Workspace;
  campaign: CampaignRef;
  journey: Journey;
  hasGoal: boolean;
  now: Date;
}

/**
 * Returns the numbers of each hour or day: runs by their entry, end and goal, and messages as GET /analytics counts them.
 * @throws Problem invalid_request for a range that is empty or too long
 */
export async function seriesOfCampaign(
  q: Queries,
  { workspace, campaign, journey, hasGoal, now }: SeriesContext,
  { by, channel, ...range }: CampaignMetricsQuery,
): Promise<CampaignSeries> {
  const source = { source_id: encodeId("cmp", campaign.campaignId), ...(channel && { channel }) };
  const split = by === "channel" ? { by } : {};
  const messages = await seriesOf(q, workspace, { ...range, ...source, ...split }, now);
  const buckets = messages.data.map(({ start, end }) => ({ start, end }));
  const bounds = [messages.from, ...buckets.map(({ end }) => end)].map((text) => new Date(text));
  if (by === "step" && buckets.length * journey.nodes.size > MOST_CELLS)
    throw badParameter(
      "from",
      `makes more than ${MOST_CELLS} numbers of steps until \`to\`. Ask for a shorter range, or for bucket=day`,
    );
  const runs = countsIn(await countRuns(q, campaign, bounds));
  const converted = hasGoal && { converted: 0 };
  const noRuns = { entered: 0, completed: 0, exited: 0, failed: 0, canceled: 0, ...converted };
  const { from, to, bucket, timezone, data, parts } = messages;
  return {
    from,
    to,
    bucket,
    timezone,
    data: data.map(({ start, end, ...numbers }, i) => ({
      start,
      end,
      runs: known(noRuns, runs.get(i + 1)),
      messages: numbers,
    })),
    ...(by === "channel" && {
      parts: (parts ?? []).map(({ channel: one, data: own }) => ({ channel: one ?? "in_app", data: own })),
    }),
    ...(by === "step" && {
      parts: await byStep(q, campaign, {
        bounds,
        buckets,
        none: { entered: 0, passed: 0, failed: 0, exited: 0, ...converted },
      }),
    }),
  };
}

type Counts = Record<string, number>;

/** Returns the numbers of the known figures, zeros included. */
const known = <T extends Counts>(none: T, counts: Counts = {}): T =>
  Object.fromEntries(Object.entries(none).map(([figure, zero]) => [figure, counts[figure] ?? zero])) as T;

/** Returns the numbers by bucket and figure. */
function countsIn(rows: { bucket: number; figure: string; count: number }[]): Map<number, Counts> {
  const found = new Map<number, Counts>();
  for (const { bucket, figure, count } of rows) {
    const counts = found.get(bucket) ?? {};
    counts[figure] = (counts[figure] ?? 0) + count;
    found.set(bucket, counts);
  }
  return found;
}

/** Returns the numbers of each step at which something happened. */
async function byStep<T extends Counts>(
  q: Queries,
  campaign: CampaignRef,
  { bounds, buckets, none }: { bounds: Date[]; buckets: { start: string; end: string }[]; none: T },
) {
  const byId = Map.groupBy(await countSteps(q, campaign, bounds), ({ step_id }) => step_id);
  return [...byId].map(([step, rows]) => {
    const counts = countsIn(rows);
    return { step, data: buckets.map((bucket, i) => ({ ...bucket, ...known(none, counts.get(i + 1)) })) };
  });
}
