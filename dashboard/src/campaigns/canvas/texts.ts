import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  canvas: ["The journey as a drawing", "Der Weg als Zeichnung"],
  end: ["End", "Ende"],
  add: ["Add a step here", "Hier einen Schritt einfügen"],
  moveHere: ["Move it here", "Hierher bewegen"],
  problems: ["{count} problem||{count} problems", "{count} Problem||{count} Probleme"],
  zoomIn: ["Nearer", "Näher"],
  zoomOut: ["Further away", "Weiter weg"],
  fit: ["Show everything", "Alles zeigen"],
} satisfies Texts;
