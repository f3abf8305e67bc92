import type { Texts } from "../platform/language/texts.ts";

export const texts = {
  screens: ["Screens", "Bildschirme"],
  lead: [
    "The names that your applications report with screen_view. In-app messages choose their screens by these names, exactly.",
    "Die Namen, die Ihre Anwendungen mit screen_view melden. In-App-Nachrichten wählen Bildschirme nach diesen Namen, Zeichen für Zeichen.",
  ],
  search: ["A part of the name", "Ein Teil des Namens"],
  none: ["No screens yet", "Noch keine Bildschirme"],
  noneBody: [
    "A screen appears when an application first reports it:",
    "Ein Bildschirm erscheint, sobald eine Anwendung ihn zum ersten Mal meldet:",
  ],
  noMatch: ["No screen matches", "Kein Bildschirm passt"],
  noMatchBody: ["The search looks for a part of the name.", "Die Suche sucht nach einem Teil des Namens."],
  clear: ["Clear the search", "Suche löschen"],
  seen: ["Seen {time}", "Gesehen {time}"],
  seenTitle: ["First seen {first}, last seen {last}", "Zuerst gesehen {first}, zuletzt {last}"],
  include: ["Shows here: {names}", "Wird hier gezeigt: {names}"],
  exclude: ["Kept away: {names}", "Ferngehalten: {names}"],
  unused: ["No message names it", "Keine Nachricht nennt ihn"],
  similar: ["Looks like", "Sieht aus wie"],
  similarHint: [
    "Rules tell these names apart. If they are one screen, let the applications report one name.",
    "Regeln unterscheiden diese Namen. Wenn sie derselbe Bildschirm sind, melden die Anwendungen besser nur einen Namen.",
  ],
} satisfies Texts;
