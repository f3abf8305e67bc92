import { deliveryMetrics } from "./activity/index.ts";
import { type InAppGround, NearMisses, streamMetrics } from "./inapp/index.ts";
import { type IngestGround, rejections } from "./ingest/index.ts";
import { sendersOf, sendingMetrics } from "./outbound/index.ts";
import type { Ground } from "./platform/ground.ts";
import { groundMetrics, type Metrics } from "./platform/metrics.ts";
import { SLICES } from "./slices.ts";
import { type TransactionalsGround, triggerer } from "./transactionals/index.ts";
import { webhookMetrics } from "./webhooks/index.ts";
import { type ConnectedGround, connect, identityMetrics } from "./workspaces/index.ts";

/** The ground with what slices keep in this process, and with what they ask of each other. The ground itself knows no word of the product. */
export type House = ConnectedGround & IngestGround & InAppGround & TransactionalsGround;

/** Adds to the ground, once a process, what slices keep in it for several of their doors, and connects the slices. */
export function houseOn(ground: Ground): House {
  const house = {
    ...ground,
    slices: connect(SLICES),
    rejections: rejections(ground),
    sending: { dispatcher: undefined },
    senders: sendersOf(ground),
    nearMisses: new NearMisses(ground),
  };
  return { ...house, trigger: triggerer(house) };
}

/** What GET /metrics shows: what the ground counts, and what each slice adds. */
export function createMetrics(): Metrics {
  const ground = groundMetrics();
  const { registry } = ground;
  return {
    ...ground,
    ...identityMetrics(registry),
    ...deliveryMetrics(registry),
    ...streamMetrics(registry),
    ...sendingMetrics(registry),
    ...webhookMetrics(registry),
  };
}
