import type { InAppMessage, RenderType } from "@tidings/contract/inapp/definition";
import type { Static } from "typebox";
import type { Texts } from "../platform/language/texts.ts";
import type { Drawn } from "./preview/in-app-preview.tsx";

export type Message = Static<typeof InAppMessage>;
/** As lists have it. */
export type ListedMessage = Omit<Message, "body" | "warnings" | "used_by">;

export const renderTypes = ["modal", "banner", "inline", "inbox_card"] as const satisfies readonly RenderType[];
/** The priorities that have a name. */
export const priorities = [
  ["low", 10],
  ["normal", 50],
  ["high", 75],
  ["critical", 100],
] as const;

export const renderTypeTexts = {
  modal: ["Modal", "Dialogfenster"],
  banner: ["Banner", "Banner"],
  inline: ["Inline", "Im Inhalt"],
  inbox_card: ["Inbox card", "Postfachkarte"],
} satisfies Texts;

export const pathOf = (id: string): string => `/in-app-messages/${encodeURIComponent(id)}`;

type Written = Pick<Message, "render_type" | "title" | "body" | "image_url" | "cta">;

/** A message as it is written, with its Liquid as text: for a picture that is of no person. */
export const drawn = ({ render_type, title, body, image_url, cta }: Written): Drawn => ({
  render_type,
  content: { title, body, image_url },
  ctas: cta ? [{ id: "primary", label: cta.label, action: cta.action }] : [],
});
