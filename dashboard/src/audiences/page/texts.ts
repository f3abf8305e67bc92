import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  audience: ["Audience", "Zielgruppe"],
  audiences: ["Audiences", "Zielgruppen"],
  name: ["Name", "Name"],
  filter: ["Conditions", "Bedingungen"],
  id: ["Id", "ID"],
  created: ["Created", "Angelegt"],
  changed: ["Changed", "Geändert"],
  saved: ["Saved.", "Gespeichert."],
  usedNote: [
    "{count} place uses this audience: other conditions change whom it reaches.||{count} places use this audience: other conditions change whom they reach.",
    "{count} Stelle verwendet diese Zielgruppe: Andere Bedingungen ändern, wen sie erreicht.||{count} Stellen verwenden diese Zielgruppe: Andere Bedingungen ändern, wen sie erreichen.",
  ],
  usedTitle: ["Change what is in use?", "Ändern, was verwendet wird?"],
  usedBody: [
    "These use the audience. From now on they reach whoever meets the new conditions. Messages that were sent stay sent.",
    "Diese verwenden die Zielgruppe. Ab jetzt erreichen sie, wer die neuen Bedingungen erfüllt. Gesendetes bleibt gesendet.",
  ],
  usedYes: ["Change it for all of them", "Für alle ändern"],
} satisfies Texts;
