import type { Texts } from "../../../platform/language/texts.ts";

export const texts = {
  who: ["Who would get the messages now", "Wer die Nachrichten jetzt bekäme"],
  counting: ["People are counted …", "Personen werden gezählt …"],
  audience: [
    "Counted for the {count} person in the audience,||Counted for the {count} people in the audience,",
    "Gezählt für die {count} Person in der Zielgruppe,||Gezählt für die {count} Personen in der Zielgruppe,",
  ],
  event: [
    "Counted for the {count} person who did the event in the last 30 days,||Counted for the {count} people who did the event in the last 30 days,",
    "Gezählt für die {count} Person, die das Ereignis in den letzten 30 Tagen auslöste,||Gezählt für die {count} Personen, die das Ereignis in den letzten 30 Tagen auslösten,",
  ],
  date: [
    "Counted for the {count} person who has the date,||Counted for the {count} people who have the date,",
    "Gezählt für die {count} Person, die das Datum hat,||Gezählt für die {count} Personen, die das Datum haben,",
  ],
  everybody: [
    "Counted for the {count} person of the workspace,||Counted for all {count} people of the workspace,",
    "Gezählt für die {count} Person des Arbeitsbereichs,||Gezählt für alle {count} Personen des Arbeitsbereichs,",
  ],
  asIf: ["as if they came to each message now.", "als kämen sie jetzt zu jeder Nachricht."],
  estimate: ["Estimated from {counted} of them.", "Geschätzt nach {counted} von ihnen."],
  nobody_audience: ["Nobody is in the audience now.", "Jetzt ist niemand in der Zielgruppe."],
  nobody_event: [
    "Nobody did the event in the last 30 days.",
    "Niemand löste das Ereignis in den letzten 30 Tagen aus.",
  ],
  nobody_date: ["Nobody has the date.", "Niemand hat das Datum."],
  nobody_everybody: ["The workspace knows nobody yet.", "Der Arbeitsbereich kennt noch niemanden."],
  gets: ["{gets} of {people}", "{gets} von {people}"],
  all: ["All of them get it at once.", "Alle bekommen sie sofort."],
  escalated: ["if unseen, {channel}", "wenn ungesehen, {channel}"],
  email: ["Email", "E-Mail"],
  push: ["Push", "Push"],
  sms: ["SMS", "SMS"],
  in_app: ["In-app", "In-App"],
} satisfies Texts;
