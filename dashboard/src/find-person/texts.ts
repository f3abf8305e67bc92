import type { Texts } from "../platform/language/texts.ts";

export const texts = {
  person: ["Person", "Person"],
  people: ["People", "Personen"],
  search: ["Name, email, phone or person_id", "Name, E-Mail, Telefon oder person_id"],
  searching: ["Searching …", "Suche …"],
  noMatch: ["Nobody matches", "Niemand passt"],
} satisfies Texts;
