import type { Texts } from "../platform/language/texts.ts";

const whenOpen: [string, string] = [
  "Get it later, when their sending window opens",
  "Bekommen sie später, wenn ihr Sendefenster öffnet",
];

/** Why people get a message later or not at all, by the names that a preflight uses. */
export const texts = {
  held_out: ["Left out for comparison", "Zum Vergleich ausgelassen"],
  held: whenOpen,
  unsubscribed: ["Unsubscribed from everything", "Haben alles abbestellt"],
  channel_unsubscribed: ["Unsubscribed from this channel", "Haben diesen Kanal abbestellt"],
  topic_unsubscribed: ["Unsubscribed from this topic", "Haben dieses Thema abbestellt"],
  no_address: ["Have no address for this channel", "Haben keine Adresse für diesen Kanal"],
  same_address: [
    "Share an address with somebody who gets it there",
    "Teilen eine Adresse mit jemandem, der sie dort bekommt",
  ],
  suppressed: ["On the list of suppressed addresses", "Auf der Liste gesperrter Adressen"],
  held_by_limit: ["Had their most messages already", "Haben schon ihre Höchstzahl an Nachrichten"],
  held_by_window: ["Outside of the time of day for messages", "Außerhalb der Tageszeit für Nachrichten"],
  waits_held_by_limit: [
    "Get it later, when they have had fewer messages",
    "Bekommen sie später, wenn sie weniger Nachrichten hatten",
  ],
  waits_held_by_window: whenOpen,
  suchAs: ["Such as", "Zum Beispiel"],
} satisfies Texts;
