import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  canvas: ["The journey as a drawing", "Der Weg als Zeichnung"],
  end: ["End", "Ende"],
  addFirst: ["Add a step at the beginning", "Am Anfang einen Schritt einfügen"],
  addOnWay: ["Add a step on the way “{way}” of {step}", "Auf dem Weg „{way}“ von {step} einen Schritt einfügen"],
  addAfter: ["Add a step after {step}", "Nach {step} einen Schritt einfügen"],
  moveFirst: ["Move it to the beginning", "An den Anfang bewegen"],
  moveOnWay: ["Move it to the way “{way}” of {step}", "Auf den Weg „{way}“ von {step} bewegen"],
  moveAfter: ["Move it to after {step}", "Hinter {step} bewegen"],
  problems: ["{count} problem||{count} problems", "{count} Problem||{count} Probleme"],
  zoomIn: ["Nearer", "Näher"],
  zoomOut: ["Further away", "Weiter weg"],
  fit: ["Show everything", "Alles zeigen"],
} satisfies Texts;
