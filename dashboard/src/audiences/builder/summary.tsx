import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import css from "./builder.module.css";
import { useNamesIn } from "./fields/names.ts";
import type { Part } from "./model/tree.ts";
import { clauseOf, type Speaking, sentenceOf } from "./words/sentence.ts";
import { texts } from "./words/texts.ts";

/** A filter in words. */
export function Summary({ filter }: { filter: Part | null }) {
  return <p className={css.summary}>{sentenceOf(filter, useSpeaking(filter))}</p>;
}

function useSpeaking(filter: Part | null): Speaking {
  const t = useTexts(texts);
  const format = useFormat();
  const names = useNamesIn(filter);
  // A date without a time is midnight in UTC; in the reader's zone it could be the day before.
  return { t, names, instant: (iso) => (iso.includes("T") ? format.instant(iso) : iso) };
}

/** Returns the function that says the parts of a filter as clauses. */
export function useClause(filter: Part | null): (part: Part) => string {
  const speaking = useSpeaking(filter);
  return (part) => clauseOf(part, speaking);
}
