import type { Texts } from "../platform/language/texts.ts";

export const texts = {
  people: ["{count} person||{count} people", "{count} Person||{count} Personen"],
  counting: ["Counting …", "Wird gezählt …"],
  incomplete: [
    "Fill in the conditions to see how many people they match.",
    "Füllen Sie die Bedingungen aus, um zu sehen, auf wie viele Personen sie zutreffen.",
  ],
  uncounted: ["Not counted", "Nicht gezählt"],
  busy: [
    "Counting took too long. The filter still works for sending; try fewer conditions or a shorter time, or count again.",
    "Das Zählen hat zu lange gedauert. Zum Senden geht der Filter trotzdem; versuchen Sie es mit weniger Bedingungen oder einem kürzeren Zeitraum, oder zählen Sie noch einmal.",
  ],
  retry: ["Count again", "Noch einmal zählen"],
  sample: ["For example", "Zum Beispiel"],
} satisfies Texts;
