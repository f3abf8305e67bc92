import { LRUCache } from "lru-cache";
import type { Queries } from "../../platform/db/index.ts";
import type { Signals } from "../../platform/signals/index.ts";
import { type Published, publishedVersions } from "./published.ts";
import { type LiveVersion, liveVersions } from "./version-store.ts";

/** Signal that campaigns of these workspaces were activated, paused, resumed, changed or archived. */
export const CAMPAIGNS_CHANGED = "campaigns.changed";

/** What campaigns do at an event of one name. */
export interface Listening {
  /** Active campaigns that people enter by it. */
  starts: Published[];
  /** Campaigns whose runs it ends. */
  cancels: Published[];
  /** Campaigns of which it is the goal. */
  goals: Published[];
  /** Whether a step of any version waits for it. */
  waited: boolean;
}

/** What a workspace's campaigns listen to. */
export interface Entrances {
  byEvent: Map<string, Listening>;
  /** Active campaigns that people enter with an audience. */
  byAudience: Published[];
  /** By campaign and graph, see `graphOf`. */
  graphs: Map<string, Published>;
}

/** A lost signal makes what is remembered wrong for so long. */
const FRESH_MS = 4_000;
/** Workspaces remembered. */
const MOST_REMEMBERED = 10_000;

/**
 * What the campaigns of each workspace listen to, in memory, so that an event that no campaign listens to costs one look-up in a Map.
 * A workspace whose campaigns are not remembered is read again by `of`.
 */
export class EntranceIndex {
  readonly #workspaces = new LRUCache<string, Entrances>({ max: MOST_REMEMBERED, ttl: FRESH_MS });
  /** Counts the signals, so that what was read before a change is not remembered behind it. */
  #changes = 0;

  constructor(signals: Pick<Signals, "subscribe">) {
    signals.subscribe(CAMPAIGNS_CHANGED, (workspaceIds) => {
      this.#changes++;
      for (const id of workspaceIds) this.#workspaces.delete(id);
    });
  }

  /** What is remembered of a workspace; undefined where it must be read. */
  remembered(workspaceId: string): Entrances | undefined {
    return this.#workspaces.get(workspaceId);
  }

  /** What the campaigns of these workspaces listen to. */
  async of(q: Queries, workspaceIds: string[]): Promise<Map<string, Entrances>> {
    const found = new Map<string, Entrances>();
    const unknown: string[] = [];
    for (const id of new Set(workspaceIds)) {
      const known = this.remembered(id);
      if (known) found.set(id, known);
      else unknown.push(id);
    }
    if (unknown.length === 0) return found;
    const [changes, start] = [this.#changes, performance.now()];
    const versions = await liveVersions(q, unknown);
    const all = await compiled(q, versions);
    for (const id of unknown) {
      const entrances = entrancesOf(all.filter(({ workspaceId }) => workspaceId === id));
      found.set(id, entrances);
      if (changes === this.#changes) this.#workspaces.set(id, entrances, { start });
    }
    return found;
  }
}

/** A published version, and whether people enter it. */
type Live = Published & { current: boolean };

async function compiled(q: Queries, versions: LiveVersion[]): Promise<Live[]> {
  const current = new Set(versions.flatMap((one) => (one.current ? [graphOf(one.campaign_id, one.graph)] : [])));
  const all = await publishedVersions(q, versions);
  return all.map((one) => ({ ...one, current: current.has(graphOf(one.campaignId, one.graph)) }));
}

export const graphOf = (campaignId: string, graph: number): string => `${campaignId} ${graph}`;

function entrancesOf(versions: Live[]): Entrances {
  const byEvent = new Map<string, Listening>();
  const byAudience: Published[] = [];
  const at = (name: string): Listening => {
    const known = byEvent.get(name) ?? { starts: [], cancels: [], goals: [], waited: false };
    byEvent.set(name, known);
    return known;
  };
  const newest = new Map<string, Live>();
  for (const one of versions) {
    for (const { step } of one.journey.nodes.values())
      if (step.type === "wait_until" && step.event !== undefined) at(step.event).waited = true;
    if ((newest.get(one.campaignId)?.version ?? 0) < one.version) newest.set(one.campaignId, one);
    if (!one.current) continue;
    const { trigger } = one.definition;
    if (trigger.type === "event") at(trigger.name).starts.push(one);
    if (trigger.type === "audience") byAudience.push(one);
  }
  for (const one of newest.values()) {
    const { cancel_on, goal } = one.definition;
    if (cancel_on) at(cancel_on.event).cancels.push(one);
    if (goal) at(goal.event).goals.push(one);
  }
  return { byEvent, byAudience, graphs: new Map(versions.map((one) => [graphOf(one.campaignId, one.graph), one])) };
}
