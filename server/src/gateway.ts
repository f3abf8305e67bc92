import type { onRequestHookHandler, preHandlerHookHandler } from "fastify";
import type { House } from "./house.ts";
import { type App, refuseUnknownParameters } from "./platform/http/index.ts";
import * as compat from "./compat/index.ts";
import { crossOrigin, preflights } from "./cross-origin.ts";
import * as inapp from "./inapp/index.ts";
import * as ingest from "./ingest/index.ts";
import * as people from "./people/index.ts";
import * as transactionals from "./transactionals/index.ts";

/** Mounts the data gateway, what applications and back ends call, and what clients of others call of it. `guards` run before each route, `identity` once it is valid. */
export function mountGateway(
  app: App,
  ground: House,
  guards: onRequestHookHandler[],
  identity: preHandlerHookHandler,
): void {
  const trigger = transactionals.triggerer(ground);
  const rejections = ingest.rejections(app, ground);
  preflights(app);
  app.register(
    async (scope: App) => {
      scope.addHook("onRequest", crossOrigin);
      for (const guard of guards) scope.addHook("onRequest", guard);
      scope.addHook("preHandler", identity);
      scope.register(async (taking: App) => {
        rejections.watch(taking);
        ingest.gateway(taking, ground, rejections);
        people.gateway(taking, ground);
      });
      inapp.gateway(scope, ground);
      scope.register(async (sending: App) => {
        sending.addHook("onRequest", refuseUnknownParameters);
        transactionals.gateway(sending, ground, trigger);
      });
    },
    { prefix: "/data-gateway" },
  );
  compat.gateway(app, ground, { guards, identity, crossOrigin }, { trigger, rejections });
}
