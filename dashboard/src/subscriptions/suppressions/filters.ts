export const channels = ["email", "sms"] as const;
export const reasons = ["hard_bounce", "complaint", "manual", "stop"] as const;

export interface SuppressionFilters {
  q?: string;
  channel?: (typeof channels)[number];
  reason?: (typeof reasons)[number];
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;

/** Reads the filters in an address; what means nothing is left out. */
export function suppressionSearch(search: Record<string, unknown>): SuppressionFilters {
  const q = text(search.q);
  const channel = channels.find((one) => one === search.channel);
  const reason = reasons.find((one) => one === search.reason);
  return { ...(q && { q }), ...(channel && { channel }), ...(reason && { reason }) };
}
