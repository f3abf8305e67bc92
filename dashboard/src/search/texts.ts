import type { Texts } from "../platform/language/texts.ts";

export const searchTexts = {
  people: ["People", "Personen"],
  deliveries: ["Deliveries", "Zustellungen"],
  broadcasts: ["Broadcasts", "Rundsendungen"],
  campaigns: ["Campaigns", "Kampagnen"],
  transactionals: ["Transactionals", "Transaktionale Nachrichten"],
  "in-app-messages": ["In-app messages", "In-App-Nachrichten"],
  audiences: ["Audiences", "Zielgruppen"],
  "email-templates": ["Email templates", "E-Mail-Vorlagen"],
  "email-layouts": ["Email layouts", "E-Mail-Layouts"],
  snippets: ["Snippets", "Textbausteine"],
  topics: ["Topics", "Themen"],
  providers: ["Providers", "Anbieter"],
  webhooks: ["Webhooks", "Webhooks"],
  destinations: ["Data export", "Datenausleitung"],
  members: ["Members", "Mitglieder"],
  keys: ["API keys", "API-Schlüssel"],
} satisfies Texts;
