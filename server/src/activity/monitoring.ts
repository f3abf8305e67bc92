import { Counter, type Registry } from "prom-client";

/** The metrics of deliveries of every channel. */
export const deliveryMetrics = (registry: Registry) => ({
  queued: new Counter({
    name: "tidings_deliveries_queued_total",
    help: "Deliveries queued by this process, by channel",
    labelNames: ["channel"] as const,
    registers: [registry],
  }),
});

type DeliveryMetrics = ReturnType<typeof deliveryMetrics>;

declare module "../platform/metrics.ts" {
  interface Metrics extends DeliveryMetrics {}
}
