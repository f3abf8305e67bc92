import type { Say } from "../../platform/language/texts.ts";
import type { texts } from "./texts.ts";

/** The words of the editor's own parts, such as its search. */
export const phrasesOf = (t: Say<typeof texts>): Record<string, string> => ({
  Find: t("find"),
  Replace: t("replace"),
  next: t("findNext"),
  previous: t("findPrevious"),
  all: t("findAll"),
  "match case": t("matchCase"),
  "by word": t("byWord"),
  regexp: t("regexp"),
  replace: t("replaceOne"),
  "replace all": t("replaceAll"),
  close: t("close"),
  "current match": t("currentMatch"),
  "on line": t("onLine"),
  "Fold line": t("fold"),
  "Unfold line": t("unfold"),
  "folded code": t("folded"),
});
