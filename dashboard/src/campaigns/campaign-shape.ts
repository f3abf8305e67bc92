import type {
  CampaignDefinition,
  Campaign as CampaignSchema,
  CampaignSummary,
} from "@tidings/contract/campaigns/campaigns";
import type { Static } from "typebox";

/** A campaign as the service answers it. */
export type Campaign = Static<typeof CampaignSchema>;
export type ListedCampaign = Static<typeof CampaignSummary>;

/** What an author writes of a campaign: its name and everything that the service keeps in its draft. */
export type Draft = CampaignDefinition & { name: string };
