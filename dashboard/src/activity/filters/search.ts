import type { Channel, DeliveryStatus, Metrics, Source } from "@tidings/contract/facts/activity";
import { channels, sources, statuses } from "../delivery.ts";

const periods = { day: 1, week: 7, month: 30 } as const;
export const periodNames = Object.keys(periods) as (keyof typeof periods)[];

const metrics = [
  "sent",
  "delivered",
  "shown",
  "opened",
  "clicked",
  "dismissed",
  "bounced",
  "unsubscribed",
  "failed",
] as const satisfies (keyof Metrics)[];

/** The filters as they stand in the address. */
export interface Filters {
  q?: string;
  channel?: Channel;
  status?: DeliveryStatus;
  /** Exactly this reason. */
  reason?: string;
  source?: Source;
  source_id?: string;
  step?: string;
  variant?: string;
  person_id?: string;
  undetermined?: true;
  period?: keyof typeof periods;
  /** A period by its ends, as instants. */
  since?: string;
  until?: string;
  /** Those that a number of analytics counts, between two instants. */
  metric?: keyof Metrics;
  from?: string;
  to?: string;
}
/** With the order, and the delivery that the drawer shows. */
export interface DeliveriesSearch extends Filters {
  sort?: "queued_at";
  open?: string;
}
/** Undefined takes a filter away. */
export type Changed = { [K in keyof DeliveriesSearch]: DeliveriesSearch[K] | undefined };

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value);
const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
const instant = (value: unknown): string | undefined =>
  typeof value === "string" && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined;

/** Reads the address; what it does not know is left out. */
export function searchOf(given: Record<string, unknown>): DeliveriesSearch {
  const source_id = text(given.source_id);
  const read = {
    q: text(given.q),
    channel: oneOf(channels, given.channel),
    status: oneOf(statuses, given.status),
    reason: text(given.reason),
    source: oneOf(sources, given.source),
    source_id,
    // Ids of steps are unique in one campaign only, so the service refuses a step without it.
    step: source_id && text(given.step),
    variant: text(given.variant),
    person_id: text(given.person_id),
    undetermined: given.undetermined === true || given.undetermined === "true" ? (true as const) : undefined,
    period: oneOf(periodNames, given.period),
    since: instant(given.since),
    until: instant(given.until),
    ...countedOf(given),
    sort: oneOf(["queued_at"], given.sort),
    open: text(given.open),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** A range of time means nothing without the number that happened in it. */
function countedOf(given: Record<string, unknown>): Pick<Filters, "metric" | "from" | "to"> {
  const metric = oneOf(metrics, given.metric);
  const [from, to] = [instant(given.from), instant(given.to)];
  return metric ? { metric, ...(from && { from }), ...(to && { to }) } : {};
}

/** Returns the query of the product API. The time begins with a minute, so that drawing the page again asks the same. */
export function queryOf({ period, open: _, ...filters }: DeliveriesSearch, now: number) {
  const begin = period && new Date(Math.floor(now / 60_000) * 60_000 - periods[period] * 86_400_000);
  return { ...filters, ...(begin && { since: begin.toISOString() }) };
}

export const isFiltered = ({ open: _, sort: __, ...filters }: DeliveriesSearch): boolean =>
  Object.keys(filters).length > 0;
