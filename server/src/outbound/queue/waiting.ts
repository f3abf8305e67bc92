import { setTimeout as sleep } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
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

  showGauges(ground.metrics.registry, async () => {
    if (performance.now() - at < FRESH_MS) return known;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    await Promise.race([asking, sleep(LATE_MS, undefined, { ref: false })]);
    return known;
  });
}

const PUSHED = ["email", "push", "sms"];

/** A channel with nothing is 0, so that an alert can tell it from a process that says nothing. */
function showGauges(registry: Registry, ask: () => Promise<Waiting[]>): void {
  for (const [name, help, pick] of [
    ["waiting", "Deliveries that are due and have not gone out, by channel; counted up to 10,000 of a kind", "count"],
    ["oldest_due_seconds", "For how long the oldest of them is due, by channel", "seconds"],
  ] as const) {
    registry.removeSingleMetric(`tidings_deliveries_${name}`);
    new Gauge({
      name: `tidings_deliveries_${name}`,
      help,
      labelNames: ["channel"] as const,
      registers: [registry],
      async collect() {
        const rows = await ask();
        for (const channel of PUSHED)
          this.set({ channel }, Math.max(0, rows.find((row) => row.channel === channel)?.[pick] ?? 0));
      },
    });
  }
}
