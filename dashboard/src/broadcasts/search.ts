import type { BroadcastStatus } from "@tidings/contract/messages/broadcasts";
import { channels } from "../activity/delivery.ts";
import { authoredSearchOf } from "../platform/list/authored-search.ts";
import type { Tone } from "../platform/look/parts.tsx";

export const statuses = [
  "draft",
  "scheduled",
  "sending",
  "paused",
  "sent",
  "canceled",
  "failed",
] as const satisfies readonly BroadcastStatus[];

export const toneOf: Record<BroadcastStatus, Tone> = {
  draft: "plain",
  scheduled: "plain",
  sending: "good",
  paused: "warn",
  sent: "good",
  canceled: "plain",
  failed: "bad",
};

export const broadcastsSearchOf = authoredSearchOf({ status: statuses, channel: channels });
