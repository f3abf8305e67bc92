import type { App } from "../../platform/http/index.ts";
import type { Ignore } from "../ignored.ts";
import type { CompatGround } from "../ground.ts";
import { refuseUnknownRoutes, answerErrorsAs } from "../answers.ts";
import { asCustomerio, unknownRoute } from "./answers.ts";
import { appApi } from "./app-api.ts";
import { operationsApi } from "./operations-api.ts";
import { reports, unsubscribeApi } from "./reports.ts";
import { trackApi } from "./track-api.ts";

/** The routes that `customerio-node` calls, under /compat/customerio: the App API, and both versions of the Track API. */
export function customerio(app: App, ground: CompatGround, ignore: Ignore): void {
  const { trigger, rejections } = ground;
  answerErrorsAs(app, ground.log, asCustomerio);
  refuseUnknownRoutes(app, unknownRoute);
  app.register(async (scope: App) => appApi(scope, ground, trigger), { prefix: "/v1" });
  app.register(
    async (scope: App) => {
      rejections.watch(scope);
      trackApi(scope, ground, ignore);
      reports(scope, ground, ignore);
    },
    { prefix: "/api/v1" },
  );
  unsubscribeApi(app, ground);
  app.register(
    async (scope: App) => {
      rejections.watch(scope);
      operationsApi(scope, ground, ignore);
    },
    { prefix: "/api/v2" },
  );
}
