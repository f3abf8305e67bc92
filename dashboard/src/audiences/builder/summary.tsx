import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import css from "./builder.module.css";
import { useNamesIn } from "./fields/names.ts";
import type { Part } from "./model/tree.ts";
import { sentenceOf } from "./words/sentence.ts";
import { texts } from "./words/texts.ts";

/** A filter in words. */
export function Summary({ filter }: { filter: Part | null }) {
  return <p className={css.summary}>{useSentence(filter)}</p>;
}

/** Returns a filter as one sentence, with the names of what it refers to. */
function useSentence(filter: Part | null): string {
  const t = useTexts(texts);
  const format = useFormat();
  const names = useNamesIn(filter);
  // A date without a time is midnight in UTC; in the reader's zone it could be the day before.
  const instant = (iso: string) => (iso.includes("T") ? format.instant(iso) : iso);
  return sentenceOf(filter, { t, names, instant });
}
