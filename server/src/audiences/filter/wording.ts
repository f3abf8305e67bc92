import {
  type Comparison,
  type Count,
  countBounds,
  type Verdict,
  type Within,
} from "@tidings/contract/audience/audiences";

// What a verdict says in words.

const MOST_SHOWN = 80;

/** A value as a person reads it. */
export function shown(value: unknown): string {
  if (value === undefined) return "not set";
  const text = JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text;
}

/** What an id names, as its author called it; the id itself where it is gone. */
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

/** The condition that decides, in one sentence. */
export function because(verdict: Verdict): string {
  const where = verdict.pass ? "In, because" : "Not in, because";
  const decisive = deciding(verdict);
  return `${where} ${decisive.length === 0 ? "there is no condition" : decisive.map(({ detail }) => detail).join("; and ")}.`;
}

/** The conditions that made it so: the first that fails of `all`, the first that holds of `any`, else each of them. */
function deciding(verdict: Verdict): Verdict[] {
  if (verdict.of.length === 0) return verdict.kind === "all" ? [] : [verdict];
  const [first] =
    verdict.kind === "all"
      ? verdict.of.filter(({ pass }) => !pass)
      : verdict.kind === "any"
        ? verdict.of.filter(({ pass }) => pass)
        : verdict.of;
  return first ? deciding(first) : verdict.of.flatMap(deciding);
}
