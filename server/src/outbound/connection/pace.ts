/** One process keeps a provider's rate evenly, with bursts of the hand-offs of this time. */
const BURST_MS = 100;

/** When the next hand-off would be exactly on the rate, by performance.now(). */
export type Pace = number;

/**
 * Takes the next turn (the generic cell rate algorithm, a token bucket that needs one number). At most
 * `rate * (t + 100 ms) + 1` hand-offs begin within `t` ms.
 * @param rate hand-offs a second
 * @returns how many milliseconds to wait for this turn, and the pace afterwards
 */
export function nextTurn(pace: Pace, rate: number, now: number): { wait: number; pace: Pace } {
  const due = Math.max(pace, now);
  return { wait: Math.max(0, due - now - BURST_MS), pace: due + 1_000 / rate };
}
