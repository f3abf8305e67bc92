import type { ConditionResult } from "./audiences.ts";

/** Returns the conditions that decide: of `all` the first that fails, of `any` the first that passes, otherwise each of them. */
export function deciding(verdict: ConditionResult): ConditionResult[] {
  if (verdict.of.length === 0) return verdict.kind === "all" ? [] : [verdict];
  const [first] =
    verdict.kind === "all"
      ? verdict.of.filter(({ pass }) => !pass)
      : verdict.kind === "any"
        ? verdict.of.filter(({ pass }) => pass)
        : verdict.of;
  return first ? deciding(first) : verdict.of.flatMap(deciding);
}
