import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  preview: ["How it comes out", "Wie sie ankommt"],
  personHint: [
    "Choose a person to see it with their data.",
    "Wählen Sie eine Person, um sie mit deren Daten zu sehen.",
  ],
  variant: ["Variant", "Variante"],
  language: ["Language", "Sprache"],
  own: ["The person's own", "Die der Person"],
  everybodyElse: ["Everybody else", "Alle anderen"],
  shown: ["This person gets {what}.", "Diese Person bekommt {what}."],
  shownVariant: ["variant {name}", "Variante {name}"],
  heldOut: [
    "This person is left out for comparison, and would get nothing.",
    "Diese Person ist zum Vergleich ausgelassen und bekäme nichts.",
  ],
  to: ["To", "An"],
  noAddress: ["no address", "keine Adresse"],
} satisfies Texts;
