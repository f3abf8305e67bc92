import { deliveryMetrics } from "./activity/index.ts";
import { catalogNotes } from "./catalog/index.ts";
import { type CampaignsGround, callMetrics, EntranceIndex } from "./campaigns/index.ts";
import { type InAppGround, NearMisses, streamMetrics } from "./inapp/index.ts";
import { type IngestGround, rejections } from "./ingest/index.ts";
import { liveMetrics } from "./live/index.ts";
import { filesOf, type MediaGround } from "./media/index.ts";
import { type MembersGround, membersOn, type PasswordCost } from "./members/index.ts";
import { lettersBy, sendersOf, sendingMetrics } from "./outbound/index.ts";
import { destinationMetrics } from "./outflow/index.ts";
import type { Ground } from "./platform/ground.ts";
import { groundMetrics, type Metrics } from "./platform/metrics.ts";
import type { OtherThread } from "./platform/threads/other-thread.ts";
import { importProgress, runningImports } from "./platform/transfer/import-routes.ts";
import { SLICES } from "./slices.ts";
import { type TransactionalsGround, triggerer } from "./transactionals/index.ts";
import { webhookMetrics } from "./webhooks/index.ts";
import { type ConnectedGround, connect, identityMetrics } from "./workspaces/index.ts";

/** The ground with the state that slices keep in this process, and with the functions that they offer each other. The ground itself knows nothing of the product. */
export type House = ConnectedGround &
  IngestGround &
  InAppGround &
  CampaignsGround &
  TransactionalsGround &
  MediaGround &
  MembersGround;

/** Adds to the ground, once a process, the state that slices share among their routes and workers, and connects the slices. */
export function houseOn(ground: Ground & { passwordCost: PasswordCost }): House {
  const house = {
    ...ground,
    slices: connect([...SLICES, { progressOf: importProgress, tasksOf: runningImports }]),
    rejections: rejections(ground),
    catalog: catalogNotes(ground),
    sending: { dispatcher: undefined },
    senders: sendersOf(ground),
    nearMisses: new NearMisses(ground),
    entrances: new EntranceIndex(ground.signals),
    members: membersOn(ground),
    letters: lettersBy(ground),
    media: filesOf(ground),
  };
  return { ...house, trigger: triggerer(house) };
}

/** Creates the metrics of GET /metrics: those of the ground and those of each slice. For the parameters see `groundMetrics`. */
export function createMetrics(other?: OtherThread, ofProcess = true): Metrics {
  const ground = groundMetrics(other, ofProcess);
  const { registry } = ground;
  return {
    ...ground,
    ...identityMetrics(registry),
    ...deliveryMetrics(registry),
    ...streamMetrics(registry),
    ...liveMetrics(registry),
    ...sendingMetrics(registry),
    ...webhookMetrics(registry),
    ...destinationMetrics(registry),
    ...callMetrics(registry),
  };
}
