import type { ConditionResult } from "@tidings/contract/audience/audiences";
import { deciding } from "@tidings/contract/audience/verdict";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import { useClause } from "../builder/summary.tsx";
import type { Part } from "../builder/model/tree.ts";
import { texts } from "./texts.ts";

/** The conditions of a verdict, so that what they refer to can be named. */
const conditionsOf = ({ facts, of }: ConditionResult): Part[] => [
  ...(facts.condition ? [facts.condition as Part] : []),
  ...of.flatMap(conditionsOf),
];

const MOST_SHOWN = 80;
function shownOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** Returns the function that says one condition of a verdict with what the person has of it. */
export function useVerdictWords(verdict: ConditionResult): (one: ConditionResult) => string {
  const t = useTexts(texts);
  const clause = useClause({ all: conditionsOf(verdict) } as Part);
  return ({ kind, pass, facts: { condition, name, value, count, hold = 0, total = 0 } }) => {
    if (kind === "all" || kind === "any") return t(`hold_${kind}`, { hold, count: total });
    if (kind === "not") return t(pass ? "notHolds" : "notFails");
    if (kind === "audience" || kind === "list")
      return name === undefined ? t("goneAudience") : t(`${kind}_${pass ? "in" : "out"}`, { name });
    const asked = clause(condition as Part);
    if (kind === "attribute")
      return value === undefined ? t("hasNone", { asked }) : t("has", { asked, value: shownOf(value) });
    return kind === "event" ? t("counted", { asked, count: count ?? 0 }) : asked;
  };
}

/** Returns one sentence with the conditions that decide. */
export function becauseOf(
  verdict: ConditionResult,
  say: (one: ConditionResult) => string,
  t: Say<typeof texts>,
): string {
  const decisive = deciding(verdict).map((one) => t(one.pass ? "becauseHolds" : "becauseFails", { what: say(one) }));
  return t(verdict.pass ? "becauseIn" : "becauseOut", { why: decisive.join("; ") || t("noCondition") });
}
