/** A stop must end within 10 s of the signal, even if something hangs. */
const LAST_MS = 9_500;
/** Reserved for the exit itself. */
const RESERVE_MS = 300;
/** On Ctrl-C the process gets a signal from the terminal and another one from npm: two within this time count as one. */
const SAME_PRESS_MS = 700;

export interface Shutdown {
  /** Aborted by the first signal, so that a start under way gives up. */
  signal: AbortSignal;
  /** Makes a stop wait until this start has succeeded or failed: only then is everything that it began added. */
  waitFor(start: Promise<unknown>): void;
  /** Adds a part that a stop must end. `end` gets the time that is left; the last added part ends first. A forced exit calls `kill`, which must not wait. */
  add(end: (leftMs: number) => unknown, kill?: () => void): void;
  /** Ends everything and then the process. Calling it again changes nothing. */
  stop(code: number): Promise<void>;
}

/**
 * Stops the process in order on SIGINT, SIGTERM and SIGHUP (a closed terminal), and by force on a second Ctrl-C.
 * `report` gets the messages about it.
 */
export function onSignals(report: (message: string) => void): Shutdown {
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
      report("the stop took too long: ending by force");
      force(exitCode || 1);
    }, LAST_MS).unref();
    await started.catch(() => {});
    for (let one = added.pop(); one; one = added.pop()) {
      // It stays in the list while it ends, so that force() can kill it.
      added.push({ end: () => {}, kill: one.kill });
      try {
        await one.end(LAST_MS - RESERVE_MS - (performance.now() - begun));
      } catch (error) {
        report(`while stopping: ${(error as Error).message}`);
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
        report("stopping");
        void stop(0);
      } else if (name === "SIGINT" && now - asked > SAME_PRESS_MS) {
        report("ending by force");
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
