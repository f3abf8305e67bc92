/** What Explain is asked, as it stands in the address. */
export interface ExplainSearch {
  /** The person_id. */
  person?: string;
  screen?: string;
  /** An IANA zone; without it that of the person. */
  timezone?: string;
  /** An instant; without it now. */
  at?: string;
  /** The delivery that somebody asks about: it comes first, also if it is over. */
  delivery?: string;
  /** The in-app message that somebody misses. */
  message?: string;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;

/** Reads the address; what it does not know is left out. */
export function explainSearchOf(given: Record<string, unknown>): ExplainSearch {
  const at = typeof given.at === "string" ? Date.parse(given.at) : Number.NaN;
  const read = {
    person: text(given.person),
    screen: text(given.screen),
    timezone: text(given.timezone),
    at: Number.isNaN(at) ? undefined : new Date(at).toISOString(),
    delivery: text(given.delivery),
    message: text(given.message),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
