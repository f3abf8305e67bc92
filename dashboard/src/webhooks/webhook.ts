import type { WebhookBacklog, WebhookDelivery as DeliveryShape, Webhook as Shape } from "@tidings/contract/webhooks";
import type { Static } from "typebox";
import { families as logged, kindsOf } from "../activity/log/kinds.ts";
import type { Tone } from "../platform/look/parts.tsx";

export type Webhook = Static<typeof Shape>;
export type LogEntry = Static<typeof DeliveryShape>;
export type Backlog = Static<typeof WebhookBacklog>;

export const families = [...logged, "webhook"] as const;
export type Family = (typeof families)[number];
/** The types of a family, such as `email.bounced`. */
export const typesOf = (family: Family): string[] => (family === "webhook" ? ["webhook.disabled"] : kindsOf(family));

/** How an endpoint is doing. */
export function stateOf({ enabled, disabled_reason, failing_since, resting_until }: Webhook, now: number) {
  if (!enabled) return disabled_reason === "manual" || disabled_reason === null ? "paused" : "disabled";
  if (resting_until && Date.parse(resting_until) > now) return "resting";
  return failing_since ? "failing" : "working";
}
export const stateTone: Record<ReturnType<typeof stateOf>, Tone> = {
  paused: "plain",
  disabled: "bad",
  resting: "warn",
  failing: "bad",
  working: "good",
};
export const entryTone: Record<LogEntry["status"], Tone> = { pending: "plain", delivered: "good", failed: "bad" };
