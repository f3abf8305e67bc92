import { Counter, Gauge, type Registry } from "prom-client";

/** Counters of hand-offs to providers. */
export const sendingMetrics = (registry: Registry) => ({
  sends: new Counter({
    name: "tidings_sends_total",
    help: "Hand-offs to a provider, by channel, provider kind and outcome (sent, retry, unknown, refused, unregistered)",
    labelNames: ["channel", "provider", "outcome"] as const,
    registers: [registry],
  }),
  rests: new Counter({
    name: "tidings_provider_rests_total",
    help: "Times that this process let a provider rest, by channel, provider kind and cause (provider, credentials)",
    labelNames: ["channel", "provider", "cause"] as const,
    registers: [registry],
  }),
  postponed: new Counter({
    name: "tidings_deliveries_postponed_total",
    help: "Deliveries put back without an attempt, by channel and why (resting: all providers rest; rate: too far behind a provider's rate)",
    labelNames: ["channel", "why"] as const,
    registers: [registry],
  }),
});

type SendingMetrics = ReturnType<typeof sendingMetrics>;

declare module "../../platform/metrics.ts" {
  interface Metrics extends SendingMetrics {}
}

/** A provider that is not well, as a process sees it. */
interface ProviderState {
  channel: string;
  provider: string;
  state: "resting" | "slow";
}

/** Shows the providers that are not well. Each scrape reads their state, so that the numbers can't drift from what they count. */
export function showProviders(registry: Registry, list: () => ProviderState[]): void {
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
