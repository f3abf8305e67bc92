import { setTimeout as sleep } from "node:timers/promises";
import type { Ground } from "../../platform/ground.ts";
import { type Waiting, waitingByChannel } from "./waiting-store.ts";

/** Scrapes within this time get the same numbers: several Prometheus servers ask as often as one. */
const FRESH_MS = 5_000;
/** A scrape waits no longer for them: it shows the last ones, and all other metrics. */
const LATE_MS = 1_000;

/** Shows at `GET /metrics` by channel how many deliveries wait and for how long the oldest is due. */
export function showWaiting(ground: Ground): void {
  let known: Waiting[] = [];
  let at = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    try {
      known = await waitingByChannel(ground.workDb);
      at = performance.now();
    } catch (error) {
      ground.log.debug({ err: String(error) }, "what waits could not be counted");
    }
  }

  ground.metrics.waiting(async () => {
    if (performance.now() - at < FRESH_MS) return known;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    await Promise.race([asking, sleep(LATE_MS, undefined, { ref: false })]);
    return known;
  });
}
