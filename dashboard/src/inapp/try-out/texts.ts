import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  tryOut: ["Test send", "Testsendung"],
  lead: [
    "Queues version {version} for one person, on a real device.",
    "Reiht Fassung {version} für eine Person ein, auf einem echten Gerät.",
  ],
  dirty: [
    "Save first: a test sends what is saved, version {version}.",
    "Erst speichern: Ein Test schickt, was gespeichert ist, Fassung {version}.",
  ],
  off: [
    "Nothing can be sent: in-app is switched off in this workspace.",
    "Es lässt sich nichts senden: In-App ist in diesem Arbeitsbereich abgeschaltet.",
  ],
  mayNot: ["Only owners and editors can send tests.", "Nur Inhaber und Redakteure können Tests senden."],
  person: ["Send it to", "Senden an"],
  send: ["Send a test", "Test senden"],
  trace: ["What becomes of it", "Was daraus wird"],
  queued: ["Queued", "Eingereiht"],
  fetched: ["Fetched by an application", "Von einer Anwendung abgeholt"],
  shown: ["Shown", "Gezeigt"],
  clicked: ["Clicked", "Geklickt"],
  dismissed: ["Closed", "Geschlossen"],
  waiting: ["not yet", "noch nicht"],
  held: ["Held back by", "Zurückgehalten von"],
  next: ["It can show from {time} ({ago}).", "Sie kann ab {time} erscheinen ({ago})."],
  waits: [
    "Nothing holds it back. Open the application as {person}: it shows at its next look.",
    "Nichts hält sie zurück. Öffnen Sie die Anwendung als {person}: Sie erscheint bei der nächsten Abfrage.",
  ],
  lastSync: [
    "Last look of the application: {time}, on {screen}.",
    "Letzte Abfrage der Anwendung: {time}, auf {screen}.",
  ],
  noScreen: ["a screen without a name", "einem Bildschirm ohne Namen"],
  noSync: ["No application of this person has looked yet.", "Noch keine Anwendung dieser Person hat abgefragt."],
  explain: ["Explain", "Erklären"],
  delivery: ["Delivery", "Zustellung"],
  takeBack: ["Take this test back", "Diesen Test zurücknehmen"],
  takenBack: ["The test is taken back.", "Der Test ist zurückgenommen."],
} satisfies Texts;
