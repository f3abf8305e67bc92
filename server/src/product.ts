import type { onRequestHookHandler } from "fastify";
import * as activity from "./activity/index.ts";
import * as analytics from "./analytics/index.ts";
import * as audiences from "./audiences/index.ts";
import * as broadcasts from "./broadcasts/index.ts";
import * as events from "./events/index.ts";
import * as inapp from "./inapp/index.ts";
import * as ingest from "./ingest/index.ts";
import * as outbound from "./outbound/index.ts";
import * as people from "./people/index.ts";
import type { House } from "./house.ts";
import { type App, refuseUnknownParameters } from "./platform/http/index.ts";
import { importList } from "./platform/transfer/import-routes.ts";
import * as screens from "./screens/index.ts";
import * as subscriptions from "./subscriptions/index.ts";
import * as templates from "./templates/index.ts";
import * as transactionals from "./transactionals/index.ts";
import * as webhooks from "./webhooks/index.ts";
import * as workspaces from "./workspaces/index.ts";

/** Mounts the product API: what the dashboard and automation call. `guards` run before each route. Knows no rule. */
export function mountProduct(app: App, ground: House, guards: onRequestHookHandler[]): void {
  app.register(
    async (scope: App) => {
      for (const guard of guards) scope.addHook("onRequest", guard);
      scope.addHook("onRequest", refuseUnknownParameters);
      workspaces.product(scope, ground);
      people.product(scope, ground);
      events.product(scope, ground);
      ingest.product(scope, ground);
      screens.product(scope, ground);
      subscriptions.product(scope, ground, async (tx, workspaceId, id) => [
        ...(await broadcasts.topicUsers(tx, workspaceId, id)),
        ...(await audiences.topicUsers(tx, workspaceId, id)),
      ]);
      importList(scope, ground, workspaces.workspaceOf);
      activity.product(scope, ground);
      analytics.product(scope, ground);
      audiences.product(
        scope,
        ground,
        [broadcasts.audienceUsers],
        [broadcasts.nameOf, inapp.nameOf, transactionals.nameOf],
      );
      inapp.product(scope, ground);
      outbound.product(scope, ground);
      webhooks.product(scope, ground);
      templates.product(scope, ground, async (tx, workspaceId, id) => [
        ...(await transactionals.templateUsers(tx, workspaceId, id)),
        ...(await broadcasts.templateUsers(tx, workspaceId, id)),
      ]);
      transactionals.product(scope, ground);
      broadcasts.product(scope, ground);
    },
    { prefix: "/api/v1" },
  );
}
