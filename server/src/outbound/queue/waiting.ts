import { setTimeout as sleep } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";
import type { Ground } from "../../platform/ground.ts";
import { type Waiting, waitingByChannel } from "./waiting-store.ts";

/** Scrapes within this time get the same numbers, so several Prometheus servers cost as much as one. */
const FRESH_MS = 5_000;
/** How long a scrape waits for new numbers. After that it shows the last ones, with all other metrics. */
const LATE_MS = 1_000;

/** Shows at `GET /metrics` for each channel how many deliveries wait and for how long the oldest has been due. */
export function showWaiting(ground: Ground): void {
  let latest: Waiting[] = [];
  let at = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      latest = await waitingByChannel(ground.workDb);
      at = performance.now();
    } catch (error) {
      ground.log.debug({ err: String(error) }, "the waiting deliveries could not be counted");
    }
  }

  showGauges(ground.metrics.registry, async () => {
    if (performance.now() - at < FRESH_MS) return latest;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    await Promise.race([reading, sleep(LATE_MS, undefined, { ref: false })]);
    return latest;
  });
}

const PUSHED = ["email", "push", "sms"];

/** Shows 0 for a channel without waiting deliveries, so that an alert can tell it from a process that reports nothing. */
function showGauges(registry: Registry, read: () => Promise<Waiting[]>): void {
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
        const rows = await read();
        for (const channel of PUSHED)
          this.set({ channel }, Math.max(0, rows.find((row) => row.channel === channel)?.[pick] ?? 0));
      },
    });
  }
}
