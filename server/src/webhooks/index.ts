// HOW: we tell the workspace's own systems what happened, by a call to their endpoints or when they ask.
import type { Ground } from "../platform/ground.ts";
import type { App } from "../platform/http/index.ts";
import type { Slice } from "../workspaces/index.ts";
import { feedRoutes } from "./feed-product.ts";
import { logRoutes } from "./log-product.ts";
import { jobs } from "./jobs.ts";
import { webhookRoutes } from "./product.ts";
import { startWebhooks } from "./work.ts";

/** /webhooks with their log, and GET /events. */
function product(app: App, ground: Ground): void {
  webhookRoutes(app, ground);
  logRoutes(app, ground);
  feedRoutes(app, ground);
}

/** What the roof connects. */
export { webhookMetrics } from "./desk.ts";
export const slice: Slice = { name: "webhooks", product, jobs, start: startWebhooks };

declare module "../platform/ids.ts" {
  interface Prefixes {
    whk: true;
  }
}
