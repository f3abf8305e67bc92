import type { Texts } from "../platform/language/texts.ts";

/** Entries of the log that are about a person and no delivery. */
export const entryTexts = {
  tracked: ["Did {name}", "Tat {name}"],
  "person.identified": ["Identified", "Identifiziert"],
  "person.created": ["First seen", "Zuerst gesehen"],
  "person.subscribed": ["Subscribed", "Hat abonniert"],
  "person.unsubscribed": ["Unsubscribed", "Hat abbestellt"],
  "person.merged": ["Another person was merged into this one", "Eine andere Person wurde hier zusammengeführt"],
  "person.device_registered": ["Registered a device", "Hat ein Gerät angemeldet"],
  "campaign.entered": ["Entered a campaign", "Begann eine Kampagne"],
  "campaign.goal": ["Reached the goal of a campaign", "Erreichte das Ziel einer Kampagne"],
  "campaign.ended": ["A campaign ended", "Eine Kampagne endete"],
} satisfies Texts;
