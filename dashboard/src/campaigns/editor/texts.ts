import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  saved: ["The campaign is saved.", "Die Kampagne ist gespeichert."],
  noSteps: ["There is no step yet.", "Es gibt noch keinen Schritt."],
} satisfies Texts;
