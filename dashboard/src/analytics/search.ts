import type { Channel, Metrics, Source } from "@tidings/contract/facts/activity";
import { channels, sources } from "../activity/delivery.ts";
import { isDay } from "./time/dates.ts";
import { metricNames } from "./metrics.ts";

export const periods = ["24h", "7d", "30d", "90d", "12m", "custom"] as const;
export const groupings = ["source_id", "channel", "source"] as const;

/** What the room shows, as the address has it. A default is not written into the address. */
export interface AnalyticsSearch {
  period?: (typeof periods)[number];
  /** Days of the workspace's calendar, of a custom period. */
  from?: string;
  to?: string;
  compare?: false;
  channel?: Channel;
  source?: Source;
  source_id?: string;
  metric?: keyof Metrics;
  by?: (typeof groupings)[number];
  view?: "table";
  sort?: string;
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value);
const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const day = (value: unknown): string | undefined => (typeof value === "string" && isDay(value) ? value : undefined);
const sorts = metricNames.flatMap((name) => [name, `-${name}`]);

/** Reads the address; what it does not know is left out. */
export function analyticsSearchOf(given: Record<string, unknown>): AnalyticsSearch {
  const read = {
    period: oneOf(periods, given.period),
    from: day(given.from),
    to: day(given.to),
    compare: given.compare === false ? (false as const) : undefined,
    channel: oneOf(channels, given.channel),
    source: oneOf(sources, given.source),
    source_id: text(given.source_id),
    metric: oneOf(metricNames, given.metric),
    by: oneOf(groupings, given.by),
    view: oneOf(["table"] as const, given.view),
    sort: oneOf(sorts, given.sort),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Changes of the address. `undefined` removes a part of it. */
export type Change = { [K in keyof AnalyticsSearch]?: AnalyticsSearch[K] | undefined };

/** The part of the workspace that is counted. */
export const scopeOf = ({ channel, source, source_id }: AnalyticsSearch) => ({
  ...(channel && { channel }),
  ...(source && { source }),
  ...(source_id && { source_id }),
});
