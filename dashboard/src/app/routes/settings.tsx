import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { mediaSearchOf } from "../../media/search.ts";
import { channelsSearchOf } from "../../outbound/channels/search.ts";
import { webhookSearchOf } from "../../webhooks/search.ts";
import { auditSearchOf } from "../../workspaces/audit/search.ts";
import { suppressionSearch } from "../../subscriptions/suppressions/filters.ts";
import { text } from "./text.ts";
import { workspace } from "./workspace.tsx";

const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings",
  component: lazyRouteComponent(() => import("../../workspaces/settings/settings.tsx"), "Settings"),
});

const channels = createRoute({
  getParentRoute: () => workspace,
  path: "/channels",
  validateSearch: channelsSearchOf,
  component: lazyRouteComponent(() => import("../../outbound/channels/channels.tsx"), "Channels"),
});

const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("../../webhooks/webhooks.tsx"), "Webhooks"),
});

const webhook = createRoute({
  getParentRoute: () => workspace,
  path: "/webhooks/$webhook",
  validateSearch: webhookSearchOf,
  component: lazyRouteComponent(() => import("../../webhooks/webhook.tsx"), "Webhook"),
});

const destinations = createRoute({
  getParentRoute: () => workspace,
  path: "/export-destinations",
  component: lazyRouteComponent(() => import("../../outflow/destinations.tsx"), "Destinations"),
});

const destination = createRoute({
  getParentRoute: () => workspace,
  path: "/export-destinations/$destination",
  component: lazyRouteComponent(() => import("../../outflow/destination.tsx"), "Destination"),
});

const media = createRoute({
  getParentRoute: () => workspace,
  path: "/media",
  validateSearch: mediaSearchOf,
  component: lazyRouteComponent(() => import("../../media/media.tsx"), "Media"),
});

const keys = createRoute({
  getParentRoute: () => workspace,
  path: "/keys",
  component: lazyRouteComponent(() => import("../../workspaces/keys/keys.tsx"), "Keys"),
});

const topics = createRoute({
  getParentRoute: () => workspace,
  path: "/topics",
  validateSearch: (search: Record<string, unknown>): { open?: string } => {
    const open = text(search.open);
    return open ? { open } : {};
  },
  component: lazyRouteComponent(() => import("../../subscriptions/topics/topics.tsx"), "Topics"),
});

const suppressions = createRoute({
  getParentRoute: () => workspace,
  path: "/suppressions",
  validateSearch: suppressionSearch,
  component: lazyRouteComponent(() => import("../../subscriptions/suppressions/suppressions.tsx"), "Suppressions"),
});

const limits = createRoute({
  getParentRoute: () => workspace,
  path: "/limits",
  component: lazyRouteComponent(() => import("../../workspaces/limits/limits.tsx"), "Limits"),
});

const identity = createRoute({
  getParentRoute: () => workspace,
  path: "/identity",
  component: lazyRouteComponent(() => import("../../workspaces/identity/identity.tsx"), "Identity"),
});

const members = createRoute({
  getParentRoute: () => workspace,
  path: "/members",
  component: lazyRouteComponent(() => import("../../members/members.tsx"), "Members"),
});

const account = createRoute({
  getParentRoute: () => workspace,
  path: "/account",
  component: lazyRouteComponent(() => import("../../members/account/account.tsx"), "Account"),
});

const audit = createRoute({
  getParentRoute: () => workspace,
  path: "/audit",
  validateSearch: auditSearchOf,
  component: lazyRouteComponent(() => import("../../workspaces/audit/audit.tsx"), "Audit"),
});

/** The rooms that set. */
export const settingsRoutes = [
  settings,
  channels,
  webhooks,
  webhook,
  destinations,
  destination,
  media,
  keys,
  topics,
  suppressions,
  limits,
  identity,
  members,
  account,
  audit,
];
