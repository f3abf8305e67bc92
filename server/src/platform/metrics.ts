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
    providers: (list: () => ProviderState[]) => providerGauges(registry, list),
    waiting: (ask: () => Promise<Waiting[]>) => waitingGauges(registry, ask),
    webhooks: new Counter({
      name: "tidings_webhook_attempts_total",
      help: "Calls to webhook endpoints, by outcome (delivered, retry, failed)",
      labelNames: ["outcome"] as const,
      registers,
    }),
  };
}

/** A provider that is not well, as a process sees it. */
export interface ProviderState {
  channel: string;
  provider: string;
  state: "resting" | "slow";
}

function providerGauges(registry: Registry, list: () => ProviderState[]): void {
  for (const [state, help] of [
    ["resting", "Providers that this process hands nothing to for now, by channel and provider kind"],
    ["slow", "Providers that this process waits for, for longer than they should take, by channel and provider kind"],
  ] as const) {
    registry.removeSingleMetric(`tidings_provider_${state}`);
    new Gauge({
      name: `tidings_provider_${state}`,
      help,
      labelNames: ["channel", "provider"] as const,
      registers: [registry],
      collect() {
        this.reset();
        for (const one of list()) if (one.state === state) this.inc({ channel: one.channel, provider: one.provider });
      },
    });
  }
}

/** What of a channel is due and has not gone out. */
interface Waiting {
  channel: string;
  count: number;
  seconds: number;
}

const PUSHED = ["email", "push", "sms"];

/** One with nothing is 0, so that an alert can tell it from a process that says nothing. */
function waitingGauges(registry: Registry, ask: () => Promise<Waiting[]>): void {
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

export type Metrics = ReturnType<typeof createMetrics>;
