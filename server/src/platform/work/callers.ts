/** How long after a request background work leaves room for the next one. */
const LATELY_MS = 1_000;

/** Knows whether somebody waits for answers of this process, so that background work can leave them room. */
export interface Callers {
  /** Notes that a request has arrived. */
  arrived(): void;
  /** Whether a request arrived in the last second. */
  areHere(): boolean;
}

/** @param time a clock in milliseconds that never jumps */
export function callersOf(time: () => number = () => performance.now()): Callers {
  let last = Number.NEGATIVE_INFINITY;
  return {
    arrived() {
      last = time();
    },
    areHere: () => time() - last < LATELY_MS,
  };
}
