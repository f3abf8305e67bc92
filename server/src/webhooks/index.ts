// HOW: we tell the workspace's own systems what happened, by a call to their endpoints or when they ask.
import { RECORDED } from "../activity/index.ts";
import { listen } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import type { App } from "../platform/http/index.ts";
import { held, type Slice } from "../workspaces/index.ts";
import { emptyCalls } from "./delivery-store.ts";
import { feedRoutes } from "./feed-product.ts";
import { jobs } from "./jobs.ts";
import { logRoutes } from "./log-product.ts";
import { webhookRoutes } from "./product.ts";
import { LOGGED, startWebhooks } from "./work.ts";

export { webhookMetrics } from "./desk.ts";

/** /webhooks with their log, and GET /events. */
function product(app: App, ground: Ground): void {
  webhookRoutes(app, ground);
  logRoutes(app, ground);
  feedRoutes(app, ground);
}

/** What the roof connects. */
export const slice: Slice = {
  name: "webhooks",
  product,
  jobs,
  start: startWebhooks,
  hears: () => [listen(RECORDED, { hears: "by a queued row", wakes: LOGGED })],
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
