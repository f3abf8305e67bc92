import { Counter, Gauge, type Registry } from "prom-client";

/** What is counted of event streams. */
export const streamMetrics = (registry: Registry) => ({
  streams: new Gauge({
    name: "tidings_streams_open",
    help: "Open in-app event streams of this process",
    registers: [registry],
  }),
  streamsCut: new Counter({
    name: "tidings_streams_cut_total",
    help: "Streams closed because their reader did not keep up",
    registers: [registry],
  }),
});

type StreamMetrics = ReturnType<typeof streamMetrics>;

declare module "../../platform/metrics.ts" {
  interface Metrics extends StreamMetrics {}
}
