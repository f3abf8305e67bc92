import type { Language } from "./language.ts";

const PLACE: Record<Language, 0 | 1> = { en: 0, de: 1 };

/** Returns a text with its values. Numbers are written as the language does. */
export function say(
  [en, de]: readonly [string, string],
  language: Language,
  values: Record<string, string | number> = {},
): string {
  const text = [en, de][PLACE[language]] as string;
  const [one, many] = text.split("||");
  const form = many !== undefined && values.count !== 1 ? many : one;
  return (form as string).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === "number" ? value.toLocaleString(language) : String(value ?? "");
  });
}
