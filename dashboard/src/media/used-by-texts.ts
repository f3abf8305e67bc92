import type { Texts } from "../platform/language/texts.ts";

export const usedByTexts = {
  usedBy: ["Used by", "Verwendet von"],
  unused: [
    "Nothing that is written here shows it. Content of calls is not looked at.",
    "Nichts, was hier geschrieben ist, zeigt es. Inhalte aus Aufrufen sind nicht berücksichtigt.",
  ],
  email_template: ["Email template", "E-Mail-Vorlage"],
  email_layout: ["Layout", "Layout"],
  snippet: ["Snippet", "Baustein"],
  transactional: ["Transactional", "Transaktionsnachricht"],
  in_app_message: ["In-app message", "In-App-Nachricht"],
  broadcast: ["Broadcast", "Rundsendung"],
  campaign: ["Campaign", "Kampagne"],
} satisfies Texts;
