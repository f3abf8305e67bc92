import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { searchOf } from "../activity/filters/search.ts";
import { logFiltersOf } from "../activity/log/filters.ts";
import { analyticsSearchOf } from "../analytics/search.ts";
import { explainSearchOf } from "../inapp/search.ts";
import { Invitation } from "../members/door/invitation.tsx";
import { PasswordReset } from "../members/door/password-reset.tsx";
import { mediaSearchOf } from "../media/search.ts";
import { readSession } from "../members/session.ts";
import { readSetup, Setup } from "../members/door/setup.tsx";
import { SignIn } from "../members/door/sign-in.tsx";
import { rejectedSearchOf } from "../ingest/search.ts";
import { channelsSearchOf } from "../outbound/channels/search.ts";
import { peopleSearchOf, personSearchOf } from "../people/search.ts";
import { isRefusal } from "../platform/call/refusal.ts";
import { Failure } from "../platform/states/states.tsx";
import { isThingKind } from "../things/kinds.ts";
import { webhookSearchOf } from "../webhooks/search.ts";
import { auditSearchOf } from "../workspaces/audit/search.ts";
import { suppressionSearch } from "../subscriptions/suppressions/filters.ts";
import { NoPage } from "./no-page.tsx";
import { NoWorkspace } from "./no-workspace.tsx";
import { WorkspaceFrame } from "./workspace-frame.tsx";

const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NoPage,
  errorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
});

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: async () => {
    const session = await readSession().catch(async (error) => {
      if (!isRefusal(error, "unauthenticated")) throw error;
      const { needed } = await readSetup();
      throw redirect({ to: needed ? "/setup" : "/sign-in" });
    });
    const first = session.workspaces[0];
    if (first) throw redirect({ to: "/w/$workspace", params: { workspace: first.id } });
  },
  component: NoWorkspace,
});

const setup = createRoute({ getParentRoute: () => root, path: "/setup", component: Setup });
const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: SignIn,
  validateSearch: (search: Record<string, unknown>): { to?: string; error?: string } => {
    const to = text(search.to);
    const error = text(search.error);
    // Only pages of the dashboard: a link to the sign-in must lead nowhere else.
    return { ...(to && /^\/w\/[^/\\]/.test(to) && { to }), ...(error && { error }) };
  },
});
const passwordReset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  component: PasswordReset,
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  component: Invitation,
});

const workspace = createRoute({
  getParentRoute: () => root,
  path: "/w/$workspace",
  beforeLoad: async ({ location }) => {
    await readSession().catch((error) => {
      if (!isRefusal(error, "unauthenticated")) throw error;
      throw redirect({ to: "/sign-in", search: { to: location.href } });
    });
  },
  component: WorkspaceFrame,
  notFoundComponent: NoPage,
});
const home = createRoute({
  getParentRoute: () => workspace,
  path: "/",
  component: lazyRouteComponent(() => import("../home/home.tsx"), "Home"),
});

