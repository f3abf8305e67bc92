// HOW: the workspace's own systems get events, by a call to their endpoints or by polling.
import { ACTIVITY_LOGGED, RECORDED } from "../activity/index.ts";
import { listen } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import type { App } from "../platform/http/index.ts";
import { held, type Slice } from "../workspaces/index.ts";
import { hearsOffered } from "./collect.ts";
import { emptyCalls } from "./delivery-store.ts";
import { feedRoutes } from "./feed-product.ts";
import { jobs } from "./jobs.ts";
import { logRoutes } from "./log-product.ts";
import { webhookRoutes } from "./product.ts";
import { progressOf, replayRoutes, tasksOf } from "./replay-product.ts";
import { startWebhooks } from "./work.ts";

export { webhookMetrics } from "./sender.ts";

/** /webhooks with their log, and GET /events. */
function product(app: App, ground: Ground): void {
  webhookRoutes(app, ground);
  logRoutes(app, ground);
  replayRoutes(app, ground);
  feedRoutes(app, ground);
}

/** What the roof connects. */
export const slice: Slice = {
  name: "webhooks",
  product,
  jobs,
  start: startWebhooks,
  progressOf,
  tasksOf,
  hears: (ground) => [listen(RECORDED, { hears: "by a queued row", wakes: ACTIVITY_LOGGED }), hearsOffered(ground)],
  holds: [
    held("webhook_deliveries", {
      ids: { event_id: "act", webhook_id: "whk" },
      erase: (tx, { personKey }) => emptyCalls(tx, personKey),
    }),
  ],
};

declare module "../platform/ids.ts" {
  interface Prefixes {
    whk: true;
  }
}
