import type { Broadcast as BroadcastShape, BroadcastStatus } from "@tidings/contract/messages/broadcasts";
import type { Static } from "typebox";

export type Broadcast = Static<typeof BroadcastShape>;

export const pathOf = (id: string): string => `/broadcasts/${encodeURIComponent(id)}`;

/** Whether its author may still change it. */
export const isDraft = (status: BroadcastStatus): boolean => status === "draft" || status === "scheduled";
/** Whether it is on its way. */
export const isRunning = (status: BroadcastStatus): boolean => status === "sending" || status === "paused";
