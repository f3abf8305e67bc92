import type { Texts } from "../platform/language/texts.ts";

export const texts = {
  running: ["{count} task is running||{count} tasks are running", "{count} Vorgang läuft||{count} Vorgänge laufen"],
  allDone: ["Finished", "Fertig"],
  title: ["What takes long", "Was länger dauert"],
  audience: ["Import into an audience", "Import in eine Zielgruppe"],
  suppressions: ["Import of suppressed addresses", "Import gesperrter Adressen"],
  replay: ["Events to {host} again", "Ereignisse erneut an {host}"],
  moving: ["People are moved", "Personen ziehen um"],
  ending: ["Journeys are ended", "Wege werden beendet"],
  sending: ["Sending", "Wird gesendet"],
  paused: ["Paused", "Angehalten"],
  sent: ["Sent", "Gesendet"],
  canceled: ["Canceled", "Abgebrochen"],
  failed: ["Failed", "Fehlgeschlagen"],
  done: ["Done", "Fertig"],
  cut_off: ["Cut off", "Abgebrochen"],
  of: ["{done} of {total}", "{done} von {total}"],
  soFar: ["{done} so far", "bisher {done}"],
  seconds: ["a few seconds left", "noch einige Sekunden"],
  left: ["about {time} left", "noch etwa {time}"],
  dismiss: ["Remove from the list", "Aus der Liste nehmen"],
  progress: ["Progress of {name}", "Fortschritt von {name}"],
  stays: [
    "You can leave this page; it goes on, and is found here again.",
    "Sie können die Seite verlassen; es geht weiter und ist hier wieder zu finden.",
  ],
} satisfies Texts;
