import { useMemo } from "react";
import { type Language, useLanguage } from "./language.ts";

/**
 * The texts of a room: each in English and German. `{name}` stands for a value. Where a text depends on a number, it has two forms with
 * `||` between them, for one and for many: `{count} person||{count} people`.
 */
export type Texts = Record<string, readonly [en: string, de: string]>;
type Values = Record<string, string | number>;
export type Say<T extends Texts> = (key: keyof T, values?: Values) => string;

const PLACE: Record<Language, 0 | 1> = { en: 0, de: 1 };

/** Returns a text with its values. Numbers are written as the language does. */
export function say([en, de]: readonly [string, string], language: Language, values: Values = {}): string {
  const text = [en, de][PLACE[language]] as string;
  const [one, many] = text.split("||");
  const form = many !== undefined && values.count !== 1 ? many : one;
  return (form as string).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === "number" ? value.toLocaleString(language) : String(value ?? "");
  });
}

/** Returns the function that says these texts in the chosen language. */
export function useTexts<const T extends Texts>(texts: T): Say<T> {
  const language = useLanguage();
  return useMemo(
    () => (key, values) => say(texts[key] as readonly [string, string], language, values),
    [texts, language],
  );
}
