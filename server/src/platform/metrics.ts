import { collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { OtherThread } from "./threads/other-thread.ts";
import { scraper } from "./threads/scrape.ts";

/** The metrics of GET /metrics. Each slice adds its own fields to the type, and the roof creates them all (`createMetrics` in house.ts). */
export interface Metrics extends GroundMetrics {}

/** The metrics of the ground itself. */
export interface GroundMetrics {
  registry: Registry;
  /** Makes the text of GET /metrics. */
  scrape: () => Promise<string>;
  requests: Histogram<"route" | "status">;
}

/**
 * How often the delay of the event loop is sampled. With the library's 10 ms an idle process woke 100 times a second: half of its CPU (0.4 % of a
 * core). The metric includes it: an idle process shows 0.1 s.
 */
const LAG_EVERY_MS = 100;

/**
 * Creates a registry of its own for each server, so that two servers in one test do not share counts.
 * @param other the thread whose metrics the text has, too
 * @param ofProcess whether it has the numbers of the process, such as its memory: of two threads one shows them
 */
export function groundMetrics(other?: OtherThread, ofProcess = true): GroundMetrics {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_EVERY_MS });
  const requests = new Histogram({
    name: "tidings_http_request_seconds",
    help: "Time from a request's head to the start of its answer, by route and status class",
    labelNames: ["route", "status"] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  return { registry, requests, scrape: scraper(registry, other) };
}
