import type {
  Channel,
  Delivery as DeliveryShape,
  DeliveryDetail as DeliveryDetailShape,
  DeliveryStatus,
  Source,
} from "@tidings/contract/facts/activity";
import type { Static } from "typebox";
import type { IconName } from "../platform/look/icons.tsx";
import type { Tone } from "../platform/look/parts.tsx";

export type Delivery = Static<typeof DeliveryShape>;
export type DeliveryDetail = Static<typeof DeliveryDetailShape>;
export type DeliveryEvent = DeliveryDetail["events"][number];

export const channels = ["email", "push", "sms", "in_app"] as const satisfies Channel[];
export const sources = ["transactional", "broadcast", "campaign", "test"] as const satisfies Source[];
export const statuses = [
  "queued",
  "sending",
  "sent",
  "delivered",
  "shown",
  "dismissed",
  "bounced",
  "complained",
  "failed",
  "suppressed",
  "canceled",
  "expired",
] as const satisfies DeliveryStatus[];

export const toneOf = (status: DeliveryStatus): Tone => {
  if (["delivered", "shown", "sent"].includes(status)) return "good";
  if (["bounced", "complained", "failed"].includes(status)) return "bad";
  if (status === "suppressed") return "warn";
  return "plain";
};

export const channelIcon: Record<Channel, IconName> = {
  email: "mail",
  push: "bell",
  sms: "chat",
  in_app: "window",
};

/** Where the page of a source is: the first part of its address. A test has none. */
export const pageOfSource: Record<Source, string | undefined> = {
  transactional: "transactionals",
  broadcast: "broadcasts",
  campaign: "campaigns",
  test: undefined,
};

/** What one can do with it now. The service decides; these are what it would accept. */
export const canResend = ({ channel, status, person_id }: Delivery): boolean =>
  channel !== "in_app" && person_id !== null && !["queued", "sending"].includes(status);
export const canCancel = ({ channel, status }: Delivery): boolean => channel !== "in_app" && status === "queued";
export const canRecall = ({ channel, status }: Delivery): boolean =>
  channel === "in_app" && ["queued", "shown"].includes(status);
