import type { Rejections } from "../../ingest/index.ts";
import type { App } from "../../platform/http/index.ts";
import type { ConnectedGround } from "../../workspaces/index.ts";
import type { Trigger } from "../../transactionals/index.ts";
import type { Ignored } from "../ignored.ts";
import { refuseUnknownRoutes, speak } from "../speak.ts";
import { asCustomerio, unknownRoute } from "./answers.ts";
import { appApi } from "./app-api.ts";
import { operationsApi } from "./operations-api.ts";
import { reports, unsubscribeApi } from "./reports.ts";
import { trackApi } from "./track-api.ts";

/** What `customerio-node` calls, under /compat/customerio: the App API, and both versions of the Track API. */
export function customerio(
  app: App,
  ground: ConnectedGround,
  { trigger, ignored, rejections }: { trigger: Trigger; ignored: Ignored; rejections: Rejections },
): void {
  speak(app, ground.log, asCustomerio);
  refuseUnknownRoutes(app, unknownRoute);
  app.register(async (scope: App) => appApi(scope, ground, trigger), { prefix: "/v1" });
  app.register(
    async (scope: App) => {
      rejections.watch(scope);
      trackApi(scope, ground, ignored, rejections);
      reports(scope, ground, ignored);
    },
    { prefix: "/api/v1" },
  );
  unsubscribeApi(app, ground);
  app.register(
    async (scope: App) => {
      rejections.watch(scope);
      operationsApi(scope, ground, ignored, rejections);
    },
    { prefix: "/api/v2" },
  );
}
