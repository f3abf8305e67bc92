import type { TopicDefault } from "@tidings/contract/audience/subscriptions";
import type { Channel } from "@tidings/contract/facts/activity";

/** The properties of a message that decide with a person's states whether the person receives it. */
export interface Ask {
  channel: Channel;
  /** The TypeID of its topic, and the default for people who never chose. */
  topic?: { id: string; default: TopicDefault } | undefined;
  /** `all` also reaches people who unsubscribed. */
  preference: "subscribed" | "all";
}

/** A person's choices: for everything, and for each channel and topic that the person ever chose. */
export interface States {
  subscribed: boolean;
  preferences: Record<string, boolean>;
}

/** Why a person does not receive a message; the reason of a suppressed delivery. */
export type Unsubscribed = "unsubscribed" | "channel_unsubscribed" | "topic_unsubscribed";

/**
 * Returns undefined where the person's states allow the message, else the widest state that holds it back. Suppressed addresses are
 * checked elsewhere: they hold back everything.
 */
export function mayReceive(person: States, { channel, topic, preference }: Ask): Unsubscribed | undefined {
  if (preference === "all") return undefined;
  if (!person.subscribed) return "unsubscribed";
  if (!channelState(person, channel)) return "channel_unsubscribed";
  return topic === undefined || topicState(person, topic) ? undefined : "topic_unsubscribed";
}

/** A channel is on until it is turned off. */
export const channelState = ({ preferences }: States, channel: Channel): boolean => preferences[channel] !== false;

/** A topic has the state that the person chose, else its default. */
export const topicState = ({ preferences }: States, topic: { id: string; default: TopicDefault }): boolean =>
  preferences[topic.id] ?? topic.default === "subscribed";
