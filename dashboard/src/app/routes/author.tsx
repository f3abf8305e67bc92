import { createRoute, lazyRouteComponent, notFound } from "@tanstack/react-router";
import { audienceRoutes } from "./audiences.tsx";
import { templateSearchOf, templatesSearchOf } from "../../templates/search.ts";
import { isThingKind } from "../../things/kinds.ts";
import { broadcastRoutes } from "./broadcasts.tsx";
import { campaignRoutes } from "./campaigns.tsx";
import { transactionalRoutes } from "./transactionals.tsx";
import { inAppRoutes } from "./in-app.tsx";
import { workspace } from "./workspace.tsx";

const templates = createRoute({
  getParentRoute: () => workspace,
  path: "/email-templates",
  validateSearch: templatesSearchOf,
  component: lazyRouteComponent(() => import("../../templates/lists/templates.tsx"), "Templates"),
});
const layouts = createRoute({
  getParentRoute: () => workspace,
  path: "/email-layouts",
  validateSearch: templatesSearchOf,
  component: lazyRouteComponent(() => import("../../templates/lists/layouts.tsx"), "Layouts"),
});
const snippets = createRoute({
  getParentRoute: () => workspace,
  path: "/snippets",
  validateSearch: templatesSearchOf,
  component: lazyRouteComponent(() => import("../../templates/lists/snippets.tsx"), "Snippets"),
});
const template = createRoute({
  getParentRoute: () => workspace,
  path: "/email-templates/$id",
  validateSearch: templateSearchOf,
  component: lazyRouteComponent(() => import("../../templates/editor/template-page.tsx"), "TemplatePage"),
});
const layout = createRoute({
  getParentRoute: () => workspace,
  path: "/email-layouts/$id",
  component: lazyRouteComponent(() => import("../../templates/parts/part-page.tsx"), "LayoutPage"),
});
const snippet = createRoute({
  getParentRoute: () => workspace,
  path: "/snippets/$id",
  component: lazyRouteComponent(() => import("../../templates/parts/part-page.tsx"), "SnippetPage"),
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
export const authorRoutes = [
  ...broadcastRoutes,
  ...audienceRoutes,
  ...campaignRoutes,
  ...transactionalRoutes,
  ...inAppRoutes,
  templates,
  layouts,
  snippets,
  template,
  layout,
  snippet,
  thing,
];
