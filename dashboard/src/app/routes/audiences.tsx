import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { audiencesSearchOf } from "../../audiences/search.ts";
import { workspace } from "./workspace.tsx";

const audiences = createRoute({
  getParentRoute: () => workspace,
  path: "/audiences",
  validateSearch: audiencesSearchOf,
  component: lazyRouteComponent(() => import("../../audiences/list/audiences.tsx"), "Audiences"),
});
const audience = createRoute({
  getParentRoute: () => workspace,
  path: "/audiences/$id",
  component: lazyRouteComponent(() => import("../../audiences/page/audience.tsx"), "AudiencePage"),
});
export const audienceRoutes = [audiences, audience];
