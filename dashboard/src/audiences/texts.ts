import type { Texts } from "../platform/language/texts.ts";

export const texts = {
  audiences: ["Audiences", "Zielgruppen"],
  audience: ["Audience", "Zielgruppe"],
  lead: [
    "Sets of people: by conditions that are looked at anew each time, or by a list.",
    "Gruppen von Personen: nach Bedingungen, die jedes Mal neu geprüft werden, oder nach einer Liste.",
  ],
  onlyEditors: ["Editors and owners can change them.", "Bearbeiter und Eigentümer können sie ändern."],
  search: ["Name or id", "Name oder ID"],
  newAudience: ["New audience", "Neue Zielgruppe"],
  create: ["Create", "Anlegen"],
  name: ["Name", "Name"],
  kind: ["Kind", "Art"],
  filter: ["Conditions", "Bedingungen"],
  list: ["List", "Liste"],
  about_filter: ["Whoever meets the conditions, at any time", "Wer die Bedingungen erfüllt, zu jedem Zeitpunkt"],
  about_list: ["People put on it by hand or from a file", "Personen, von Hand oder aus einer Datei aufgenommen"],
  none: ["There is no audience yet", "Es gibt noch keine Zielgruppe"],
  noneBody: [
    "Broadcasts and campaigns go to an audience. Make one of conditions, such as “plan is pro”, or import a list.",
    "Rundsendungen und Kampagnen gehen an eine Zielgruppe. Legen Sie eine mit Bedingungen an, etwa „plan ist pro“, oder importieren Sie eine Liste.",
  ],
} satisfies Texts;
