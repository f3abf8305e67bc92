import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { campaignSearchOf, campaignsSearchOf } from "../../campaigns/search.ts";
import { workspace } from "./workspace.tsx";

const campaigns = createRoute({
  getParentRoute: () => workspace,
  path: "/campaigns",
  validateSearch: campaignsSearchOf,
  component: lazyRouteComponent(() => import("../../campaigns/campaigns.tsx"), "Campaigns"),
});
const campaign = createRoute({
  getParentRoute: () => workspace,
  path: "/campaigns/$id",
  validateSearch: campaignSearchOf,
  component: lazyRouteComponent(() => import("../../campaigns/campaign.tsx"), "CampaignPage"),
});

export const campaignRoutes = [campaigns, campaign];
