import { Counter } from "prom-client";
import type { Ground } from "../platform/ground.ts";

/** Counts what a foreign client sent and we leave out, by client and reason: its answer can't say so. */
export type Ignored = (client: "customerio" | "segment", reason: string) => void;

export function ignoredCounter(ground: Ground): Ignored {
  const counter = new Counter({
    name: "tidings_compat_ignored_total",
    help: "Messages, or parts of one, that clients of others sent and that were left out, by client and reason",
    labelNames: ["client", "reason"] as const,
    registers: [ground.metrics.registry],
  });
  return (client, reason) => counter.inc({ client, reason });
}
