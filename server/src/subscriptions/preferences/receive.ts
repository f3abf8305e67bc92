import type { Channel } from "@tidings/contract/facts/activity";
import type { TopicDefault } from "@tidings/contract/audience/subscriptions";

/** What a message asks of a person's states. */
export interface Ask {
  channel: Channel;
  /** The TypeID of its topic and what holds for those who never chose. */
  topic?: { id: string; default: TopicDefault } | undefined;
  /** `all` reaches people who unsubscribed, too. */
  preference: "subscribed" | "all";
}

/** A person's states: for all, and for each channel and topic that the person ever chose. */
export interface States {
  subscribed: boolean;
  preferences: Record<string, boolean>;
}

/** Why a person does not receive a message; the reason of a suppressed delivery. */
export type Unsubscribed = "unsubscribed" | "channel_unsubscribed" | "topic_unsubscribed";

/**
 * Whether the person's states let the message through: undefined, or the widest state that holds it back. Suppressed
 * addresses are another matter: they hold back everything.
 */
export function mayReceive(person: States, { channel, topic, preference }: Ask): Unsubscribed | undefined {
  if (preference === "all") return undefined;
  if (!person.subscribed) return "unsubscribed";
  if (!channelState(person, channel)) return "channel_unsubscribed";
  return topic === undefined || topicState(person, topic) ? undefined : "topic_unsubscribed";
}

/** A channel is on until it is turned off. */
export const channelState = ({ preferences }: States, channel: Channel): boolean => preferences[channel] !== false;

/** A topic is as the person chose, or as its default says. */
export const topicState = ({ preferences }: States, topic: { id: string; default: TopicDefault }): boolean =>
  preferences[topic.id] ?? topic.default === "subscribed";
