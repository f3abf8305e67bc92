import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  messages: ["In-app messages", "In-App-Nachrichten"],
  lead: [
    "Messages that your applications show while somebody uses them. Broadcasts and campaigns send them.",
    "Nachrichten, die Ihre Anwendungen zeigen, während jemand sie benutzt. Rundsendungen und Kampagnen schicken sie.",
  ],
  search: ["Name, title or id", "Name, Titel oder ID"],
  kind: ["Shown as", "Gezeigt als"],
  none: ["There is no in-app message yet", "Es gibt noch keine In-App-Nachricht"],
  noneBody: [
    "Write one and see it as your applications will show it.",
    "Schreiben Sie eine, und sehen Sie sie, wie Ihre Anwendungen sie zeigen werden.",
  ],
  create: ["New in-app message", "Neue In-App-Nachricht"],
  priority: ["Priority {priority}", "Priorität {priority}"],
  low: ["Low", "Niedrig"],
  normal: ["Normal", "Normal"],
  high: ["High", "Hoch"],
  critical: ["Critical", "Kritisch"],
  allScreens: ["All screens", "Alle Bildschirme"],
  someScreens: ["{count} screen rule||{count} screen rules", "{count} Bildschirmregel||{count} Bildschirmregeln"],
  off: [
    "In-app is switched off in this workspace: messages can be written, and none can be sent.",
    "In-App ist in diesem Arbeitsbereich abgeschaltet: Nachrichten lassen sich schreiben, aber nicht senden.",
  ],
  offLink: ["Channels", "Kanäle"],
} satisfies Texts;
