import {
  type Comparison,
  type ConditionResult,
  type Count,
  countBounds,
  type Within,
} from "@tidings/contract/audience/audiences";
import { deciding } from "@tidings/contract/audience/verdict";

// The texts that explain the result of a condition.

const MOST_SHOWN = 80;

/** Returns a value as readable text. */
export function shown(value: unknown): string {
  if (value === undefined) return "not set";
  const text = JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text;
}

/** Returns the name of the object with this id, or the id if the object is gone. */
export const named = (names: Map<string, string>, id: string): string => {
  const name = names.get(id);
  return name === undefined ? id : JSON.stringify(name);
};

export function askedOf({ op, value }: Comparison): string {
  if (op === "exists") return value === false ? "not set" : "set";
  if (op === "within_last") return `within the last ${value.amount} ${value.unit}`;
  return `${op} ${shown(value)}`;
}

const BOUNDS = { eq: "exactly", gt: "more than", gte: "at least", lt: "less than", lte: "at most" };

export function boundsOf(count: Count = { gte: 1 }): string {
  return countBounds
    .flatMap((bound) => (count[bound] === undefined ? [] : [`${BOUNDS[bound]} ${count[bound]}`]))
    .join(" and ");
}

export const spanOf = (within: Within | undefined): string =>
  within ? ` in the last ${within.amount} ${within.unit}` : "";

/** Returns one sentence with the conditions that decide. */
export function because(verdict: ConditionResult): string {
  const where = verdict.pass ? "In, because" : "Not in, because";
  const decisive = deciding(verdict);
  return `${where} ${decisive.length === 0 ? "there is no condition" : decisive.map(({ detail }) => detail).join("; and ")}.`;
}
