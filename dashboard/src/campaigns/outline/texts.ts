import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  outline: ["The journey as a list", "Der Weg als Liste"],
  open: ["Open", "Aufklappen"],
  close: ["Close", "Zuklappen"],
  addAfter: ["Add a step after it", "Danach einen Schritt einfügen"],
  moveHere: ["Move it here", "Hierher bewegen"],
  problems: ["{count} problem||{count} problems", "{count} Problem||{count} Probleme"],
} satisfies Texts;
