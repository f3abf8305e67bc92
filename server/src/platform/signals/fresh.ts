/**
 * How long a process keeps what another process may change. The signal of the change ends the entry within 50 ms. Where signals are lost, each
 * process obeys the change within a second all the same. An entry counts from the moment at which its read began.
 */
export const FRESH_MS = 900;
