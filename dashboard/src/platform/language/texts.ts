import { useMemo } from "react";
import { useLanguage } from "./language.ts";
import { say } from "./say.ts";

/**
 * The texts of a room: each in English and German. `{name}` stands for a value. Where a text depends on a number, it has two forms with
 * `||` between them, for one and for many: `{count} person||{count} people`.
 */
export type Texts = Record<string, readonly [en: string, de: string]>;
type Values = Record<string, string | number>;
export type Say<T extends Texts> = (key: keyof T, values?: Values) => string;

/** Returns the function that says these texts in the chosen language. */
export function useTexts<const T extends Texts>(texts: T): Say<T> {
  const language = useLanguage();
  return useMemo(
    () => (key, values) => say(texts[key] as readonly [string, string], language, values),
    [texts, language],
  );
}
