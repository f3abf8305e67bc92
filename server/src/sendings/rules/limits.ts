import type { Channel } from "@tidings/contract/facts/activity";
import type { TimeWindow } from "@tidings/contract/hours";
import type { MarketingLimits } from "@tidings/contract/workspaces";
import type { Sending } from "../sending.ts";

// Decides whether the workspace's limits hold a message back, and until when (docs/decisions/0031).

const DAY_MS = 86_400_000;

/** At most so many messages in any span of time. */
export interface Limit {
  /** The channel whose messages count; null: those of all channels. */
  channel: Channel | null;
  most: number;
  ms: number;
}

/** A message that a person got. */
export interface Received {
  channel: Channel;
  at: Date;
}

/** Why a message is held back, and when its sender asks again. */
export interface Held {
  by: "limit" | "window";
  until: Date;
}

type HeldReason = `held_by_${Held["by"]}`;

/** Returns the reason of a message that is left out. */
export const heldReason = ({ by }: Held): HeldReason => `held_by_${by}`;

/** Whether a message was left out because of the limits. */
export const isHeldReason = (reason: string | undefined): reason is HeldReason =>
  reason === "held_by_limit" || reason === "held_by_window";

/**
 * Whether a message that is held back is sent later; otherwise it is left out. A broadcast waits for the window only: for a limit it could
 * wait for days while others use the room that becomes free.
 */
export const isMoved = ({ whenHeld, source }: Pick<Sending, "whenHeld" | "source">, { by }: Held): boolean =>
  whenHeld === "wait" && (by === "window" || source === "campaign");

/** Returns the limits of a channel: those over all channels and its own. */
export function limitsFor(settings: MarketingLimits, channel: Channel): Limit[] {
  const own = settings.channels?.[channel];
  return [
    ...spans(null, settings),
    ...spans(channel, {
      ...(own?.per_day && { per_day: own.per_day }),
      ...(own?.per_week && { per_week: own.per_week }),
    }),
  ];
}

const spans = (
  channel: Channel | null,
  { per_day, per_week }: Pick<MarketingLimits, "per_day" | "per_week">,
): Limit[] => [
  ...(per_day === undefined ? [] : [{ channel, most: per_day, ms: DAY_MS }]),
  ...(per_week === undefined ? [] : [{ channel, most: per_week, ms: 7 * DAY_MS }]),
];

/**
 * Returns the window of a channel: its own, otherwise the workspace's. The workspace's window does not concern in-app messages: a person
 * sees them on opening the application, and they have quiet hours.
 */
export function windowFor({ window, channels }: MarketingLimits, channel: Channel): TimeWindow | undefined {
  const own = channels?.[channel]?.window;
  if (own !== undefined) return own ?? undefined;
  return channel === "in_app" ? undefined : window;
}

/**
 * Returns when a person may get one more message; `now` where at once. A day is any 24 hours: a calendar day would let through twice as
 * many around its midnight.
 */
export function freeAt(limits: Limit[], received: Received[], now: Date): Date {
  let free = now.getTime();
  for (const { channel, most, ms } of limits) {
    const times = received.filter((one) => channel === null || one.channel === channel).map(({ at }) => at.getTime());
    // The message that must be older than the span to make room: with 3 a day, the third from the end.
    const oldest = times.sort((a, b) => a - b).at(-most);
    if (oldest !== undefined) free = Math.max(free, oldest + ms);
  }
  return new Date(free);
}

/** What decides for one person. */
export interface HoldInput {
  limits: Limit[];
  /** The messages that the person got within the longest span of the limits. */
  received: Received[];
  now: Date;
  /** Returns when the person's window is open: at this time, or later. */
  opens(at: Date): Date;
}

/**
 * Returns why a message is held back; undefined where it may be sent. A closed window comes first: whether the limits leave room is asked
 * when it opens.
 */
export function holdOf({ limits, received, now, opens }: HoldInput): Held | undefined {
  const open = opens(now);
  if (open > now) return { by: "window", until: open };
  const free = freeAt(limits, received, now);
  return free > now ? { by: "limit", until: opens(free) } : undefined;
}
