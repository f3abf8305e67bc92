import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { type Journey, journeyOf } from "@tidings/contract/campaigns/journey";
import { LRUCache } from "lru-cache";
import type { Queries } from "../../platform/db/index.ts";
import { definitionsOf, newestVersion, type VersionName, type VersionRow } from "./version-store.ts";

/** A published version of a campaign, ready to be walked. */
export interface Published {
  workspaceId: string;
  campaignId: string;
  version: number;
  graph: number;
  definition: CampaignDefinition;
  journey: Journey;
}

/** The most steps of all versions that a process keeps, about 1 KB each. */
const MOST_STEPS = 50_000;

// The whole process shares the versions, and they are never invalidated: a version never changes.
const known = new LRUCache<string, Published>({
  maxSize: MOST_STEPS,
  sizeCalculation: ({ journey }) => journey.nodes.size + 1,
});

const nameOf = ({ campaign_id, version }: VersionName) => `${campaign_id} ${version}`;

/** A version, laid out. It is not kept: a version that is being published may never be. */
export function laidOut(row: VersionRow): Published {
  const { workspace_id: workspaceId, campaign_id: campaignId, version, graph, definition } = row;
  return { workspaceId, campaignId, version, graph, definition, journey: journeyOf(definition.steps) };
}

/** These versions, each read and laid out once in a process; those that are gone are left out. */
export async function publishedVersions(q: Queries, versions: VersionName[]): Promise<Published[]> {
  const found = new Map(versions.map((one) => [nameOf(one), known.get(nameOf(one))]));
  const unknown = versions.filter((one) => !found.get(nameOf(one)));
  for (const row of unknown.length === 0 ? [] : await definitionsOf(q, unknown)) {
    const published = laidOut(row);
    known.set(nameOf(row), published);
    found.set(nameOf(row), published);
  }
  return [...found.values()].filter((one) => one !== undefined);
}

/**
 * The newest published version of a graph, as it is now: what the runs of this graph follow, so that a mended text reaches them at
 * once. Undefined where the campaign is gone. It asks the database which version that is, a look-up in an index; the version itself
 * comes from memory.
 */
export async function publishedOf(
  q: Queries,
  workspaceId: string,
  campaignId: string,
  graph: number,
): Promise<Published | undefined> {
  const version = await newestVersion(q, { workspaceId, campaignId, graph });
  if (version === undefined) return undefined;
  return (await publishedVersions(q, [{ workspace_id: workspaceId, campaign_id: campaignId, version }]))[0];
}
