import type { Texts } from "../platform/language/texts.ts";

export const texts = {
  broadcasts: ["Broadcasts", "Rundsendungen"],
  broadcast: ["Broadcast", "Rundsendung"],
  newBroadcast: ["New broadcast", "Neue Rundsendung"],
  lead: ["One message to everybody in an audience.", "Eine Nachricht an alle einer Zielgruppe."],
  search: ["Name or id", "Name oder ID"],
  status: ["Status", "Status"],
  draft: ["Draft", "Entwurf"],
  scheduled: ["Scheduled", "Geplant"],
  sending: ["Sending", "Wird gesendet"],
  paused: ["Paused", "Angehalten"],
  sent: ["Sent", "Gesendet"],
  canceled: ["Canceled", "Abgebrochen"],
  failed: ["Failed", "Fehlgeschlagen"],
  channel: ["Channel", "Kanal"],
  email: ["Email", "E-Mail"],
  push: ["Push", "Push"],
  sms: ["SMS", "SMS"],
  in_app: ["In-app", "In-App"],
  done: ["{count} person||{count} people", "{count} Person||{count} Personen"],
  doneOf: ["{done} of {total} people", "{done} von {total} Personen"],
  none: ["There is no broadcast yet", "Es gibt noch keine Rundsendung"],
  noneBody: [
    "A broadcast sends one message to an audience, now or at a time.",
    "Eine Rundsendung schickt eine Nachricht an eine Zielgruppe, jetzt oder zu einer Zeit.",
  ],
} satisfies Texts;
