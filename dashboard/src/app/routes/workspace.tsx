import { createRootRoute, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { readSession } from "../../members/session.ts";
import { isRefusal } from "../../platform/call/refusal.ts";
import { Failure } from "../../platform/states/states.tsx";
import { NoPage } from "../no-page.tsx";
import { WorkspaceFrame } from "../workspace-frame.tsx";

export const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NoPage,
  errorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
});

/** What all rooms of a workspace are in: only members get there. */
export const workspace = createRoute({
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
