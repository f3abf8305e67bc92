import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { Signals } from "../signals/index.ts";

/** After a round that failed. */
const RETRY_MS = 1_000;

export interface LoopOptions {
  /** What is worked on, for the log: "broadcasts". */
  what: string;
  /** The signals that wake the loop. A handler that returns false does not wake it. */
  wakeOn: Record<string, (items: string[]) => unknown>;
  /** Does what is due now. Returns for how many milliseconds the loop may rest where nothing wakes it; 0 or less where more is due. */
  round(): Promise<number>;
  /** Pause after each round. It bounds the rounds a second, however often the loop is woken. */
  gapMs?: number;
  /** How long a stop waits for the round under way. A database that hangs must not hold the stop: the whole process has 10 s. */
  graceMs?: number;
}

/** Rounds of work that waits in a table. */
export interface Loop {
  /** Starts a round at once, or after the one under way: that one may not have seen what became due. */
  wake(): void;
  readonly stopping: boolean;
  /** Starts no further round, and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Repeats `round`, at once while more is due. Then it rests until a signal wakes it, here or from another process, or until the time that
 * the round gave is over: that is the poll, which finds retries, what dead processes left, and lost signals. The first round starts
 * after the caller's turn, so that it may use the loop.
 */
export function startLoop({ log, signals }: { log: Log; signals: Signals }, options: LoopOptions): Loop {
  const { what, wakeOn, round, gapMs = 0, graceMs = 2_000 } = options;
  const ending = new AbortController();
  const { signal } = ending;
  let woken = false;
  let endRest = () => {};

  function wake(): void {
    woken = true;
    endRest();
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function rounds(): Promise<void> {
    while (!signal.aborted) {
      woken = false;
      let restMs = RETRY_MS;
      try {
        restMs = await round();
      } catch (error) {
        // What became due meanwhile waits for the retry as well: a database that is away is not asked again at each signal.
        woken = false;
        log.debug({ err: String(error) }, `${what} could not be worked on`);
      }
      if (gapMs > 0) await sleep(gapMs, undefined, { signal }).catch(() => {});
      if (!woken && restMs > 0 && !signal.aborted) await rest(restMs);
    }
  }

  const ends = Object.entries(wakeOn).map(([topic, heard]) =>
    signals.subscribe(topic, (items) => {
      if (heard(items) !== false) wake();
    }),
  );
  const running = Promise.resolve().then(rounds);

  return {
    wake,
    get stopping() {
      return signal.aborted;
    },
    async stop() {
      ending.abort();
      for (const end of ends) end();
      endRest();
      await Promise.race([running, sleep(graceMs, undefined, { ref: false })]);
    },
  };
}
