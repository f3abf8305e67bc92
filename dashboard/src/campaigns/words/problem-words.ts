import type { Say } from "../../platform/language/texts.ts";
import type { Problem } from "../model/problems.ts";
import { problemTexts } from "./problem-texts.ts";

type Texts = typeof problemTexts;

/** Returns what is wrong, in the reader's language where the problem is one that the page knows itself. */
export function problemOf({ code, message }: Problem, t: Say<Texts>): string {
  const key = `code_${code}`;
  return key in problemTexts ? t(key as keyof Texts) : message;
}

/** Returns the name of the field of a problem; "" where it concerns the whole step. */
function fieldOf({ field }: Problem, t: Say<Texts>): string {
  const parts = field.split("/").filter((part) => part !== "" && !/^\d+$/.test(part));
  const known = parts.findLast((part) => `field_${part}` in problemTexts);
  return known ? t(`field_${known}` as keyof Texts) : (parts.at(-1) ?? "");
}

/** Returns the whole sentence: the field and what is wrong with it. */
export const sentenceOf = (problem: Problem, t: Say<Texts>): string =>
  [fieldOf(problem, t), problemOf(problem, t)].filter(Boolean).join(" ");
