/** What a template sees. */
export interface Scope {
  person: Record<string, unknown>;
  trigger: Record<string, unknown>;
  /** Addresses that stand at the root: `{{unsubscribe_url}}`. They never hide person or trigger. */
  links?: { readonly [name: string]: string };
}

/** The scope as templates see it: roots side by side, without prototypes. */
export const rootOf = ({ person, trigger, links }: Scope): object => bare({ ...links, person, trigger }) as object;

/**
 * Data without prototypes, so that no template and no filter reaches what a class or Object carries. Depth and number of
 * keys are bounded where JSON enters the service.
 */
export function bare(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(bare);
  if (value instanceof Date) return value.toISOString();
  const out = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value)) out[key] = bare((value as Record<string, unknown>)[key]);
  return out;
}
