import type { Channel, Metrics, MetricsQuery } from "@tidings/contract/facts/activity";
import type { Static } from "typebox";
import { countRows, countRowsByStep, countRowsByVariant, type MetricsFilter } from "../activity/index.ts";
import type { Queries } from "../platform/db/index.ts";
import { parseInstant } from "../platform/time/clock.ts";
import { groups, METRICS, type Scope, totals } from "./counts-store.ts";

const ALL_TIME = { from: null, to: null };
const isAllTime = ({ since, until }: MetricsFilter) => since === null && until === null;
const scopeOf = (workspaceId: string, sourceId: string, { channel }: MetricsFilter): Scope => ({
  workspaceId,
  channel,
  sourceId,
});

/** Reads which deliveries a request for numbers asks about. */
export const askedFor = ({ channel, since, until }: Static<typeof MetricsQuery>): MetricsFilter => ({
  channel,
  since: since === undefined ? null : (parseInstant(since) ?? null),
  until: until === undefined ? null : (parseInstant(until) ?? null),
});

/**
 * Returns the numbers of one source (a transactional, a broadcast, a campaign), exactly as GET /deliveries lists its deliveries. For a
 * time of queueing it counts the rows: the sums have the time of each event, but not of the delivery's queueing.
 */
export const metricsOf = (
  q: Queries,
  workspaceId: string,
  sourceId: string,
  filter: MetricsFilter,
): Promise<Metrics> =>
  isAllTime(filter)
    ? totals(q, scopeOf(workspaceId, sourceId, filter), ALL_TIME)
    : countRows(q, workspaceId, sourceId, filter);

export const ZEROS = Object.fromEntries(METRICS.map((name) => [name, 0])) as Metrics;

/**
 * Returns the numbers of one source in all and by variant. Each of `names` is there, even with zeros. One statement reads them, so the
 * variants always add up to the total.
 */
export async function metricsByVariant(
  q: Queries,
  workspaceId: string,
  { sourceId, filter, names }: { sourceId: string; filter: MetricsFilter; names: string[] },
): Promise<Metrics & { variants: Record<string, Metrics> }> {
  const rows = isAllTime(filter)
    ? await groups(q, scopeOf(workspaceId, sourceId, filter), ALL_TIME, "variant")
    : await countRowsByVariant(q, workspaceId, sourceId, filter);
  const found = new Map(rows.map(({ variant = null, ...numbers }) => [variant, numbers]));
  return {
    ...rows.map(({ variant: _variant, ...numbers }) => numbers).reduce(plus, ZEROS),
    variants: Object.fromEntries(names.map((name) => [name, found.get(name) ?? ZEROS])),
  };
}

export const plus = (a: Metrics, b: Metrics): Metrics =>
  Object.fromEntries(METRICS.map((name) => [name, a[name] + b[name]])) as Metrics;

/** Returns the numbers of one source in all and by channel. One statement reads them, so the channels always add up to the total. */
export async function metricsByChannel(
  q: Queries,
  workspaceId: string,
  sourceId: string,
  channel: Channel | undefined,
): Promise<{ totals: Metrics; channels: Partial<Record<Channel, Metrics>> }> {
  const rows = await groups(q, { workspaceId, sourceId, channel }, ALL_TIME, "channel");
  const parts = rows.map(({ channel: one, ...numbers }): [string, Metrics] => [String(one), numbers]);
  return { totals: parts.map(([, numbers]) => numbers).reduce(plus, ZEROS), channels: Object.fromEntries(parts) };
}

/** The numbers of a step's messages, in all and by channel. */
export type StepMetrics = Metrics & { channels: Partial<Record<Channel, Metrics>> };

/** Returns the numbers of each step of a campaign that has sent messages, as GET /deliveries lists them, by the step's id. */
export async function metricsByStep(
  q: Queries,
  workspaceId: string,
  sourceId: string,
  channel: Channel | undefined,
): Promise<Map<string, StepMetrics>> {
  const rows = await countRowsByStep(q, workspaceId, sourceId, channel);
  return new Map(
    [...Map.groupBy(rows, ({ step_id }) => step_id)].map(([step, own]) => {
      const parts = own.map(({ step_id: _step, channel: one, ...numbers }): [Channel, Metrics] => [one, numbers]);
      return [
        step,
        { ...parts.map(([, numbers]) => numbers).reduce(plus, ZEROS), channels: Object.fromEntries(parts) },
      ];
    }),
  );
}
