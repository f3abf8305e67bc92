/** A text of the address. The router reads one of digits as a number. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
