import { Counter, type Registry } from "prom-client";

/** Creates the metrics for calls that do not prove their person. */
export const identityMetrics = (registry: Registry) => ({
  unverified: new Counter({
    name: "tidings_unverified_calls_total",
    help: "Calls with a public key and no person token (unsigned), or one that proves nothing (invalid); addresses that no token proved (claimed)",
    labelNames: ["kind"] as const,
    registers: [registry],
  }),
});

type IdentityMetrics = ReturnType<typeof identityMetrics>;

declare module "../../platform/metrics.ts" {
  interface Metrics extends IdentityMetrics {}
}
