export const periods = { day: 1, week: 7 } as const;
export const periodNames = Object.keys(periods) as (keyof typeof periods)[];
const HOUR_MS = 3_600_000;

/** The filters and the open item, as the address has them. Without a period, it is one day. */
export interface RejectedSearch {
  code?: string;
  route?: string;
  person_id?: string;
  period?: keyof typeof periods;
  open?: string;
}
export type Change = { [K in keyof RejectedSearch]?: RejectedSearch[K] | undefined };

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value).slice(0, 200) || undefined : undefined;

/** Reads the address; what it does not know is left out. */
export function rejectedSearchOf(given: Record<string, unknown>): RejectedSearch {
  const read = {
    code: text(given.code),
    route: text(given.route),
    person_id: text(given.person_id),
    period: periodNames.find((name) => name === given.period),
    open: text(given.open),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Returns when the period begins: with an hour, because the service counts by hours, so that counts and items agree. */
export const sinceOf = ({ period = "day" }: RejectedSearch, now: number): string =>
  new Date(Math.floor((now - periods[period] * 24 * HOUR_MS) / HOUR_MS) * HOUR_MS).toISOString();

export const isFiltered = ({ code, route, person_id }: RejectedSearch): boolean =>
  code !== undefined || route !== undefined || person_id !== undefined;
