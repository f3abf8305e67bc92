// How fast a broadcast goes and when it ends, from what it has really done of late.

/** Two moments and how many were done by then. The newer one becomes the older when it is 10 s old. */
export interface Pace {
  from: { at: number; done: number };
  mark: { at: number; done: number };
}

/** The pace of less time says nothing: one page of 500 in 0.05 s is not 10,000 a second. */
const LEAST_MS = 2_000;
const WINDOW_MS = 10_000;

/**
 * The pace after something was done.
 * @param before null at the first page, and after a pause. What that page did is not counted: its time is not known
 */
export function paced(before: Pace | null, now: Date, done: number): Pace {
  const mark = { at: now.getTime(), done };
  if (before === null) return { from: mark, mark };
  return mark.at - before.mark.at < WINDOW_MS ? before : { from: before.mark, mark };
}

/** What is known of a broadcast's way. */
export interface Way {
  status: string;
  /** Null until the audience is collected. */
  total: number | null;
  done: number;
  pace: Pace | null;
  /** Somebody's local time has yet to come: how fast the others were done says nothing of the end. */
  waiting: boolean;
}

/** People a second of late, and how long the rest takes at that: null where nobody knows. */
export function outlook({ status, total, done, pace, waiting }: Way, now: Date) {
  if (status === "sent") return { people_per_second: null, seconds_left: 0 };
  const unknown = { people_per_second: null, seconds_left: null };
  if (status !== "sending" || pace === null) return unknown;
  // Up to now, so that one that stands still slows down to nothing, and does not keep the pace it once had.
  const ms = now.getTime() - pace.from.at;
  if (ms < LEAST_MS) return unknown;
  const perSecond = Math.max(0, (done - pace.from.done) / (ms / 1_000));
  const known = total !== null && !waiting && perSecond > 0;
  return {
    people_per_second: Math.round(perSecond * 10) / 10,
    seconds_left: known ? Math.ceil((total - done) / perSecond) : null,
  };
}
