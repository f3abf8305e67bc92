import type { Ground } from "./platform/ground.ts";
import type { App } from "./platform/http/index.ts";
import * as outbound from "./outbound/index.ts";
import * as subscriptions from "./subscriptions/index.ts";

/** Mounts what is called without a key: by recipients, whose signed link says who it is, and by providers, who sign. */
export function mountPages(app: App, ground: Ground): void {
  app.register(async (scope: App) =>
    subscriptions.pages(scope, ground, async (tx, { workspaceId, deliveryId }, at) => {
      await outbound.feedback(tx, ground, [{ workspaceId, deliveryId, kind: "unsubscribed", at }]);
    }),
  );
  outbound.tracking(app, ground);
  outbound.callbacks(app, ground);
}
