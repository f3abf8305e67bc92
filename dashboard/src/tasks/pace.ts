/** How much was done at a moment. */
export interface Mark {
  /** In ms. */
  at: number;
  done: number;
}

/** The pace of the last half minute says how long the rest takes; before that it may have been slower or faster. */
const WINDOW_MS = 30_000;
/** In a shorter time nothing can be said. */
const LEAST_MS = 2_000;

/** Adds a mark, and drops those that are too old to say anything. */
export function marked(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  const last = marks.at(-1);
  // Work that begins anew, and a clock that was set back.
  if (last && (mark.done < last.done || mark.at < last.at)) return [mark];
  const from = marks.findLastIndex(({ at }) => mark.at - at >= WINDOW_MS);
  return [...marks.slice(Math.max(from, 0)), mark];
}

/**
 * Returns how many seconds the rest takes at the pace of the marks; undefined where nothing can be said: too early, or nothing moved. It is
 * measured until now, so task that stands still takes longer and longer.
 */
export function secondsLeft(marks: readonly Mark[], total: number, now: number): number | undefined {
  const [first] = marks;
  const last = marks.at(-1);
  if (!first || !last) return undefined;
  if (last.done >= total) return 0;
  const ms = now - first.at;
  const moved = last.done - first.done;
  if (ms < LEAST_MS || moved <= 0) return undefined;
  return Math.ceil(((total - last.done) * ms) / moved / 1_000);
}
