import { createRoute, lazyRouteComponent, notFound } from "@tanstack/react-router";
import { audienceRoutes } from "./audiences.tsx";
import { templateSearchOf, templatesSearchOf } from "../../templates/search.ts";
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
/** For links to a page whose kind is a value: the router finds the page of that kind, and comes here for a kind that is none. */
const anyKind = createRoute({
  getParentRoute: () => workspace,
  path: "/$kind/$id",
  beforeLoad: () => {
    throw notFound();
  },
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
  anyKind,
];