const deliveries = createRoute({
  getParentRoute: () => workspace,
  path: "/deliveries",
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import("../activity/deliveries.tsx"), "Deliveries"),
});
const activity = createRoute({
  getParentRoute: () => workspace,
  path: "/activity",
  validateSearch: logFiltersOf,
  component: lazyRouteComponent(() => import("../activity/log/log.tsx"), "Log"),
});
const explain = createRoute({
  getParentRoute: () => workspace,
  path: "/explain",
  validateSearch: explainSearchOf,
  component: lazyRouteComponent(() => import("../inapp/explain.tsx"), "Explain"),
});
const people = createRoute({
  getParentRoute: () => workspace,
  path: "/people",
  validateSearch: peopleSearchOf,
  component: lazyRouteComponent(() => import("../people/list/people.tsx"), "People"),
});
const person = createRoute({
  getParentRoute: () => workspace,
  path: "/people/$person",
  validateSearch: personSearchOf,
  component: lazyRouteComponent(() => import("../people/person/person.tsx"), "Person"),
});
const screens = createRoute({
  getParentRoute: () => workspace,
  path: "/screens",
  validateSearch: (search: Record<string, unknown>): { q?: string } => {
    const q = text(search.q);
    return q ? { q } : {};
  },
  component: lazyRouteComponent(() => import("../screens/screens.tsx"), "Screens"),
});
const thing = createRoute({
  getParentRoute: () => workspace,
  path: "/$kind/$id",
  beforeLoad: ({ params }) => {
    if (!isThingKind(params.kind)) throw notFound();
  },
  component: lazyRouteComponent(() => import("../things/thing.tsx"), "ThingPage"),
});
const outbox = createRoute({
  getParentRoute: () => workspace,
  path: "/outbox",
  validateSearch: (search: Record<string, unknown>): { open?: string } => {
    const open = text(search.open);
    return open ? { open } : {};
  },
  component: lazyRouteComponent(() => import("../outbound/outbox.tsx"), "Outbox"),
});
const analytics = createRoute({
  getParentRoute: () => workspace,
  path: "/analytics",
  validateSearch: analyticsSearchOf,
  component: lazyRouteComponent(() => import("../analytics/analytics.tsx"), "Analytics"),
});
const rejected = createRoute({
  getParentRoute: () => workspace,
  path: "/rejected",
  validateSearch: rejectedSearchOf,
  component: lazyRouteComponent(() => import("../ingest/rejected.tsx"), "Rejected"),
});
const audit = createRoute({
  getParentRoute: () => workspace,
  path: "/audit",
  validateSearch: auditSearchOf,
  component: lazyRouteComponent(() => import("../workspaces/audit/audit.tsx"), "Audit"),
});
const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings",
  component: lazyRouteComponent(() => import("../workspaces/settings/settings.tsx"), "Settings"),
});
const channels = createRoute({
  getParentRoute: () => workspace,
  path: "/channels",
  validateSearch: channelsSearchOf,
  component: lazyRouteComponent(() => import("../outbound/channels/channels.tsx"), "Channels"),
});
const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("../webhooks/webhooks.tsx"), "Webhooks"),
});
const webhook = createRoute({
  getParentRoute: () => workspace,
  path: "/webhooks/$webhook",
  validateSearch: webhookSearchOf,
  component: lazyRouteComponent(() => import("../webhooks/webhook.tsx"), "Webhook"),
});
const media = createRoute({
  getParentRoute: () => workspace,
  path: "/media",
  validateSearch: mediaSearchOf,
  component: lazyRouteComponent(() => import("../media/media.tsx"), "Media"),
});
const keys = createRoute({
  getParentRoute: () => workspace,
  path: "/keys",
  component: lazyRouteComponent(() => import("../workspaces/keys/keys.tsx"), "Keys"),
});
const topics = createRoute({
  getParentRoute: () => workspace,
  path: "/topics",
  validateSearch: (search: Record<string, unknown>): { open?: string } => {
    const open = text(search.open);
    return open ? { open } : {};
  },
  component: lazyRouteComponent(() => import("../subscriptions/topics/topics.tsx"), "Topics"),
});
const suppressions = createRoute({
  getParentRoute: () => workspace,
  path: "/suppressions",
  validateSearch: suppressionSearch,
  component: lazyRouteComponent(() => import("../subscriptions/suppressions/suppressions.tsx"), "Suppressions"),
});
const limits = createRoute({
  getParentRoute: () => workspace,
  path: "/limits",
  component: lazyRouteComponent(() => import("../workspaces/limits/limits.tsx"), "Limits"),
});
const identity = createRoute({
  getParentRoute: () => workspace,
  path: "/identity",
  component: lazyRouteComponent(() => import("../workspaces/identity/identity.tsx"), "Identity"),
});
const members = createRoute({
  getParentRoute: () => workspace,
  path: "/members",
  component: lazyRouteComponent(() => import("../members/members.tsx"), "Members"),
});
const account = createRoute({
  getParentRoute: () => workspace,
  path: "/account",
  component: lazyRouteComponent(() => import("../members/account/account.tsx"), "Account"),
});

const tree = root.addChildren([
  start,
  setup,
  signIn,
  passwordReset,
  invitation,
  workspace.addChildren([
    home,
    deliveries,
    activity,
    thing,
    explain,
    people,
    person,
    outbox,
    screens,
    settings,
    channels,
    webhooks,
    webhook,
    media,
    keys,
    topics,
    suppressions,
    limits,
    identity,
    members,
    account,
    analytics,
    rejected,
    audit,
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  scrollRestoration: false,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
