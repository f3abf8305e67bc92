/** The result of counting in a window. */
export interface WindowResult {
  /** Whether the count fitted into the window and was taken. */
  taken: boolean;
  /** How many more fit into the window. */
  left: number;
  /** Seconds until the window ends. */
  resetsInS: number;
}

export type Windows = ReturnType<typeof windows>;

/**
 * Counts by name in windows of one length; a name's window begins with its first count. A count that does not fit is not counted at
 * all. Beyond `most` names, the name whose window began first is forgotten, so that a flood of names can't take more memory. An LRU
 * cache would forget another name: a window that ends soon would stay because it is used.
 */
export function windows(
  lengthMs: number,
  most: number,
): {
  take(name: string, n: number, max: number): WindowResult;
  /** Takes one back that was counted in vain, if its window is still open. */
  giveBack(name: string): void;
} {
  const open = new Map<string, { ends: number; count: number }>();

  /** In the order in which they end: a window that begins anew is moved to the end. */
  function begin(name: string, now: number): { ends: number; count: number } {
    open.delete(name);
    for (const [first, { ends }] of open) {
      if (ends > now && open.size < most) break;
      open.delete(first);
    }
    const window = { ends: now + lengthMs, count: 0 };
    open.set(name, window);
    return window;
  }

  return {
    take(name, n, max) {
      // Whole milliseconds: of fractions, the sum with the length minus the length may be a little more, and an hour be 3,601 s.
      const now = Math.trunc(performance.now());
      let window = open.get(name);
      if (!window || window.ends <= now) window = begin(name, now);
      const taken = window.count + n <= max;
      if (taken) window.count += n;
      return { taken, left: Math.max(0, max - window.count), resetsInS: Math.ceil((window.ends - now) / 1_000) };
    },
    giveBack(name) {
      const window = open.get(name);
      if (window && window.ends > performance.now() && window.count > 0) window.count--;
    },
  };
}
