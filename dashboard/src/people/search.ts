const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;
const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value);
const given = <T extends object>(read: T) =>
  Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));

/** The orders of the list; without one the last changed come first. */
export const orders = ["updated_at", "-created_at", "created_at", "email", "-email"] as const;

/** What the list of people shows, as it stands in the address. */
export interface PeopleSearch {
  q?: string;
  sort?: (typeof orders)[number];
  /** Only the members of this audience, whom neither a text nor an order selects. */
  audience?: string;
}

export function peopleSearchOf(search: Record<string, unknown>): PeopleSearch {
  const audience = text(search.audience);
  if (audience) return { audience };
  return given({ q: text(search.q), sort: oneOf(orders, search.sort) });
}

export const tabs = ["timeline", "messages", "in-app", "runs", "profile"] as const;
export const kinds = ["events", "messages", "campaigns", "profile"] as const;

/** What the page of a person shows, as it stands in the address. */
export interface PersonSearch {
  /** Without one the time line. */
  tab?: (typeof tabs)[number];
  /** Only entries of this kind in the time line. */
  show?: (typeof kinds)[number];
  /** The run whose history is open. */
  run?: string;
}

export const personSearchOf = (search: Record<string, unknown>): PersonSearch =>
  given({ tab: oneOf(tabs, search.tab), show: oneOf(kinds, search.show), run: text(search.run) });
