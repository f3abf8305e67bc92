import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { Message } from "../message/message.ts";

/** A channel of a workspace, with the providers that it chose for it. */
export interface ChannelOf {
  workspaceId: string;
  channel: PushedChannel;
}

/**
 * Its queue. What goes to many at once has one of its own, behind the other: a one-time code is not to wait until 20,000
 * people have their newsletter. What somebody waits for is claimed, and handed over, before all of it.
 */
export interface Lane extends ChannelOf {
  bulk: boolean;
}

/** Its name, as signals carry it. */
export const nameOf = ({ workspaceId, channel, bulk }: Lane): string =>
  `${workspaceId} ${channel}${bulk ? " bulk" : ""}`;

/** The lane of a name. */
export function laneOf(name: string): Lane {
  const [workspaceId, channel, kind] = name.split(" ");
  return { workspaceId, channel, bulk: kind === "bulk" } as Lane;
}

/** Whether a message is one of many. The column `bulk` of its delivery says the same. */
export const isBulk = (source: Message["source"]): boolean => source === "broadcast" || source === "campaign";
