import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { messageSearchOf, messagesSearchOf } from "../../inapp/list/search.ts";
import { workspace } from "./workspace.tsx";

const inAppMessages = createRoute({
  getParentRoute: () => workspace,
  path: "/in-app-messages",
  validateSearch: messagesSearchOf,
  component: lazyRouteComponent(() => import("../../inapp/list/messages.tsx"), "InAppMessages"),
});
const inAppMessage = createRoute({
  getParentRoute: () => workspace,
  path: "/in-app-messages/$id",
  validateSearch: messageSearchOf,
  component: lazyRouteComponent(() => import("../../inapp/editor/one-message.tsx"), "InAppMessagePage"),
});

export const inAppRoutes = [inAppMessages, inAppMessage];
