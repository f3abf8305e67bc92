// FACTS: the append-only log of what happened to deliveries and people, and message activity.
import type { ConnectedGround, Slice } from "../workspaces/index.ts";
import { holds } from "./holds.ts";
import { jobs } from "./jobs.ts";
import { product } from "./product.ts";

export { deliveryEntry, shape as deliveryOf, sourceOf, sourceText } from "./deliveries/delivery-view.ts";
export { countedAt } from "./deliveries/list-store.ts";
export { eventOf } from "./entry-view.ts";
export {
  endOfFeed,
  type FeedEvent,
  fromNow,
  OLDEST,
  OLDEST_REPORT_MS,
  type Position,
  positionAt,
  readFeed,
  timeAfter,
} from "./feed-store.ts";
export { entriesWhere } from "./deliveries/entries-store.ts";
export { failuresOf } from "./deliveries/failures.ts";
export { LIVE_CHANGED } from "./holds.ts";
export { logged, type Logged, logInShards } from "./logged-store.ts";
export {
  countRows,
  countRowsByStep,
  countRowsByVariant,
  type MetricsFilter,
} from "./deliveries/metrics-store.ts";
export { deliveryMetrics } from "./monitoring.ts";
export { wantedTypes } from "./recent-product.ts";
export { followDeliveries, followEntries, oldDeliveries, type StreamedDelivery } from "./stream-store.ts";
export {
  ACTIVITY_LOGGED,
  type Entry,
  type EntryInput,
  OFFERED,
  type Offered,
  ownerOf,
  RECORDED,
  record,
  recordedOf,
  type StepOrigin,
} from "./store.ts";

/** What the roof connects. */
export const slice: Slice<ConnectedGround> = { name: "activity", product, jobs, holds };

/** The prefixes of entries, deliveries and their sources. */
declare module "../platform/ids.ts" {
  interface Prefixes {
    act: true;
    dlv: true;
    tx: true;
    msg: true;
    bc: true;
    cmp: true;
  }
}
