import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { searchOf } from "../../activity/filters/search.ts";
import { logFiltersOf } from "../../activity/log/filters.ts";
import { analyticsSearchOf } from "../../analytics/search.ts";
import { explainSearchOf } from "../../inapp/search.ts";
import { peopleSearchOf, personSearchOf } from "../../people/search.ts";
import { rejectedSearchOf } from "../../ingest/search.ts";
import { text } from "./text.ts";
import { workspace } from "./workspace.tsx";

const home = createRoute({
  getParentRoute: () => workspace,
  path: "/",
  component: lazyRouteComponent(() => import("../../home/home.tsx"), "Home"),
});

const deliveries = createRoute({
  getParentRoute: () => workspace,
  path: "/deliveries",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("../../activity/deliveries.tsx"), "Deliveries"),
});

const activity = createRoute({
  getParentRoute: () => workspace,
  path: "/activity",
  validateSearch: logFiltersOf,
  component: lazyRouteComponent(() => import("../../activity/log/log.tsx"), "Log"),
});

const explain = createRoute({
  getParentRoute: () => workspace,
  path: "/explain",
  validateSearch: explainSearchOf,
  component: lazyRouteComponent(() => import("../../inapp/explain.tsx"), "Explain"),
});

const people = createRoute({
  getParentRoute: () => workspace,
  path: "/people",
  validateSearch: peopleSearchOf,
  component: lazyRouteComponent(() => import("../../people/list/people.tsx"), "People"),
});

const person = createRoute({
  getParentRoute: () => workspace,
  path: "/people/$person",
  validateSearch: personSearchOf,
  component: lazyRouteComponent(() => import("../../people/person/person.tsx"), "Person"),
});

const outbox = createRoute({
  getParentRoute: () => workspace,
  path: "/outbox",
  validateSearch: (search: Record<string, unknown>): { open?: string } => {
    const open = text(search.open);
    return open ? { open } : {};
  },
  component: lazyRouteComponent(() => import("../../outbound/outbox.tsx"), "Outbox"),
});

const analytics = createRoute({
  getParentRoute: () => workspace,
  path: "/analytics",
  validateSearch: analyticsSearchOf,
  component: lazyRouteComponent(() => import("../../analytics/analytics.tsx"), "Analytics"),
});

const rejected = createRoute({
  getParentRoute: () => workspace,
  path: "/rejected",
  validateSearch: rejectedSearchOf,
  component: lazyRouteComponent(() => import("../../ingest/rejected.tsx"), "Rejected"),
});

const screens = createRoute({
  getParentRoute: () => workspace,
  path: "/screens",
  validateSearch: (search: Record<string, unknown>): { q?: string } => {
    const q = text(search.q);
    return q ? { q } : {};
  },
  component: lazyRouteComponent(() => import("../../screens/screens.tsx"), "Screens"),
});

/** The rooms that show what happens. */
export const observeRoutes = [
  home,
  deliveries,
  activity,
  explain,
  people,
  person,
  outbox,
  analytics,
  rejected,
  screens,
];
