// Computes how fast a broadcast is sent and when it ends, from its recent progress.

/** Two moments, with the number of people done by then. When `mark` is 10 s old, it becomes `from`. */
export interface Pace {
  from: { at: number; done: number };
  mark: { at: number; done: number };
}

/** A shorter time tells nothing about the pace: one batch of 500 in 0.05 s is not 10,000 people a second. */
const LEAST_MS = 2_000;
const WINDOW_MS = 10_000;

/**
 * Returns the pace after a step.
 * @param before null at the first step, and after a pause. The people of that step are not counted: its time is unknown
 */
export function paced(before: Pace | null, now: Date, done: number): Pace {
  const mark = { at: now.getTime(), done };
  if (before === null) return { from: mark, mark };
  return mark.at - before.mark.at < WINDOW_MS ? before : { from: before.mark, mark };
}

/** What the outlook is computed from. */
export interface BroadcastProgress {
  status: string;
  /** Null until the audience is collected. */
  total: number | null;
  done: number;
  pace: Pace | null;
  /** The local time of some people is still to come, so the pace of the others tells nothing about the end. */
  waiting: boolean;
}

/** Returns the recent number of people per second, and how many seconds the rest takes at that pace; null if unknown. */
export function outlook({ status, total, done, pace, waiting }: BroadcastProgress, now: Date) {
  if (status === "sent") return { people_per_second: null, seconds_left: 0 };
  const unknown = { people_per_second: null, seconds_left: null };
  if (status !== "sending" || pace === null) return unknown;
  // Measured until now, so that the pace of a broadcast that stands still falls to 0.
  const ms = now.getTime() - pace.from.at;
  if (ms < LEAST_MS) return unknown;
  const perSecond = Math.max(0, (done - pace.from.done) / (ms / 1_000));
  const known = total !== null && !waiting && perSecond > 0;
  return {
    people_per_second: Math.round(perSecond * 10) / 10,
    seconds_left: known ? Math.ceil((total - done) / perSecond) : null,
  };
}
