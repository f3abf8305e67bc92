import type { Channel } from "@tidings/contract/facts/activity";
import type { SubscriptionPreference } from "@tidings/contract/messages/transactionals";

/** What some of the people are told, as it is written on the wire. The version is added when sending starts. */
export interface Said {
  /** In-app: the TypeID of the message. */
  message_id?: string;
  message_version?: number;
  /** The other channels. A template is named by its id and version: its texts are added page by page. */
  content?: Record<string, unknown>;
}

/** By language tag. */
export type Locales = Record<string, Said>;

export interface Variant extends Said {
  name: string;
  weight: number;
  locales?: Locales | null;
}

/** Everything that one sending may say: either variants, or one thing for all; and each of these in other languages. */
export interface Saying extends Said {
  locales: Locales | null;
  variants: Variant[] | null;
}

/** How a sending is sent, as its author set it. */
export interface Rules {
  /** 0 to 50, with at most two decimals: this share of the people gets nothing. */
  holdoutPercent: number;
  topicId: string | null;
  tracking: { opens: boolean; clicks: boolean };
  /** `all` reaches people who unsubscribed, too. */
  preference: SubscriptionPreference;
}

/**
 * One thing that is said to many people: by a broadcast, or by a message step of a campaign. It has no status and no table:
 * whoever sends it keeps both.
 */
export interface Sending extends Rules {
  workspaceId: string;
  /** What its deliveries come from, and what errors call it. */
  source: "broadcast" | "campaign";
  sourceId: string;
  /** A person's variant and holdout are derived from this and their key: sendings with the same value split alike. */
  splitBy: string;
  channel: Channel;
  saying: Saying;
  /** People who share an address get one copy there. The sender of the sending keeps who gets it. */
  oncePerAddress: boolean;
}
