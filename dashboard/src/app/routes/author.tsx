import { createRoute, lazyRouteComponent, notFound } from "@tanstack/react-router";
import { broadcastsSearchOf } from "../../broadcasts/search.ts";
import { isThingKind } from "../../things/kinds.ts";
import { workspace } from "./workspace.tsx";

const broadcasts = createRoute({
  getParentRoute: () => workspace,
  path: "/broadcasts",
  validateSearch: broadcastsSearchOf,
  component: lazyRouteComponent(() => import("../../broadcasts/broadcasts.tsx"), "Broadcasts"),
});
const thing = createRoute({
  getParentRoute: () => workspace,
  path: "/$kind/$id",
  beforeLoad: ({ params }) => {
    if (!isThingKind(params.kind)) throw notFound();
  },
  component: lazyRouteComponent(() => import("../../things/thing.tsx"), "ThingPage"),
});

/** The rooms in which messages are made. */
export const authorRoutes = [broadcasts, thing];
