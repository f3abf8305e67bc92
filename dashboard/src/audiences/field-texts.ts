import type { Texts } from "../platform/language/texts.ts";

export const texts = {
  mode: ["Which people", "Welche Personen"],
  saved: ["A saved audience", "Eine gespeicherte Zielgruppe"],
  own: ["Own conditions", "Eigene Bedingungen"],
  open: ["Open", "Öffnen"],
} satisfies Texts;
