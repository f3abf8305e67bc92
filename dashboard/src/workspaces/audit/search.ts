export const periods = { day: 1, week: 7, month: 30, quarter: 90 } as const;
export const periodNames = Object.keys(periods) as (keyof typeof periods)[];

/** The filters as they stand in the address, and the entry that is open. */
export interface AuditSearch {
  actor?: string;
  /** A type, or the id of one. */
  resource?: string;
  action?: string;
  person_id?: string;
  period?: keyof typeof periods;
  open?: string;
}
export type Change = { [K in keyof AuditSearch]?: AuditSearch[K] | undefined };

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value).slice(0, 256) || undefined : undefined;

/** Reads the address; what it does not know is left out. A person is a resource, so both at once are one too many. */
export function auditSearchOf(given: Record<string, unknown>): AuditSearch {
  const person = text(given.person_id);
  const read = {
    actor: text(given.actor),
    resource: person === undefined ? text(given.resource) : undefined,
    action: text(given.action),
    person_id: person,
    period: periodNames.find((name) => name === given.period),
    open: text(given.open),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Returns the query of the product API. The time begins with a minute, so that drawing the page again asks the same. */
export function queryOf({ period, open: _, ...filters }: AuditSearch, now: number) {
  const begin = period && new Date(Math.floor(now / 60_000) * 60_000 - periods[period] * 86_400_000);
  return { ...filters, ...(begin && { since: begin.toISOString() }) };
}

export const isFiltered = ({ open: _, ...filters }: AuditSearch): boolean => Object.keys(filters).length > 0;
