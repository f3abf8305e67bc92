export const periods = { day: 1, week: 7, month: 30, quarter: 90 } as const;
export const periodNames = Object.keys(periods) as (keyof typeof periods)[];

/** The filters and the open entry, as the address has them. */
export interface AuditSearch {
  actor?: string;
  /** A type of resource, or the id of one resource. */
  resource?: string;
  action?: string;
  person_id?: string;
  period?: keyof typeof periods;
  open?: string;
}
export type Change = { [K in keyof AuditSearch]?: AuditSearch[K] | undefined };

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value).slice(0, 256) || undefined : undefined;

/** Reads the address; what it does not know is left out. A person is a resource, too: an address with both keeps only one of them. */
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

/** Returns the query of the product API. The period begins at a full minute, so that a page that is drawn again makes an equal query, which the cache answers. */
export function queryOf({ period, open: _, ...filters }: AuditSearch, now: number) {
  const begin = period && new Date(Math.floor(now / 60_000) * 60_000 - periods[period] * 86_400_000);
  return { ...filters, ...(begin && { since: begin.toISOString() }) };
}

export const isFiltered = ({ open: _, ...filters }: AuditSearch): boolean => Object.keys(filters).length > 0;
