const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Returns a name from the attributes that most applications report, or undefined. */
export function nameOf({ attributes }: { attributes: Record<string, unknown> }): string | undefined {
  const parts = [text(attributes.first_name), text(attributes.last_name)].filter(Boolean).join(" ");
  return parts || text(attributes.name) || undefined;
}
