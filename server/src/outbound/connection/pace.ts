/** A provider's rate as one process keeps it: evenly, with bursts of what comes in this time. */
const BURST_MS = 100;

/** When the next hand-off would be exactly on the rate, by performance.now(). */
export type Pace = number;

/**
 * Takes the next turn (the generic cell rate algorithm, a token bucket that needs one number). In any time of `t` ms begin
 * at most `rate * (t + 100 ms) + 1` hand-offs.
 * @param rate hand-offs a second
 */
export function nextTurn(pace: Pace, rate: number, now: number): { wait: number; pace: Pace } {
  const due = Math.max(pace, now);
  return { wait: Math.max(0, due - now - BURST_MS), pace: due + 1_000 / rate };
}
