import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { type Journey, journeyOf } from "@tidings/contract/campaigns/journey";
import type { Queries } from "../../platform/db/index.ts";
import { newestOf } from "./store.ts";

/** A published version of a campaign, ready to be walked. */
export interface Published {
  workspaceId: string;
  campaignId: string;
  version: number;
  graph: number;
  definition: CampaignDefinition;
  journey: Journey;
}

/** The newest published version of a graph: what the runs of this graph follow. Undefined where the campaign is gone. */
export async function publishedOf(
  q: Queries,
  workspaceId: string,
  campaignId: string,
  graph: number,
): Promise<Published | undefined> {
  const row = await newestOf(q, workspaceId, campaignId, graph);
  if (!row) return undefined;
  const { version, definition } = row;
  return { workspaceId, campaignId, version, graph, definition, journey: journeyOf(definition.steps) };
}
