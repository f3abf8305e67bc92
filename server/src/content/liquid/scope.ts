/** Addresses at the root: `{{unsubscribe_url}}`. They never hide person or trigger. */
const LINKS = ["unsubscribe_url", "preferences_url"] as const;

/** The names at the root of a template's data. Any other name at the root is an author's mistake. */
export const ROOTS: readonly string[] = ["person", "trigger", ...LINKS];

/** The names that content of campaigns has beside them. All other content is refused where it uses one. */
const OF_CAMPAIGNS: readonly string[] = ["steps", "batch"];
export const isOfCampaigns = ([root = ""]: string[]): boolean => OF_CAMPAIGNS.includes(root);

/** What caused a message, as its content sees it. */
export interface Cause {
  /** The data of a call, or the properties of the event that let a run into a campaign. */
  trigger: Record<string, unknown>;
  /** What earlier steps of a campaign left, by their ids. */
  steps?: Record<string, unknown>;
  /** What a step of a campaign gathered. */
  batch?: Record<string, unknown>;
}

/** The data that a template can read. */
export interface Scope extends Cause {
  person: Record<string, unknown>;
  links?: { readonly [name in (typeof LINKS)[number]]?: string };
}

/** The scope as one object for the engine: the roots side by side, without prototypes. */
export const rootOf = ({ person, trigger, steps, batch, links }: Scope): object =>
  bare({ ...links, person, trigger, ...(steps && { steps }), ...(batch && { batch }) }) as object;

/**
 * The prototype of objects in the data. Templates read own fields only, so they can't reach it. Filters that turn an object into text
 * need its `toString`, which returns the text that liquidjs shows; without it they would fail.
 */
export const BARE = Object.freeze(Object.create(null, { toString: { value: () => "[object Object]" } })) as object;

/**
 * Copies data without the prototypes of classes or Object, so that no template and no filter can reach their members. Depth and
 * number of keys are limited where JSON enters the service.
 */
export function bare(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(bare);
  if (value instanceof Date) return value.toISOString();
  const out = Object.create(BARE) as Record<string, unknown>;
  for (const key of Object.keys(value)) {
    // Defined, not assigned: the prototype is frozen, so that an assignment to a field of the same name would fail.
    if (key === "toString")
      Object.defineProperty(out, key, { value: bare((value as Record<string, unknown>)[key]), enumerable: true });
    else out[key] = bare((value as Record<string, unknown>)[key]);
  }
  return out;
}
