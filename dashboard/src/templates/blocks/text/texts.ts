import type { Texts } from "../../../platform/language/texts.ts";

export const texts = {
  tools: ["Format", "Format"],
  bold: ["Bold", "Fett"],
  italic: ["Italic", "Kursiv"],
  link: ["Link", "Link"],
  bulletList: ["List", "Liste"],
  orderedList: ["Numbered list", "Nummerierte Liste"],
  insert: ["Insert", "Einfügen"],
  firstName: ["First name", "Vorname"],
  firstNameOr: ["there", "du"],
  email: ["Email address", "E-Mail-Adresse"],
  fromCall: ["A field of the call", "Ein Feld des Aufrufs"],
  unsubscribe: ["Address to unsubscribe", "Adresse zum Abmelden"],
  preferences: ["Address of the preferences", "Adresse der Einstellungen"],
  address: ["Address of the link", "Adresse des Links"],
  set: ["Set", "Setzen"],
  noLink: ["No link", "Kein Link"],
} satisfies Texts;
