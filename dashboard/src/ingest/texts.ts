import type { Texts } from "../platform/language/texts.ts";

export const texts = {
  rejected: ["Rejected data", "Abgelehnte Daten"],
  lead: [
    "What applications reported and the service did not accept. Items are kept for 7 days at most, without what looks like a secret.",
    "Was Anwendungen meldeten und der Dienst nicht annahm. Einträge bleiben höchstens 7 Tage, ohne was nach einem Geheimnis aussieht.",
  ],
  person: ["Person", "Person"],
  period: ["Period", "Zeitraum"],
  day: ["Last 24 hours", "Letzte 24 Stunden"],
  week: ["Last 7 days", "Letzte 7 Tage"],
  clear: ["Clear filters", "Filter löschen"],
  showAll: ["{name}: show all", "{name}: alle zeigen"],
  counts: ["How much, and where", "Wie viel, und wo"],
  total: ["{count} in all", "{count} insgesamt"],
  code: ["What is wrong", "Was falsch ist"],
  route: ["Route", "Route"],
  count: ["How many", "Wie viele"],
  last: ["Last", "Zuletzt"],
  notKept: ["{count} of them only counted", "{count} davon nur gezählt"],
  items: ["Items", "Einträge"],
  older: ["Older items", "Ältere Einträge"],
  position: ["Place in the batch", "Stelle im Stapel"],
  at: ["When", "Wann"],
  request: ["Request", "Anfrage"],
  data: ["As it arrived", "Wie es ankam"],
  noData: [
    "The data could not be read, or it names an erased person.",
    "Die Daten ließen sich nicht lesen, oder sie nennen eine gelöschte Person.",
  ],
  none: ["Everything was accepted", "Alles wurde angenommen"],
  noneBody: [
    "Reports of people and events that are wrong are listed here, with the reason.",
    "Fehlerhafte Meldungen von Personen und Ereignissen stehen hier, mit dem Grund.",
  ],
  noMatch: ["No item matches", "Kein Eintrag passt"],
  noMatchBody: ["Choose a longer period, or fewer filters.", "Wählen Sie einen längeren Zeitraum oder weniger Filter."],
} satisfies Texts;
