import type { onRequestHookHandler, preHandlerHookHandler } from "fastify";
import * as compat from "./compat/index.ts";
import { crossOrigin, preflights } from "./cross-origin.ts";
import type { House } from "./house.ts";
import type { App } from "./platform/http/index.ts";
import { SLICES } from "./slices.ts";

/**
 * Mounts the data gateway, which applications and back ends call, and the compat routes for clients of other services.
 * `guards` run before each route, `identity` once the request is valid.
 */
export function mountGateway(
  app: App,
  house: House,
  guards: onRequestHookHandler[],
  identity: preHandlerHookHandler,
): void {
  preflights(app);
  app.register(
    async (scope: App) => {
      scope.addHook("onRequest", crossOrigin);
      for (const guard of guards) scope.addHook("onRequest", guard);
      scope.addHook("preHandler", identity);
      for (const { gateway } of SLICES) gateway?.(scope, house);
    },
    { prefix: "/data-gateway" },
  );
  // `compat` is not in SLICES: the slices' routes are mounted behind the hooks here, but a foreign client also needs the errors of these hooks
  // in its own shape, and one of its routes has no key. So `compat` takes the hooks and mounts its scopes itself.
  compat.gateway(app, house, { guards, identity, crossOrigin });
}
