import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  topics: ["Topics", "Themen"],
  topic: ["Topic", "Thema"],
  lead: [
    "What people subscribe to, on the preference page and through your application.",
    "Was Personen abonnieren, auf der Einstellungsseite und durch Ihre Anwendung.",
  ],
  onlyEditors: ["Editors and owners change topics.", "Bearbeiter und Eigentümer ändern Themen."],
  newTopic: ["New topic", "Neues Thema"],
  create: ["Create", "Anlegen"],
  created: ["The topic is created.", "Das Thema ist angelegt."],
  save: ["Save", "Speichern"],
  saved: ["The topic is saved.", "Das Thema ist gespeichert."],
  none: ["No topic yet", "Noch kein Thema"],
  noneBody: [
    "Without topics people can only leave a channel, or everything. Make one for each kind of message, such as “Travel news”.",
    "Ohne Themen können Personen nur einen Kanal oder alles abbestellen. Legen Sie für jede Art von Nachricht eines an, etwa „Reisenews“.",
  ],
  noDescription: ["no description", "keine Beschreibung"],
  exempt: ["exempt from limits", "von Grenzen ausgenommen"],
  name: ["Name", "Name"],
  description: ["Description", "Beschreibung"],
  descriptionHint: ["Shown on the preference page.", "Steht auf der Einstellungsseite."],
  default: ["Who never chose", "Wer nie gewählt hat"],
  subscribed: ["gets it", "bekommt es"],
  unsubscribed: ["does not get it", "bekommt es nicht"],
  byDefaultOn: ["on by default", "anfangs an"],
  byDefaultOff: ["off by default", "anfangs aus"],
  subscribedHint: ["Until they turn it off.", "Bis sie es abbestellen."],
  unsubscribedHint: ["Until they turn it on.", "Bis sie es bestellen."],
  nowOn: [
    "After saving, everybody who never chose gets messages of this topic.",
    "Nach dem Speichern bekommen alle, die nie gewählt haben, Nachrichten dieses Themas.",
  ],
  nowOff: [
    "After saving, nobody who never chose gets messages of this topic any more, also not those that wait.",
    "Nach dem Speichern bekommt niemand mehr, der nie gewählt hat, Nachrichten dieses Themas, auch nicht die wartenden.",
  ],
  exemptLabel: ["Exempt from the limits", "Von den Grenzen ausgenommen"],
  exemptHint: [
    "Its broadcasts and campaigns are neither held back by the limits nor counted in them.",
    "Rundsendungen und Kampagnen des Themas werden nicht durch Grenzen zurückgehalten und nicht mitgezählt.",
  ],
  id: ["Id", "ID"],
  remove: ["Remove", "Entfernen"],
  removeTitle: ["Remove “{name}”?", "„{name}“ entfernen?"],
  removeSure: [
    "It disappears from the preference page, and what people chose about it is forgotten. A topic that a message, an audience or an unfinished broadcast uses can't be removed: you learn which.",
    "Es verschwindet von der Einstellungsseite, und was Personen dazu gewählt haben, wird vergessen. Ein Thema, das eine Nachricht, eine Zielgruppe oder eine unfertige Rundsendung benutzt, lässt sich nicht entfernen: Sie erfahren, welche.",
  ],
  removed: ["The topic is removed.", "Das Thema ist entfernt."],
} satisfies Texts;
