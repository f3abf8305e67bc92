// HOW: deliveries, the log and events are streamed out to the workspace's own stores.
import type { Slice } from "../workspaces/index.ts";
import { product } from "./product.ts";
import { startDestinations } from "./streams/work.ts";

export { destinationMetrics } from "./streams/monitoring.ts";

/** What the roof connects. */
export const slice: Slice = { name: "outflow", product, start: startDestinations };

declare module "../platform/ids.ts" {
  interface Prefixes {
    exd: true;
  }
}
