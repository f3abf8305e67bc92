import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  context: ["As whom and how to look at it", "Als wer und wie ansehen"],
  person: ["As", "Als"],
  screen: ["On the screen", "Auf dem Bildschirm"],
  locale: ["Language", "Sprache"],
  anyLocale: ["the person’s", "die der Person"],
  device: ["Device", "Gerät"],
  desktop: ["Desktop", "Desktop"],
  phone: ["Phone", "Handy"],
  dark: ["Dark", "Dunkel"],
  part: ["Part of the email", "Teil der E-Mail"],
  html: ["As HTML", "Als HTML"],
  text: ["As plain text", "Als Nur-Text"],
  noText: ["The plain text is made from the HTML when it is sent.", "Der Nur-Text entsteht beim Senden aus dem HTML."],
  from: ["From", "Von"],
  replyTo: ["Reply to", "Antwort an"],
  subject: ["Subject", "Betreff"],
  preheader: ["Preheader", "Vorschautext"],
  image: ["Image", "Bild"],
  opens: ["A tap opens", "Ein Tippen öffnet"],
} satisfies Texts;
