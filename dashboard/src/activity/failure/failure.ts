import type { Delivery, DeliveryDetail } from "../delivery.ts";
import type { failureTexts } from "./texts.ts";

/** Where the member goes to mend it. */
type Remedy = "person" | "suppressions" | "channels";

/** What became of a delivery that did not arrive, in words: the keys of the texts that say what it means and what to do. */
export interface Failure {
  means: Extract<keyof typeof failureTexts, `means_${string}`>;
  todo: Extract<keyof typeof failureTexts, `todo_${string}`>;
  place?: Remedy;
  /** What the provider or the service said, where it says more than the meaning. */
  words?: string;
}

/** Reasons that are one word of the service's own. */
const NAMED: Record<string, Failure> = {
  unsubscribed: { means: "means_unsubscribed", todo: "todo_unsubscribed", place: "person" },
  channel_unsubscribed: { means: "means_channel_unsubscribed", todo: "todo_unsubscribed", place: "person" },
  topic_unsubscribed: { means: "means_topic_unsubscribed", todo: "todo_unsubscribed", place: "person" },
  manual: { means: "means_manual", todo: "todo_suppressed", place: "suppressions" },
  hard_bounce: { means: "means_hard_bounce", todo: "todo_other_address", place: "suppressions" },
  complaint: { means: "means_complaint", todo: "todo_complaint", place: "suppressions" },
  stop: { means: "means_stop", todo: "todo_stop", place: "suppressions" },
  no_address: { means: "means_no_address", todo: "todo_no_address", place: "person" },
  erased: { means: "means_erased", todo: "todo_nothing" },
  merged: { means: "means_merged", todo: "todo_nothing", place: "person" },
  workspace_suspended: { means: "means_workspace_suspended", todo: "todo_workspace_suspended" },
  retention: { means: "means_retention", todo: "todo_nothing" },
};

/** Beginnings of the service's sentences. */
const BEGINNINGS: readonly (readonly [begins: string, failure: Failure])[] = [
  ["undetermined", { means: "means_undetermined", todo: "todo_undetermined" }],
  ["expired", { means: "means_expired", todo: "todo_expired" }],
  ["no provider took it", { means: "means_gave_up", todo: "todo_gave_up", place: "channels" }],
  ["no provider reaches", { means: "means_no_reach", todo: "todo_no_reach", place: "channels" }],
  ["no provider", { means: "means_no_provider", todo: "todo_no_provider", place: "channels" }],
  ["no device left", { means: "means_dead_devices", todo: "todo_dead_devices", place: "person" }],
  ["an error on our side", { means: "means_own_error", todo: "todo_own_error" }],
];

/** What mail servers and providers say, from the most special. RFC 3463 has the numbers. */
const SAID: readonly (readonly [said: RegExp, failure: Failure])[] = [
  [/\b[45]\.2\.2\b|over ?quota|quota exceeded|mailbox (?:is )?full/i, { means: "means_full", todo: "todo_full" }],
  [
    /\b5\.1\.[0-6]\b|(?:user|recipient|number|mailbox|address)\b.{0,20}\b(?:unknown|not found|does not exist|invalid|unavailable)|(?:unknown|no such|invalid) (?:user|recipient|number|mailbox|address)/i,
    { means: "means_unknown_address", todo: "todo_other_address", place: "person" },
  ],
  [
    /\b(?:sender|from)\b.{0,40}\b(?:not|un)[ -]?(?:verified|authori[sz]ed|allowed|confirmed)|domain.{0,30}not verified|does not match a verified/i,
    { means: "means_sender", todo: "todo_sender", place: "channels" },
  ],
  [
    /\b40[123]\b|\b535\b|unauthori[sz]ed|forbidden|authentication (?:failed|required|credentials)|api key|credential/i,
    { means: "means_credentials", todo: "todo_credentials", place: "channels" },
  ],
  [
    /\b[45]\.7\.\d|spam|block(?:ed|list)|blacklist|denylist|reputation|\bpolicy\b|\b(?:spf|dkim|dmarc)\b/i,
    { means: "means_policy", todo: "todo_policy", place: "channels" },
  ],
  [
    /\b5\.3\.4\b|\b552\b|too (?:large|big|long)|exceeds.{0,20}size/i,
    { means: "means_too_large", todo: "todo_too_large" },
  ],
  [/liquid|undefined (?:filter|tag|variable)|line:\d+/i, { means: "means_content", todo: "todo_content" }],
];

const FAILED = ["failed", "bounced", "complained", "suppressed", "canceled", "expired"];

/** Returns what a delivery that did not arrive means, or undefined if nothing went wrong with it. */
export function failureOf(
  delivery: Pick<Delivery, "status" | "reason"> & { channel?: Delivery["channel"]; events?: DeliveryDetail["events"] },
): Failure | undefined {
  const { status, reason, channel, events = [] } = delivery;
  if (!FAILED.includes(status)) return undefined;
  if (status === "complained") return { means: "means_complained", todo: "todo_complaint", place: "suppressions" };
  const said = reason ?? wordsOf(events);
  const named = said === undefined ? undefined : NAMED[said];
  if (named) return named;
  const known = said !== undefined && BEGINNINGS.find(([begins]) => said.startsWith(begins))?.[1];
  if (known) return { ...known, words: said };
  if (status === "canceled") return { means: "means_canceled", todo: "todo_canceled", ...(said && { words: said }) };
  if (status === "expired")
    return { means: channel === "in_app" ? "means_expired_in_app" : "means_expired", todo: "todo_expired" };
  const matched = said !== undefined && SAID.find(([pattern]) => pattern.test(said))?.[1];
  const other: Failure =
    status === "bounced"
      ? { means: "means_bounced", todo: "todo_bounced", place: "person" }
      : { means: "means_refused", todo: "todo_refused", place: "channels" };
  return { ...(matched || other), ...(said && { words: said }) };
}

/** What the last event says went wrong: feedback of a provider may come without becoming the delivery's reason. */
function wordsOf(events: DeliveryDetail["events"]): string | undefined {
  const said = events.findLast(({ data }) => typeof data.reason === "string" && data.reason !== "")?.data.reason;
  return typeof said === "string" ? said : undefined;
}
