import { createStore, useStore } from "../store.ts";

export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

const KEPT = "tidings.language";

function first(): Language {
  const kept = localStorage.getItem(KEPT);
  if (kept === "en" || kept === "de") return kept;
  return navigator.language.startsWith("de") ? "de" : "en";
}

export const language = createStore<Language>(first());
export const useLanguage = (): Language => useStore(language);

export function setLanguage(to: Language): void {
  localStorage.setItem(KEPT, to);
  language.set(to);
  document.documentElement.lang = to;
}
document.documentElement.lang = language.get();
