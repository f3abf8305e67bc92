import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { transactionalSearchOf, transactionalsSearchOf } from "../../transactionals/search.ts";
import { workspace } from "./workspace.tsx";

const transactionals = createRoute({
  getParentRoute: () => workspace,
  path: "/transactionals",
  validateSearch: transactionalsSearchOf,
  component: lazyRouteComponent(() => import("../../transactionals/transactionals.tsx"), "Transactionals"),
});
const newTransactional = createRoute({
  getParentRoute: () => workspace,
  path: "/transactionals/new",
  component: lazyRouteComponent(() => import("../../transactionals/form/new.tsx"), "NewTransactional"),
});
const transactional = createRoute({
  getParentRoute: () => workspace,
  path: "/transactionals/$id",
  validateSearch: transactionalSearchOf,
  component: lazyRouteComponent(() => import("../../transactionals/page/transactional.tsx"), "TransactionalPage"),
});

export const transactionalRoutes = [transactionals, newTransactional, transactional];
