import { Counter, Gauge, type Registry } from "prom-client";
import type { Ground } from "../../platform/ground.ts";
import { type StreamsOfKind, streamsByKind } from "./cursor-store.ts";

/** The metrics of what is streamed out. */
export const destinationMetrics = (registry: Registry) => ({
  exportedRows: new Counter({
    name: "tidings_export_rows_total",
    help: "Rows that export destinations took, by table and kind of destination",
    labelNames: ["table", "kind"] as const,
    registers: [registry],
  }),
  exportFailures: new Counter({
    name: "tidings_export_failures_total",
    help: "Batches that an export destination did not take, by kind; each is tried again",
    labelNames: ["kind"] as const,
    registers: [registry],
  }),
});

type DestinationMetrics = ReturnType<typeof destinationMetrics>;

declare module "../../platform/metrics.ts" {
  interface Metrics extends DestinationMetrics {}
}

/** Scrapes within this time get the same numbers. */
const FRESH_MS = 5_000;

const GAUGES = [
  [
    "lag_seconds",
    "The age of the newest row that is not exported for sure, of the stream that is furthest behind, by kind",
    "lag",
  ],
  ["streams", "Tables that are streamed to enabled destinations, by kind", "streams"],
  ["streams_failing", "Streams whose last batch was not taken, by kind", "failing"],
  ["streams_with_gap", "Streams of which retention may have removed rows before they were exported, by kind", "gaps"],
] as const;

/** Shows at `GET /metrics` how far the streams are. */
export function showStreams({ workDb, clock, log, metrics: { registry } }: Ground): void {
  let latest: Promise<StreamsOfKind[]> = Promise.resolve([]);
  let at = Number.NEGATIVE_INFINITY;

  function read(): Promise<StreamsOfKind[]> {
    if (performance.now() - at < FRESH_MS) return latest;
    at = performance.now();
    latest = streamsByKind(workDb, clock.now()).catch((error) => {
      log.debug({ err: String(error) }, "the streams to export destinations could not be counted");
      return [];
    });
    return latest;
  }

  for (const [name, help, pick] of GAUGES) {
    registry.removeSingleMetric(`tidings_export_${name}`);
    new Gauge({
      name: `tidings_export_${name}`,
      help,
      labelNames: ["kind"] as const,
      registers: [registry],
      async collect() {
        const rows = await read();
        for (const kind of ["s3", "clickhouse"] as const)
          this.set({ kind }, rows.find((row) => row.kind === kind)?.[pick] ?? 0);
      },
    });
  }
}
