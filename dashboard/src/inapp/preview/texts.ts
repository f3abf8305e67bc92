import type { Texts } from "../../platform/language/texts.ts";

export const texts = {
  phone: ["On a phone", "Auf einem Telefon"],
  desktop: ["On a desktop", "Auf einem Desktop"],
  inbox: ["Inbox", "Postfach"],
  markRead: ["Mark as read", "Als gelesen markieren"],
} satisfies Texts;
