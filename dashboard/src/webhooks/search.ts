export const states = ["pending", "delivered", "failed"] as const;
export const periods = { hour: 1, day: 24, week: 168 } as const;
export const periodNames = Object.keys(periods) as (keyof typeof periods)[];

/** The filters of the log of an endpoint, and the entry that is open, as they stand in the address. */
export interface WebhookSearch {
  status?: (typeof states)[number];
  type?: string;
  period?: keyof typeof periods;
  open?: string;
}

const word = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** Reads the address; what it does not know is left out. */
export function webhookSearchOf(given: Record<string, unknown>): WebhookSearch {
  const read = {
    status: states.find((one) => one === given.status),
    type: word(given.type),
    period: periodNames.find((one) => one === given.period),
    open: word(given.open),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

/** Returns the query of the log. The time begins with a minute, so that drawing the page again asks the same. */
export function logQuery({ status, type, period }: WebhookSearch, now: number) {
  const since = period && new Date(Math.floor(now / 60_000) * 60_000 - periods[period] * 3_600_000).toISOString();
  return { ...(status && { status }), ...(type && { type }), ...(since && { since }) };
}
