import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { draftSearchOf } from "../../broadcasts/draft/search.ts";
import { broadcastsSearchOf } from "../../broadcasts/search.ts";
import { workspace } from "./workspace.tsx";

const broadcasts = createRoute({
  getParentRoute: () => workspace,
  path: "/broadcasts",
  validateSearch: broadcastsSearchOf,
  component: lazyRouteComponent(() => import("../../broadcasts/broadcasts.tsx"), "Broadcasts"),
});
const newBroadcast = createRoute({
  getParentRoute: () => workspace,
  path: "/broadcasts/new",
  validateSearch: draftSearchOf,
  component: lazyRouteComponent(() => import("../../broadcasts/draft/new-broadcast.tsx"), "NewBroadcast"),
});
const broadcast = createRoute({
  getParentRoute: () => workspace,
  path: "/broadcasts/$id",
  validateSearch: draftSearchOf,
  component: lazyRouteComponent(() => import("../../broadcasts/broadcast-page.tsx"), "BroadcastPage"),
});

export const broadcastRoutes = [broadcasts, newBroadcast, broadcast];
