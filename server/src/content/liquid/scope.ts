/** Addresses at the root: `{{unsubscribe_url}}`. They never hide person or trigger. */
const LINKS = ["unsubscribe_url", "preferences_url"] as const;

/** The names at the root of a template's data. Any other name at the root is an author's mistake. */
export const ROOTS: readonly string[] = ["person", "trigger", ...LINKS];

/** The data that a template can read. */
export interface Scope {
  person: Record<string, unknown>;
  trigger: Record<string, unknown>;
  links?: { readonly [name in (typeof LINKS)[number]]?: string };
}

/** The scope as one object for the engine: the roots side by side, without prototypes. */
export const rootOf = ({ person, trigger, links }: Scope): object => bare({ ...links, person, trigger }) as object;

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
