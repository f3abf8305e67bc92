import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What GET /metrics shows. One registry a process, so that two servers in one test do not share counts. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: "tidings_http_request_seconds",
      help: "Time from a request's head to the begin of its answer, by route and status class",
      labelNames: ["route", "status"] as const,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    streams: new Gauge({ name: "tidings_streams_open", help: "Open in-app event streams of this process", registers }),
    streamsCut: new Counter({
      name: "tidings_streams_cut_total",
      help: "Streams closed because their reader did not keep up",
      registers,
    }),
    unverified: new Counter({
      name: "tidings_unverified_calls_total",
      help: "Calls with a public key and no person token (unsigned), or one that proves nothing (invalid); addresses that no token proved (claimed)",
      labelNames: ["kind"] as const,
      registers,
    }),
    queued: new Counter({
      name: "tidings_deliveries_queued_total",
      help: "Deliveries queued by this process, by channel",
      labelNames: ["channel"] as const,
      registers,
    }),
    sends: new Counter({
      name: "tidings_sends_total",
      help: "Hand-offs to a provider, by channel, provider kind and outcome (sent, retry, unknown, refused, unregistered)",
      labelNames: ["channel", "provider", "outcome"] as const,
      registers,
    }),
    rests: new Counter({
      name: "tidings_provider_rests_total",
      help: "Times that this process let a provider rest, by channel, provider kind and cause (provider, credentials)",
      labelNames: ["channel", "provider", "cause"] as const,
      registers,
    }),
    postponed: new Counter({
      name: "tidings_deliveries_postponed_total",
      help: "Deliveries put back without an attempt, by channel and why (resting: all providers rest; rate: too far behind a provider's rate)",
      labelNames: ["channel", "why"] as const,
      registers,
    }),
    /** Asked for at each scrape, so that it can't drift from what it counts. */
    resting: (list: () => { channel: string; provider: string }[]) => restingGauge(registry, list),
    webhooks: new Counter({
      name: "tidings_webhook_attempts_total",
      help: "Calls to webhook endpoints, by outcome (delivered, retry, failed)",
      labelNames: ["outcome"] as const,
      registers,
    }),
  };
}

function restingGauge(registry: Registry, list: () => { channel: string; provider: string }[]): void {
  registry.removeSingleMetric("tidings_provider_resting");
  new Gauge({
    name: "tidings_provider_resting",
    help: "Providers that this process hands nothing to for now, by channel and provider kind",
    labelNames: ["channel", "provider"] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const labels of list()) this.inc(labels);
    },
  });
}

export type Metrics = ReturnType<typeof createMetrics>;
