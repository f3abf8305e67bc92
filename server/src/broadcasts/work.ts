import type { OutboundGround } from "../outbound/index.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { step } from "./fanout.ts";
import { DUE } from "./moves.ts";

/** For what is due by time, what other processes left, and lost signals. */
const POLL_MS = 1_000;

/** The fan-out of one process. */
export interface BroadcastWork {
  stop(): Promise<void>;
}

/** Takes steps of broadcasts in this process while any is due, those of several in turn: see fanout.ts. */
export function startBroadcasts(ground: OutboundGround): BroadcastWork {
  let running: Promise<void> | undefined;
  let again = false;
  let stopping = false;

  function wake(): void {
    again = true;
    if (stopping) return;
    running ??= (async () => {
      while (again && !stopping) {
        again = false;
        try {
          while (!stopping && (await step(ground)));
        } catch (error) {
          ground.log.debug({ err: String(error) }, "broadcasts could not be worked on");
        }
      }
    })().finally(() => {
      running = undefined;
      if (again && !stopping) wake();
    });
  }

  const unsubscribe = ground.signals.subscribe(DUE, wake);
  const poll = setInterval(wake, POLL_MS);
  wake();
  return {
    async stop() {
      stopping = true;
      unsubscribe();
      clearInterval(poll);
      // A database that hangs must not hold the stop: a step that is cut off is rolled back.
      await Promise.race([running, sleep(4_000, undefined, { ref: false })]);
    },
  };
}
