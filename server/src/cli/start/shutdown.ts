/** A stop must end within 10 s of the signal, whatever hangs. */
const LAST_MS = 9_500;
/** Kept back for the exit itself. */
const RESERVE_MS = 300;
/** npm hands Ctrl-C on to a process that the terminal has told already: two within this time are one. */
const SAME_PRESS_MS = 700;

export interface Shutdown {
  /** Aborted by the first signal, so that a start under way gives up. */
  signal: AbortSignal;
  /** Lets a stop wait until this start has ended, one way or the other: only then is everything that it began added. */
  waitFor(start: Promise<unknown>): void;
  /** Adds what must be ended, and is told how long that may take; the last added is ended first. `kill` is for a forced exit, at once and without waiting. */
  add(end: (leftMs: number) => unknown, kill?: () => void): void;
  /** Ends everything and then the process. Calling it again changes nothing. */
  stop(code: number): Promise<void>;
}

/**
 * Ends the process well on SIGINT, SIGTERM and SIGHUP (a closed terminal), and by force on a second Ctrl-C.
 * `say` gets the few sentences about it.
 */
export function onSignals(say: (sentence: string) => void): Shutdown {
  const controller = new AbortController();
  const added: { end: (leftMs: number) => unknown; kill?: (() => void) | undefined }[] = [];
  let started: Promise<unknown> = Promise.resolve();
  let asked = 0;
  let ending: Promise<void> | undefined;

  function force(code: number): never {
    for (const { kill } of added.toReversed()) kill?.();
    process.exit(code);
  }

  async function end(code: number): Promise<void> {
    const begun = performance.now();
    controller.abort();
    let exitCode = code;
    setTimeout(() => {
      say("the stop took too long: ending by force");
      force(exitCode);
    }, LAST_MS).unref();
    await started.catch(() => {});
    for (let one = added.pop(); one; one = added.pop()) {
      // Still listed while it ends, so that force() can reach it.
      added.push({ end: () => {}, kill: one.kill });
      try {
        await one.end(LAST_MS - RESERVE_MS - (performance.now() - begun));
      } catch (error) {
        say(`while stopping: ${(error as Error).message}`);
        exitCode = exitCode || 1;
      }
      added.pop();
    }
    process.exit(exitCode);
  }
  const stop = (code: number) => (ending ??= end(code));

  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      const now = performance.now();
      if (asked === 0) {
        asked = now;
        say("stopping");
        void stop(0);
      } else if (name === "SIGINT" && now - asked > SAME_PRESS_MS) {
        say("ending by force");
        force(130);
      }
    });
  }
  return {
    signal: controller.signal,
    waitFor(start) {
      started = start;
    },
    add(one, kill) {
      added.push({ end: one, kill });
    },
    stop,
  };
}
