import { sharedNow } from "../threads/other-thread.ts";

/** How long after a request background work leaves room for the next one. */
const LATELY_MS = 1_000;

/** Knows whether somebody waits for answers of this process, so that background work can leave them room. */
export interface Callers {
  /** Notes that a request has arrived. */
  arrived(): void;
  /** Whether a request arrived in the last second. */
  areHere(): boolean;
}

/** Where the time of the last request is noted. The threads of a process share it. */
export const lastCall = (): Float64Array<SharedArrayBuffer> =>
  new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(Number.NEGATIVE_INFINITY);

/** @param time a clock in milliseconds that never jumps and that the threads share */
export function callersOf(last: Float64Array = lastCall(), time: () => number = sharedNow): Callers {
  return {
    arrived() {
      last[0] = time();
    },
    areHere: () => time() - (last[0] as number) < LATELY_MS,
  };
}
