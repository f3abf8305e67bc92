import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { Signals } from "../signals/index.ts";
import type { DueQuestion, DueWork } from "./due.ts";

/** The pause after a round that failed. */
const RETRY_MS = 1_000;

export interface LoopOptions {
  /** The name of the work, for the log: "broadcasts". */
  what: string;
  /** The signals that wake the loop. A handler that returns false does not wake it. */
  wakeOn: Record<string, (items: string[]) => unknown>;
  /** An expression that is true if work is due at this time. It is asked each second, together with those of the other loops; see due.ts. */
  isDue?: DueQuestion["isDue"];
  /** Does the work that is due now. Returns how many milliseconds the loop may rest if no signal wakes it; 0 or less if more work is due. */
  round(): Promise<number>;
  /** The pause after each round. It limits the rounds a second, however often the loop is woken. */
  gapMs?: number;
  /** How long a stop waits for the round under way. A database that hangs must not hold the stop: the whole process has 10 s. */
  graceMs?: number;
}

interface LoopGround {
  log: Log;
  signals: Signals;
  dueWork: DueWork;
}

/** A loop over work that waits in a table. */
export interface Loop {
  /** Starts a round at once, or directly after the one under way, which may not have seen the new work. */
  wake(): void;
  readonly stopping: boolean;
  /** Starts no further round, and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Repeats `round` at once while more work is due. Then the loop rests until a signal of any process wakes it, or until the time that the
 * round returned is over. This poll finds retries, rows of dead processes, and work whose signal was lost. The first round starts after
 * the caller's turn of the event loop, so that the round may use the loop.
 */
export function startLoop({ log, signals, dueWork }: LoopGround, options: LoopOptions): Loop {
  const { what, wakeOn, isDue, round, gapMs = 0, graceMs = 2_000 } = options;
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
        // Work that became due meanwhile waits for the retry too: an unreachable database is not asked at each signal.
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
  if (isDue) ends.push(dueWork.ask({ isDue, wake }));
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
