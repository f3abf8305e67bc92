import type { Channel } from "@tidings/contract/facts/activity";
import type { WhenHeld } from "@tidings/contract/messages/sendings";
import type { SubscriptionPreference } from "@tidings/contract/messages/transactionals";
import type { StepOrigin } from "../activity/index.ts";

/** The content of one edition, with the field names of the API. The version is added when sending starts. */
export interface EditionContent {
  /** In-app: the TypeID of the message. */
  message_id?: string;
  message_version?: number;
  /** The other channels. A template is named by its id and version: its texts are added for each batch. */
  content?: Record<string, unknown>;
}

/** By language tag. */
export type Locales = Record<string, EditionContent>;

export interface Variant extends EditionContent {
  name: string;
  weight: number;
  locales?: Locales | null;
}

/** All editions of a sending, as their author writes them: either variants, or one content for all; each also in other languages. */
export interface Editions extends EditionContent {
  locales: Locales | null;
  variants: Variant[] | null;
}

/** How a sending is sent, as its author set it. */
export interface Rules {
  /** 0 to 50, with at most two decimals: this percentage of the people gets nothing. */
  holdoutPercent: number;
  topicId: string | null;
  tracking: { opens: boolean; clicks: boolean };
  /** `all` reaches people who unsubscribed, too. */
  preference: SubscriptionPreference;
  /** What becomes of a message that the workspace's limits hold back. */
  whenHeld: WhenHeld;
}

/**
 * One message to many people: a broadcast, or a message step of a campaign. It has no status and no table: its sender
 * keeps both.
 */
export interface Sending extends Rules {
  workspaceId: string;
  /** The source of its deliveries. Error texts call the sending by this word. */
  source: "broadcast" | "campaign";
  sourceId: string;
  /** Undefined for a broadcast. */
  step?: StepOrigin;
  /** A person's variant and holdout are derived from this and their key: sendings with the same value split alike. */
  splitBy: string;
  channel: Channel;
  editions: Editions;
  /** People who share an address get one copy there. The sender of the sending stores who gets it. */
  oncePerAddress: boolean;
}
