import type { Person } from "@tidings/contract/facts/people";
import type { Static } from "typebox";

export type PersonRead = Static<typeof Person>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Returns a name from the attributes that most applications report, or undefined. */
export function nameOf({ attributes: of }: { attributes: Record<string, unknown> }): string | undefined {
  const pair = (first: unknown, last: unknown) => [text(first), text(last)].filter(Boolean).join(" ");
  return pair(of.first_name, of.last_name) || pair(of.firstName, of.lastName) || text(of.name) || undefined;
}
