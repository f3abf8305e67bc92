import type { Texts } from "../platform/language/texts.ts";

/** Entries of the log that are about no delivery. */
export const entryTexts = {
  "person.tracked": ["Did {name}", "Tat {name}"],
  "person.identified": ["Identified", "Identifiziert"],
  "person.subscribed": ["Subscribed", "Hat abonniert"],
  "person.unsubscribed": ["Unsubscribed", "Hat abbestellt"],
  "person.suppressed": ["An address was suppressed", "Eine Adresse wurde gesperrt"],
  "person.unsuppressed": ["An address is no longer suppressed", "Eine Adresse ist nicht mehr gesperrt"],
  "person.merged": ["Another person was merged into this one", "Eine andere Person wurde hier zusammengeführt"],
  "person.device_added": ["Registered a device", "Hat ein Gerät angemeldet"],
  "campaign.entered": ["Entered a campaign", "Begann eine Kampagne"],
  "campaign.goal": ["Reached the goal of a campaign", "Erreichte das Ziel einer Kampagne"],
  "campaign.ended": ["A campaign ended", "Eine Kampagne endete"],
  "webhook.disabled": ["A webhook was switched off", "Ein Webhook wurde abgeschaltet"],
} satisfies Texts;
