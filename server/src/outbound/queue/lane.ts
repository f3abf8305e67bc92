import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { Message } from "../message/message.ts";

/** A channel of a workspace, which has its own list of providers. */
export interface ChannelOf {
  workspaceId: string;
  channel: PushedChannel;
}

/**
 * The waiting deliveries of a channel. Broadcasts and campaigns (`bulk`) have a lane of their own, so that a one-time code does
 * not wait until 20,000 people have their newsletter: the other lane is claimed, and handed over, before it.
 */
export interface Lane extends ChannelOf {
  bulk: boolean;
}

/** Returns the lane's name, which signals carry. */
export const nameOf = ({ workspaceId, channel, bulk }: Lane): string =>
  `${workspaceId} ${channel}${bulk ? " bulk" : ""}`;

/** Returns the lane with this name. */
export function laneOf(name: string): Lane {
  const [workspaceId, channel, kind] = name.split(" ");
  return { workspaceId, channel, bulk: kind === "bulk" } as Lane;
}

/** Whether a message is one of many. The column `bulk` of its delivery has the same value. */
export const isBulk = (source: Message["source"]): boolean => source === "broadcast" || source === "campaign";
