import type { Texts } from "../platform/language/texts.ts";

export const texts = {
  split: ["Compare variants (A/B)", "Varianten vergleichen (A/B)"],
  splitHint: [
    "Each person gets one of the variants, by chance. The results are compared.",
    "Jede Person bekommt zufällig eine der Varianten. Die Ergebnisse werden verglichen.",
  ],
  variants: ["Variants", "Varianten"],
  variant: ["Variant {name}", "Variante {name}"],
  variantName: ["Name of the variant", "Name der Variante"],
  weight: ["Weight", "Gewicht"],
  weightHint: ["{share} of the people", "{share} der Personen"],
  addVariant: ["Add a variant", "Variante hinzufügen"],
  removeVariant: ["Remove variant {name}", "Variante {name} entfernen"],
  removeVariantSure: [
    "What it says is gone, in all its languages.",
    "Ihr Inhalt ist dann weg, in allen ihren Sprachen.",
  ],
  endsSplit: [
    "Then everybody gets variant {name}, and nothing is compared.",
    "Dann bekommen alle Variante {name}, und nichts wird verglichen.",
  ],
  languages: ["Languages", "Sprachen"],
  default: ["Everybody else", "Alle anderen"],
  defaultOnly: ["In one language", "In einer Sprache"],
  addLanguage: ["Add a language", "Sprache hinzufügen"],
  language: ["Language", "Sprache"],
  languageHint: [
    "Who has it as the attribute “locale” gets this edition: pt-BR, else pt, else the one for everybody else. It begins as a copy.",
    "Wer sie als Attribut „locale“ hat, bekommt diese Ausgabe: pt-BR, sonst pt, sonst die für alle anderen. Sie beginnt als Kopie.",
  ],
  noLanguage: ["This is no language, such as de or pt-BR.", "Das ist keine Sprache wie de oder pt-BR."],
  add: ["Add", "Hinzufügen"],
  removeLanguage: ["Remove {name}", "{name} entfernen"],
  removeLanguageSure: [
    "What it says is gone. These people then get the edition for everybody else.",
    "Ihr Inhalt ist dann weg. Diese Personen bekommen dann die Ausgabe für alle anderen.",
  ],
  remove: ["Remove", "Entfernen"],
  wrong: ["has an error", "hat einen Fehler"],
  message: ["In-app message", "In-App-Nachricht"],

  topic: ["Topic", "Thema"],
  topicHint: [
    "Who turned it off gets nothing, and unsubscribing by one click leaves the topic, not the channel.",
    "Wer es abbestellt hat, bekommt nichts, und mit einem Klick wird das Thema abbestellt, nicht der Kanal.",
  ],
  topicExempt: [
    "The limits of the workspace do not hold for this topic.",
    "Für dieses Thema gelten die Grenzen des Arbeitsbereichs nicht.",
  ],
  noTopic: ["No topic", "Kein Thema"],
  preference: ["Who gets it", "Wer es bekommt"],
  subscribed: ["Only who is subscribed", "Nur, wer es abonniert hat"],
  subscribedHint: [
    "Without people who unsubscribed, from everything or from this channel.",
    "Ohne Personen, die alles oder diesen Kanal abbestellt haben.",
  ],
  all: ["Everybody, also who unsubscribed", "Alle, auch wer abbestellt hat"],
  allHint: [
    "For messages that you have to send by law or contract.",
    "Für Nachrichten, die Gesetz oder Vertrag verlangen.",
  ],
  allWarning: [
    "People who unsubscribed get this, too. As advertising that is forbidden in most countries, and they report it as spam.",
    "Auch wer abbestellt hat, bekommt das. Als Werbung ist das in den meisten Ländern verboten, und es wird als Spam gemeldet.",
  ],
  tracking: ["Tracking", "Messung"],
  opens: ["Count opens", "Öffnungen zählen"],
  opensHint: [
    "By an invisible image. Mail programs that load images by themselves are not counted.",
    "Durch ein unsichtbares Bild. Mailprogramme, die Bilder von selbst laden, werden nicht gezählt.",
  ],
  clicks: ["Count clicks", "Klicks zählen"],
  clicksHint: ["Links lead through this service.", "Links führen über diesen Dienst."],
  holdout: ["Left out for comparison", "Zum Vergleich ausgelassen"],
  holdoutHint: [
    "0 to 50 percent of the audience get nothing, chosen by chance. What they do without the message shows what it brought.",
    "0 bis 50 Prozent der Zielgruppe bekommen nichts, zufällig gewählt. Was sie ohne die Nachricht tun, zeigt, was sie gebracht hat.",
  ],
  whenHeld: ["If the limits hold it back", "Wenn die Grenzen sie zurückhalten"],
  wait: ["It waits", "Sie wartet"],
  waitHint: [
    "Until the time of day at which messages are sent.",
    "Bis zur Tageszeit, zu der Nachrichten gesendet werden.",
  ],
  waitHintStep: [
    "Until the limit leaves room and the time of day is right.",
    "Bis die Grenze Platz lässt und die Tageszeit stimmt.",
  ],
  drop: ["It is left out", "Sie entfällt"],
  dropHint: ["The person does not get it.", "Die Person bekommt sie nicht."],
  limits: ["Limits of the workspace", "Grenzen des Arbeitsbereichs"],
} satisfies Texts;
