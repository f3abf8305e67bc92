import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  adviceTitle: ["Before it is sent", "Vor dem Senden"],
  advice: [
    "Before it is sent: {count} hint||Before it is sent: {count} hints",
    "Vor dem Senden: {count} Hinweis||Vor dem Senden: {count} Hinweise",
  ],
  fine: ["Nothing to consider.", "Nichts zu bedenken."],
  line: ["{place}, line {line}", "{place}, Zeile {line}"],
  in_subject: ["Subject", "Betreff"],
  in_preheader: ["Preheader", "Vorschauzeile"],
  in_body: ["Body", "Inhalt"],
  in_plaintext: ["Text part", "Textteil"],
  heavy: [
    "The HTML has {bytes}. Gmail cuts an email off at 102 KB.",
    "Das HTML hat {bytes}. Gmail schneidet E-Mails bei 102 KB ab.",
  ],
  clipped: [
    "The HTML has {bytes}: Gmail shows the first 102 KB, and hides the rest with the unsubscribe link.",
    "Das HTML hat {bytes}: Gmail zeigt die ersten 102 KB und verbirgt den Rest samt Abbestell-Link.",
  ],
  link_empty: ["This link leads nowhere.", "Dieser Link führt nirgendwohin."],
  link_scheme: [
    "The link {link} does not say how: write https:// before it.",
    "Dem Link {link} fehlt der Anfang: Schreiben Sie https:// davor.",
  ],
  link_local: ["Only you can reach {link}.", "Nur Sie erreichen {link}."],
  link_http: ["{link} is not encrypted: use https.", "{link} ist nicht verschlüsselt: Nehmen Sie https."],
  link_default: [
    "The link {link} is empty for whoever lacks this: give it a default.",
    "Der Link {link} ist leer, wenn das fehlt: Geben Sie einen Standardwert an.",
  ],
  no_alt: [
    "An image has no alt text for those who do not see it. An empty one says that it is decoration.",
    "Ein Bild hat keinen Alternativtext für alle, die es nicht sehen. Ein leerer heißt: nur Schmuck.",
  ],
  contrast: [
    "{ink} on {ground} is hard to read: contrast {ratio}, at least 4.5 is needed.",
    "{ink} auf {ground} ist schwer zu lesen: Kontrast {ratio}, nötig sind 4,5.",
  ],
  no_unsubscribe: [
    "There is no unsubscribe link. Marketing needs one: {{ unsubscribe_url }}.",
    "Es gibt keinen Abbestell-Link. Werbung braucht einen: {{ unsubscribe_url }}.",
  ],
  no_default: [
    "{name} has no default: whoever lacks it sees nothing there.",
    "{name} hat keinen Standardwert: Wem es fehlt, der sieht dort nichts.",
  ],
  no_preheader: [
    "There is no preheader: inboxes show the first words of the body after the subject.",
    "Es gibt keine Vorschauzeile: Postfächer zeigen nach dem Betreff die ersten Wörter des Inhalts.",
  ],
  no_text: [
    "The text part is empty: some mail programs show nothing.",
    "Der Textteil ist leer: Manche Mailprogramme zeigen nichts.",
  ],
  subject_long: [
    "The subject has {count} characters: phones show about 40, desktops about 70.",
    "Der Betreff hat {count} Zeichen: Telefone zeigen etwa 40, Bildschirme etwa 70.",
  ],
} satisfies Texts;
