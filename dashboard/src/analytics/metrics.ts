import type { Channel, Metrics } from "@tidings/contract/facts/activity";

export type Metric = keyof Metrics;
export const metricNames = [
  "sent",
  "delivered",
  "shown",
  "opened",
  "clicked",
  "dismissed",
  "bounced",
  "unsubscribed",
  "failed",
] as const satisfies Metric[];

/** The numbers that a channel has. For in-app, delivered means shown, so only the one word is used. */
const own: Record<Channel | "all", readonly Metric[]> = {
  all: ["sent", "delivered", "opened", "clicked", "failed"],
  email: ["sent", "delivered", "opened", "clicked", "bounced", "unsubscribed", "failed"],
  push: ["sent", "delivered", "opened", "clicked", "failed"],
  sms: ["sent", "delivered", "clicked", "failed"],
  in_app: ["sent", "shown", "clicked", "dismissed", "failed"],
};

/** What is the same as another number, or only of in-app messages. */
const left: Record<Channel | "all", readonly Metric[]> = {
  all: ["shown", "dismissed"],
  in_app: ["delivered"],
  email: [],
  push: [],
  sms: [],
};

/** Returns the numbers to show: those of the channel, and any other that is not zero. */
export function metricsOf(channel: Channel | undefined, ...totals: (Metrics | undefined)[]): Metric[] {
  const of = channel ?? "all";
  const happened = (name: Metric) => totals.some((numbers) => numbers && numbers[name] > 0);
  return metricNames.filter((name) => own[of].includes(name) || (happened(name) && !left[of].includes(name)));
}

/** More of these is worse. */
const BAD: readonly Metric[] = ["bounced", "unsubscribed", "failed"];
/** More of this is neither. */
const NEUTRAL: readonly Metric[] = ["dismissed"];

export interface Change {
  /** The change as a part of what was before; undefined where nothing was before. */
  ratio: number | undefined;
  tone: "good" | "bad" | "plain";
}

/** Returns how a number changed; undefined where it did not. */
export function changeOf(name: Metric, now: number, before: number): Change | undefined {
  if (now === before) return undefined;
  const better = BAD.includes(name) ? now < before : now > before;
  const tone = NEUTRAL.includes(name) ? "plain" : better ? "good" : "bad";
  return { ratio: before === 0 ? undefined : (now - before) / before, tone };
}

/**
 * Of what a number is a part. Only emails and pushes say that they were opened, so over all channels this part would mean nothing. With `of`, a part of
 * what was sent where nothing was delivered: mail servers and captures never say that a message arrived.
 */
export function wholeOf(
  name: Metric,
  channel: Channel | undefined,
  of?: Pick<Metrics, "sent" | "delivered">,
): "sent" | "delivered" | "shown" | undefined {
  if (name === "delivered" || name === "shown" || name === "bounced") return "sent";
  if (name === "opened" && channel === undefined) return undefined;
  if (["opened", "clicked", "dismissed", "unsubscribed"].includes(name)) {
    if (channel === "in_app") return "shown";
    return of?.delivered === 0 ? "sent" : "delivered";
  }
  return undefined;
}
