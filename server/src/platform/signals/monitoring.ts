import { Gauge, type Registry } from "prom-client";
import type { Signals } from "./signals.ts";

/** Shows operators whether signals arrive: while they don't, what other processes do is noticed by polls only. */
export function showSignals(registry: Registry, signals: Pick<Signals, "healthy">): void {
  new Gauge({
    name: "tidings_signals_connected",
    help: "1 while signals of other processes arrive in this process; 0 while messages are shown with delay",
    registers: [registry],
    aggregator: "min",
    collect() {
      this.set(signals.healthy() ? 1 : 0);
    },
  });
}
