import { html } from "@codemirror/lang-html";
import type { Extension } from "@codemirror/state";

/** The colours of HTML and MJML. A module of its own, because most fields have plain text. */
export const markupOf = (language: "text" | "html" | "mjml"): Extension =>
  html({ selfClosingTags: language === "mjml", matchClosingTags: true, autoCloseTags: false }).extension;
