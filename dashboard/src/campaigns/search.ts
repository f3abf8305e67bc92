import type { CampaignStatus } from "@tidings/contract/campaigns/campaigns";
import { authoredSearchOf } from "../platform/list/authored-search.ts";
import type { Tone } from "../platform/look/parts.tsx";
import { type OperateSearch, operateSearchOf } from "./operate/search.ts";

export const statuses = ["draft", "active", "paused", "archived"] as const satisfies readonly CampaignStatus[];

export const toneOf: Record<CampaignStatus, Tone> = {
  draft: "plain",
  active: "good",
  paused: "warn",
  archived: "plain",
};

export const campaignsSearchOf = authoredSearchOf({ status: statuses });

/** The tabs of a campaign's page, in their order. The first one needs no word in the address. */
export const tabs = ["journey", "numbers", "runs", "simulate", "settings"] as const;
export type Tab = (typeof tabs)[number];

/** What the address of a campaign's page says. */
export interface CampaignSearch extends OperateSearch {
  tab?: Tab;
  /** What is tried out: one person unless it is said. */
  view?: "replay";
}

export function campaignSearchOf(given: Record<string, unknown>): CampaignSearch {
  const tab = tabs.find((one) => one === given.tab);
  return {
    ...(tab && { tab }),
    ...(given.view === "replay" && { view: "replay" as const }),
    ...operateSearchOf(given),
  };
}
