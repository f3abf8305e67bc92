import type { Texts } from "../language/texts.ts";

export const texts = {
  noMatch: ["Nothing matches", "Nichts gefunden"],
  noMatchBody: [
    "Try another text, or clear the filters.",
    "Versuchen Sie einen anderen Text, oder löschen Sie die Filter.",
  ],
  clear: ["Clear filters", "Filter löschen"],
  more: ["Load more", "Mehr laden"],
  all: ["All", "Alle"],
  order: ["Order", "Reihenfolge"],
  sort_created: ["Newest first", "Neueste zuerst"],
  sort_updated: ["Last changed first", "Zuletzt geänderte zuerst"],
  sort_name: ["By name", "Nach Namen"],
} satisfies Texts;
