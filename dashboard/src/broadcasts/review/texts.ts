import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  unsaved: [
    "You changed something. Save it first: this is about what is saved.",
    "Sie haben etwas geändert. Speichern Sie zuerst: Hier geht es um das Gespeicherte.",
  ],
  who: ["Who gets it now", "Wer sie jetzt bekommt"],
  refresh: ["Count again", "Neu zählen"],
  counting: ["Everybody is looked at …", "Alle werden betrachtet …"],
  willReceive: [
    "{count} person gets it||{count} people get it",
    "{count} Person bekommt sie||{count} Personen bekommen sie",
  ],
  ofAudience: ["of {count} in the audience", "von {count} in der Zielgruppe"],
  emptyAudience: ["Nobody is in the audience", "Niemand ist in der Zielgruppe"],
  emptyAudienceBody: [
    "So it can't be sent now. Choose another audience, or schedule it: the audience is counted anew at that time.",
    "Deshalb lässt sie sich jetzt nicht senden. Wählen Sie eine andere Zielgruppe, oder planen Sie sie: Die Zielgruppe wird dann neu gezählt.",
  ],
  nobodyLeft: ["Nobody would get it", "Niemand bekäme sie"],
  nobodyLeftBody: [
    "There are people in the audience, and a reason below leaves each of them out.",
    "In der Zielgruppe sind Personen, aber jede wird aus einem der Gründe unten ausgelassen.",
  ],
  notThese: ["Who does not get it", "Wer sie nicht bekommt"],
  nobodyLeftOut: ["Nobody is left out.", "Niemand wird ausgelassen."],
  byVariant: ["By variant", "Nach Variante"],
  byLanguage: ["By language", "Nach Sprache"],
  everybodyElse: ["Everybody else", "Alle anderen"],
  variant: ["Variant {name}", "Variante {name}"],
  notGet: ["Do not get it", "Bekommen sie nicht"],

  test: ["Send a test", "Test senden"],
  testLead: [
    "To one person, also if they are not in the audience. It counts in no number of this broadcast.",
    "An eine Person, auch wenn sie nicht zur Zielgruppe gehört. Er zählt in keiner Zahl dieser Rundsendung.",
  ],
  testTo: ["Person", "Person"],
  testSend: ["Send the test", "Test senden"],
  testQueued: ["Test to {person}", "Test an {person}"],

  send: ["Send", "Senden"],
  sendNow: ["Send now", "Jetzt senden"],
  schedule: ["Schedule", "Planen"],
  reschedule: ["Change the time", "Zeit ändern"],
  speed: [
    "At {rate} people a second, sending takes about {time}.",
    "Bei {rate} Personen je Sekunde dauert der Versand etwa {time}.",
  ],
  sendTitle: ["Send “{name}” now?", "„{name}“ jetzt senden?"],
  sendCount: [
    "{count} person gets it, by {channel}.||{count} people get it, by {channel}.",
    "{count} Person bekommt sie, per {channel}.||{count} Personen bekommen sie, per {channel}.",
  ],
  sendSure: [
    "What was sent can't be called back. You can pause or cancel what is not sent yet.",
    "Gesendetes lässt sich nicht zurückholen. Was noch nicht gesendet ist, können Sie anhalten oder abbrechen.",
  ],
  sendSureInApp: [
    "You can pause, cancel, and take back what people have not closed yet.",
    "Sie können sie anhalten, abbrechen und zurückholen, was noch niemand geschlossen hat.",
  ],
  typeNumber: ["To be sure, type the number: {number}", "Tippen Sie zur Sicherheit die Zahl: {number}"],
  sendYes: ["Send to {count} person||Send to {count} people", "An {count} Person senden||An {count} Personen senden"],
  sending: ["It is being sent.", "Sie wird gesendet."],
  scheduleTitle: ["When is “{name}” sent?", "Wann wird „{name}“ gesendet?"],
  at: ["Day and time", "Tag und Uhrzeit"],
  atZone: ["By the clocks of {zone}.", "Nach den Uhren von {zone}."],
  localTime: ["At this time of each person's own clock", "Zu dieser Zeit auf der Uhr jeder Person"],
  localTimePast: ["Whose clock is past it gets it at once.", "Wessen Uhr schon weiter ist, bekommt sie sofort."],
  localTimeHint: [
    "From {first} to {last}, your time. Who has no time zone gets it at the time above.",
    "Von {first} bis {last} Ihrer Zeit. Wer keine Zeitzone hat, bekommt sie zur Zeit oben.",
  ],
  atFixes: [
    "Audience and contents are taken as they are at that time. Until then you can change or cancel it.",
    "Zielgruppe und Inhalte gelten, wie sie dann sind. Bis dahin können Sie sie ändern oder abbrechen.",
  ],
  past: ["This time is over.", "Diese Zeit ist vorbei."],
  allowEmpty: [
    "Schedule it although nobody is in the audience now",
    "Planen, obwohl jetzt niemand in der Zielgruppe ist",
  ],
  scheduleYes: ["Schedule", "Planen"],
  scheduled: ["It is scheduled.", "Sie ist geplant."],
  email: ["email", "E-Mail"],
  push: ["push", "Push"],
  sms: ["SMS", "SMS"],
  in_app: ["in-app message", "In-App-Nachricht"],
} satisfies Texts;
