import { createRoute, createRouter, redirect } from "@tanstack/react-router";
import { Invitation } from "../members/door/invitation.tsx";
import { PasswordReset } from "../members/door/password-reset.tsx";
import { readSession } from "../members/session.ts";
import { readSetup, Setup } from "../members/door/setup.tsx";
import { SignIn } from "../members/door/sign-in.tsx";
import { isRefusal } from "../platform/call/refusal.ts";
import { Failure } from "../platform/states/states.tsx";
import { NoWorkspace } from "./no-workspace.tsx";
import { authorRoutes } from "./routes/author.tsx";
import { observeRoutes } from "./routes/observe.tsx";
import { settingsRoutes } from "./routes/settings.tsx";
import { text } from "./routes/text.ts";
import { root, workspace } from "./routes/workspace.tsx";

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
    // Only pages of the dashboard are taken, so that a link to the sign-in page can't lead to another site after it.
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

const tree = root.addChildren([
  start,
  setup,
  signIn,
  passwordReset,
  invitation,
  workspace.addChildren([...observeRoutes, ...authorRoutes, ...settingsRoutes]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  scrollRestoration: false,
  // Otherwise the router keeps what `validateSearch` leaves out, and the `utm_source` of a link would reach the service as a filter.
  search: { strict: true },
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
