import type {
  EmailLayout as LayoutShape,
  Snippet as SnippetShape,
  EmailTemplate as TemplateShape,
} from "@tidings/contract/messages/templates";
import type { Static } from "typebox";

export type Template = Static<typeof TemplateShape>;
/** Lists leave the long texts out. */
export type TemplateRow = Omit<Template, "body" | "plaintext" | "warnings">;
export type Layout = Static<typeof LayoutShape>;
export type LayoutRow = Omit<Layout, "body" | "warnings">;
export type Snippet = Static<typeof SnippetShape>;
export type SnippetRow = Omit<Snippet, "body" | "warnings">;
