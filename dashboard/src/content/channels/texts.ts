import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  source: ["The email comes from", "Die E-Mail kommt aus"],
  own: ["Own HTML", "Eigenem HTML"],
  template: ["A template", "Einer Vorlage"],
  templateLabel: ["Email template", "E-Mail-Vorlage"],
  templateHint: [
    "The newest version of the template goes out. What you write below replaces its own.",
    "Es geht immer die neueste Fassung der Vorlage hinaus. Was Sie unten schreiben, ersetzt ihre Angaben.",
  ],
  subject: ["Subject", "Betreff"],
  preheader: ["Preheader", "Vorschautext"],
  preheaderHint: [
    "The line that inboxes show after the subject.",
    "Die Zeile, die Postfächer nach dem Betreff zeigen.",
  ],
  body: ["HTML", "HTML"],
  plaintext: ["Plain text", "Nur-Text"],
  plaintextHint: ["Made from the HTML while this is empty.", "Entsteht aus dem HTML, solange dies leer ist."],
  from: ["From", "Von"],
  fromHint: [
    "The workspace’s own sender while this is empty.",
    "Der Absender des Arbeitsbereichs, solange dies leer ist.",
  ],
  replyTo: ["Reply to", "Antwort an"],
  replyToHint: [
    "The workspace’s own address while this is empty.",
    "Die Adresse des Arbeitsbereichs, solange dies leer ist.",
  ],
  ofTemplate: ["As in the template while this is empty.", "Wie in der Vorlage, solange dies leer ist."],
  title: ["Title", "Titel"],
  message: ["Message", "Nachricht"],
  image: ["Image address", "Bildadresse"],
  imageHint: ["https, optional.", "https, freiwillig."],
  link: ["Link", "Link"],
  linkHint: [
    "What a tap opens: a web address, or a screen of your app such as “acme://orders”.",
    "Was ein Tippen öffnet: eine Webadresse oder ein Bildschirm Ihrer App wie „acme://orders“.",
  ],
  text: ["Text", "Text"],
  to: ["Phone number", "Telefonnummer"],
  toHint: ["The person’s own number while this is empty.", "Die eigene Nummer der Person, solange dies leer ist."],
  parts: [
    "{count} part, {left} more characters fit||{count} parts, {left} more characters fit",
    "{count} Teil, {left} weitere Zeichen passen||{count} Teile, {left} weitere Zeichen passen",
  ],
  wide: [
    "“{char}” makes each part 70 characters short instead of 160.",
    "Wegen „{char}“ fasst jeder Teil 70 statt 160 Zeichen.",
  ],
  unfilled: ["Placeholders are not counted.", "Platzhalter sind nicht mitgezählt."],
} satisfies Texts;
