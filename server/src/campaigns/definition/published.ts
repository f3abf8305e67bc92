import type { CampaignDefinition } from "@tidings/contract/campaigns/campaigns";
import { type Journey, journeyOf } from "@tidings/contract/campaigns/journey";
import { LRUCache } from "lru-cache";
import type { Queries } from "../../platform/db/index.ts";
import type { PublishedGraph } from "../rules/graph.ts";
import { audienceOf, touchesOf, type Touches } from "../rules/touches.ts";
import { definitionsOf, graphsOf, newestVersion, type VersionKey, type VersionRow } from "./version-store.ts";

/** A published version of a campaign, with its graph of steps. */
export interface Published {
  workspaceId: string;
  campaignId: string;
  version: number;
  graph: number;
  definition: CampaignDefinition;
  journey: Journey;
  /** The events that may change who is in its audience; none where people do not enter by an audience. */
  touches: Touches;
}

/** Bytes of versions that a process caches, about. Mostly they are texts of emails. */
const MOST_CACHED = 64 * 1024 * 1024;
/** Bytes of a step in the graph, besides its definition. */
const STEP = 1_000;

// The whole process shares the versions, and they are never invalidated: a version never changes.
const cache = new LRUCache<string, Published>({
  maxSize: MOST_CACHED,
  sizeCalculation: ({ definition, journey }) => JSON.stringify(definition).length + STEP * (journey.nodes.size + 1),
});

const keyOf = ({ campaign_id, version }: VersionKey) => `${campaign_id} ${version}`;

/** Adds to a version what follows from its definition: the graph of steps, and what may change its audience. The result is not cached: the transaction that publishes the version may roll back. */
export function withJourney(row: VersionRow): Published {
  const { workspace_id: workspaceId, campaign_id: campaignId, version, graph, definition } = row;
  const touches = touchesOf(audienceOf(definition) ?? { all: [] });
  return { workspaceId, campaignId, version, graph, definition, journey: journeyOf(definition.steps), touches };
}

/** Returns these versions without the removed ones. Each process reads a version once. */
export async function publishedVersions(q: Queries, versions: VersionKey[]): Promise<Published[]> {
  const found = new Map(versions.map((one) => [keyOf(one), cache.get(keyOf(one))]));
  const unknown = versions.filter((one) => !found.get(keyOf(one)));
  for (const row of unknown.length === 0 ? [] : await definitionsOf(q, unknown)) {
    const published = withJourney(row);
    cache.set(keyOf(row), published);
    found.set(keyOf(row), published);
  }
  return [...found.values()].filter((one) => one !== undefined);
}

/**
 * Returns the newest published version of a graph, which the runs of this graph follow: a corrected text reaches them at once. Undefined
 * where the campaign was removed. The number of the version comes from the database, by a look-up in an index; the version comes from
 * the cache.
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

/** Returns all graphs of a campaign, each as its newest version has it. */
export async function publishedGraphs(
  q: Queries,
  { workspaceId, campaignId }: Pick<Published, "workspaceId" | "campaignId">,
): Promise<PublishedGraph[]> {
  const rows = await graphsOf(q, workspaceId, campaignId);
  const keyOfRow = ({ version }: { version: number }) => ({
    workspace_id: workspaceId,
    campaign_id: campaignId,
    version,
  });
  const byGraph = new Map((await publishedVersions(q, rows.map(keyOfRow))).map((one) => [one.graph, one]));
  return rows.flatMap(({ graph, inside, published_at: publishedAt }) => {
    const published = byGraph.get(graph);
    return published
      ? [{ graph, inside, publishedAt, definition: published.definition, journey: published.journey }]
      : [];
  });
}
