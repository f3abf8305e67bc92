import type { onRequestHookHandler } from "fastify";
import type { House } from "./house.ts";
import { watchChanges } from "./live/index.ts";
import { type App, refuseUnknownParameters } from "./platform/http/index.ts";
import { importList } from "./platform/transfer/import-routes.ts";
import { SLICES } from "./slices.ts";
import { workspaceOf } from "./workspaces/index.ts";

/** Mounts the product API, which the dashboard and automation call. `guards` run before each route. */
export function mountProduct(app: App, house: House, guards: onRequestHookHandler[]): void {
  app.register(
    async (scope: App) => {
      for (const guard of guards) scope.addHook("onRequest", guard);
      scope.addHook("onRequest", refuseUnknownParameters);
      watchChanges(scope, house);
      for (const { product } of SLICES) product?.(scope, house);
      importList(scope, house, workspaceOf);
    },
    { prefix: "/api/v1" },
  );
}
