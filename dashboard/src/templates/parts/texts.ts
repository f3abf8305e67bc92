import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  layout: ["Email layout", "E-Mail-Layout"],
  snippet: ["Snippet", "Textbaustein"],
  name: ["Name", "Name"],
  lead: ["version {version}", "Fassung {version}"],
  layoutHint: [
    "{{ content }} is where the text of a template goes.",
    "{{ content }} ist die Stelle für den Text einer Vorlage.",
  ],
  saved: ["Saved.", "Gespeichert."],
  savedReach: [
    "Saved, with a new version of {count} template.||Saved, with a new version of {count} templates.",
    "Gespeichert, mit einer neuen Fassung von {count} Vorlage.||Gespeichert, mit einer neuen Fassung von {count} Vorlagen.",
  ],
  reach: [
    "Saving changes {count} template.||Saving changes {count} templates.",
    "Speichern ändert {count} Vorlage.||Speichern ändert {count} Vorlagen.",
  ],
  reachNone: ["No template uses it yet.", "Noch verwendet es keine Vorlage."],
  usedBy: ["Templates that use it", "Vorlagen, die es verwenden"],
  insert: ["In a template", "In einer Vorlage"],
  seenIn: ["Preview in the template", "Vorschau in der Vorlage"],
  sample: ["This is where the text of a template stands.", "Hier steht der Text einer Vorlage."],
  sampleSubject: ["Subject of the template", "Betreff der Vorlage"],
  remove: ["Delete", "Löschen"],
  removeSure: ["It is gone for good.", "Es ist dann endgültig weg."],
  removed: ["{name} is deleted.", "{name} ist gelöscht."],
} satisfies Texts;
