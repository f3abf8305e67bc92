// HOW: shows dashboards and other programs what happens in a workspace, at once.
import { Gauge, type Registry } from "prom-client";
import { ACTIVITY_LOGGED, RECORDED } from "../activity/index.ts";
import { listen } from "../platform/db/index.ts";
import type { ConnectedGround, Slice } from "../workspaces/index.ts";
import { product } from "./product.ts";

export { watchChanges } from "./changes.ts";

/** What is counted of live streams. */
export const liveMetrics = (registry: Registry) => ({
  liveStreams: new Gauge({
    name: "tidings_live_streams_open",
    help: "Open live streams of this process",
    registers: [registry],
  }),
});

type LiveMetrics = ReturnType<typeof liveMetrics>;

declare module "../platform/metrics.ts" {
  interface Metrics extends LiveMetrics {}
}

/** What the roof connects. */
export const slice: Slice<ConnectedGround> = {
  name: "live",
  product,
  hears: () => [listen(RECORDED, { hears: "by a queued row", wakes: ACTIVITY_LOGGED })],
};
