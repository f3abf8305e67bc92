/** Addresses that stand at the root: `{{unsubscribe_url}}`. They never hide person or trigger. */
const LINKS = ["unsubscribe_url", "preferences_url"] as const;

/** The names at the root of what a template sees. Whatever else stands there is a slip of its author. */
export const ROOTS: readonly string[] = ["person", "trigger", ...LINKS];

/** What a template sees. */
export interface Scope {
  person: Record<string, unknown>;
  trigger: Record<string, unknown>;
  links?: { readonly [name in (typeof LINKS)[number]]?: string };
}

/** The scope as templates see it: roots side by side, without prototypes. */
export const rootOf = ({ person, trigger, links }: Scope): object => bare({ ...links, person, trigger }) as object;

/**
 * What objects of the data inherit. It has nothing that a template reaches, which sees own fields only; filters that make a text
 * of an object find the name that liquidjs shows, where without it they would fail.
 */
export const BARE = Object.freeze(Object.create(null, { toString: { value: () => "[object Object]" } })) as object;

/**
 * Data without prototypes of classes or Object, so that no template and no filter reaches what those carry. Depth and number
 * of keys are bounded where JSON enters the service.
 */
export function bare(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(bare);
  if (value instanceof Date) return value.toISOString();
  const out = Object.create(BARE) as Record<string, unknown>;
  for (const key of Object.keys(value)) {
    // Defined and not assigned: what is inherited is frozen, and a field of its name could not be set.
    if (key === "toString")
      Object.defineProperty(out, key, { value: bare((value as Record<string, unknown>)[key]), enumerable: true });
    else out[key] = bare((value as Record<string, unknown>)[key]);
  }
  return out;
}
