import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  suppressions: ["Suppressions", "Sperrliste"],
  lead: [
    "Addresses that get nothing from this workspace, whatever is sent and whoever has them.",
    "Adressen, die von diesem Arbeitsbereich nichts bekommen, was auch gesendet wird und wem sie auch gehören.",
  ],
  onlyEditors: ["Editors and owners change the list.", "Bearbeiter und Eigentümer ändern die Liste."],
  export: ["Export", "Exportieren"],
  import: ["Import", "Importieren"],
  add: ["Add", "Hinzufügen"],
  addTitle: ["Add an address", "Adresse hinzufügen"],
  addLead: [
    "It gets nothing any more, also nothing that is queued already. Where it is on the list, its reason stays.",
    "Sie bekommt nichts mehr, auch nichts, was schon eingereiht ist. Steht sie schon auf der Liste, bleibt ihr Grund.",
  ],
  added: ["The address is on the list.", "Die Adresse steht auf der Liste."],
  emailAddress: ["Email address", "E-Mail-Adresse"],
  number: ["Number with its country code", "Nummer mit Ländervorwahl"],
  search: ["Address, or its beginning", "Adresse, oder deren Anfang"],
  channel: ["Channel", "Kanal"],
  anyChannel: ["Any channel", "Jeder Kanal"],
  email: ["Email", "E-Mail"],
  sms: ["SMS", "SMS"],
  reason: ["Reason", "Grund"],
  anyReason: ["Any reason", "Jeder Grund"],
  hard_bounce: ["does not exist", "existiert nicht"],
  complaint: ["complaint", "Beschwerde"],
  manual: ["by hand", "von Hand"],
  stop: ["STOP", "STOP"],
  source: ["from {source}", "von {source}"],
  erased: ["Erased address", "Gelöschte Adresse"],
  erasedHint: [
    "Only its hash is kept, so that it still gets nothing.",
    "Nur ihr Hash ist gespeichert, damit sie weiter nichts bekommt.",
  ],
  none: ["No address is suppressed", "Keine Adresse ist gesperrt"],
  noneBody: [
    "Addresses that bounce, complain or answer STOP appear here by themselves. A list from another service can be imported.",
    "Adressen, die nicht existieren, sich beschweren oder STOP antworten, erscheinen hier von selbst. Eine Liste eines anderen Dienstes lässt sich importieren.",
  ],
  noMatch: ["No address matches", "Keine Adresse passt"],
  noMatchBody: ["The search finds the beginning of an address.", "Die Suche findet den Anfang einer Adresse."],
  clear: ["Clear the filters", "Filter zurücksetzen"],
  remove: ["Remove", "Entfernen"],
  removeTitle: ["Let messages reach {address} again?", "Nachrichten an {address} wieder zulassen?"],
  removeSure: [
    "From now on messages to this address are sent again, to whoever has it.",
    "Ab jetzt gehen Nachrichten wieder an diese Adresse, wem sie auch gehört.",
  ],
  hard_bounceSure: [
    "A provider reported that it does not exist. If that is still so, the next message bounces, which harms the sender's reputation.",
    "Ein Anbieter meldete, dass es sie nicht gibt. Ist das noch so, kommt die nächste Nachricht zurück und schadet dem Ruf des Absenders.",
  ],
  complaintSure: [
    "Its owner reported a message as spam. Remove it only if they asked for messages again.",
    "Ihr Inhaber hat eine Nachricht als Spam gemeldet. Entfernen Sie sie nur, wenn er wieder Nachrichten möchte.",
  ],
  manualSure: [
    "It was added by the API, here or by an import.",
    "Sie kam durch die API, hier oder durch einen Import hinzu.",
  ],
  stopSure: [
    "Its owner sent STOP. In many countries you may only send again after they asked for it.",
    "Ihr Inhaber hat STOP gesendet. In vielen Ländern dürfen Sie erst wieder senden, wenn er darum bittet.",
  ],
  removed: ["The address is off the list.", "Die Adresse ist von der Liste entfernt."],
  importTitle: ["Import a list", "Liste importieren"],
  importLead: [
    "CSV in UTF-8 of up to 64 MB. The first line names the columns: address and channel, or email, or phone; also reason and created_at. The same file may be imported twice.",
    "CSV in UTF-8 bis 64 MB. Die erste Zeile nennt die Spalten: address und channel, oder email, oder phone; auch reason und created_at. Dieselbe Datei darf zweimal importiert werden.",
  ],
} satisfies Texts;
