import type { CatalogGround } from "../../catalog/index.ts";
import type { OutboundGround } from "../../outbound/index.ts";
import { boundedCache } from "../../platform/limits/cache.ts";
import type { Queries } from "../../platform/db/index.ts";
import { FRESH_MS, type Signals } from "../../platform/signals/index.ts";
import { waitsByPerson } from "../rules/turn.ts";
import { type Published, publishedVersions } from "./published.ts";
import { type LiveVersion, liveVersions } from "./version-store.ts";

/** Signal that campaigns of these workspaces were activated, paused, resumed, changed or archived. */
export const CAMPAIGNS_CHANGED = "campaigns.changed";

/** The campaigns that react to events of one name. */
export interface EventListeners {
  /** Active campaigns whose trigger is the event. */
  starts: Published[];
  /** Campaigns whose `cancel_on` is the event. */
  cancels: Published[];
  /** Campaigns whose goal is the event. */
  goals: Published[];
  /** Whether a step of any version waits for the event. */
  waited: boolean;
}

/** The events and audiences that a workspace's campaigns react to. */
export interface Entrances {
  byEvent: Map<string, EventListeners>;
  /** Active campaigns whose trigger is an audience. */
  byAudience: Published[];
  /** Whether a message step of any version escalates. */
  escalates: boolean;
  /** The campaigns that have, in any version, a step at which runs wait for a date of their person, or for a time where the person is. */
  waitByPerson: Set<string>;
  /** The newest version of each graph, by `graphKey`. */
  graphs: Map<string, Published>;
}

/** The most workspaces in the cache. */
const MOST_WORKSPACES = 10_000;

/**
 * Caches the events and audiences that each workspace's campaigns react to. So an event that no campaign reacts to costs one look-up in a
 * Map. `load` reads a workspace that is not in the cache.
 */
export class EntranceIndex {
  readonly #workspaces = boundedCache<Entrances>(MOST_WORKSPACES, { ttl: FRESH_MS });
  /** Counts the signals, so that a read that began before a change is not cached after it. */
  #changes = 0;

  constructor(signals: Pick<Signals, "subscribe">) {
    signals.subscribe(CAMPAIGNS_CHANGED, (workspaceIds) => {
      this.#changes++;
      for (const id of workspaceIds) this.#workspaces.delete(id);
    });
  }

  /** Returns the cached entrances of a workspace; undefined where `load` must read them. */
  cached(workspaceId: string): Entrances | undefined {
    return this.#workspaces.get(workspaceId);
  }

  /** Returns the entrances of these workspaces, from the cache or the database. */
  async load(q: Queries, workspaceIds: string[]): Promise<Map<string, Entrances>> {
    const found = new Map<string, Entrances>();
    const unknown: string[] = [];
    for (const id of new Set(workspaceIds)) {
      const entrances = this.cached(id);
      if (entrances) found.set(id, entrances);
      else unknown.push(id);
    }
    if (unknown.length === 0) return found;
    const [changes, start] = [this.#changes, performance.now()];
    const versions = await liveVersions(q, unknown);
    const all = await loadGraphs(q, versions);
    for (const id of unknown) {
      const entrances = entrancesOf(all.filter(({ workspaceId }) => workspaceId === id));
      found.set(id, entrances);
      if (changes === this.#changes) this.#workspaces.set(id, entrances, { start });
    }
    return found;
  }
}

/** The ground of this slice. */
export interface CampaignsGround extends OutboundGround, CatalogGround {
  entrances: EntranceIndex;
}

/** A published version, and whether people enter it now. */
type LiveGraph = Published & { current: boolean };

async function loadGraphs(q: Queries, versions: LiveVersion[]): Promise<LiveGraph[]> {
  const current = new Set(versions.flatMap((one) => (one.current ? [graphKey(one.campaign_id, one.graph)] : [])));
  const all = await publishedVersions(q, versions);
  return all.map((one) => ({ ...one, current: current.has(graphKey(one.campaignId, one.graph)) }));
}

export const graphKey = (campaignId: string, graph: number): string => `${campaignId} ${graph}`;

function entrancesOf(versions: LiveGraph[]): Entrances {
  const byEvent = new Map<string, EventListeners>();
  const byAudience: Published[] = [];
  const listenersOf = (name: string): EventListeners => {
    const listeners = byEvent.get(name) ?? { starts: [], cancels: [], goals: [], waited: false };
    byEvent.set(name, listeners);
    return listeners;
  };
  let escalates = false;
  const waitByPerson = new Set<string>();
  const newest = new Map<string, LiveGraph>();
  for (const one of versions) {
    for (const { step } of one.journey.nodes.values()) {
      if (step.type === "wait_until" && step.event !== undefined) listenersOf(step.event).waited = true;
      if (waitsByPerson(step)) waitByPerson.add(one.campaignId);
      escalates ||= step.type === "message" && (step.escalate?.length ?? 0) > 0;
    }
    if ((newest.get(one.campaignId)?.version ?? 0) < one.version) newest.set(one.campaignId, one);
    if (!one.current) continue;
    const { trigger } = one.definition;
    if (trigger.type === "event") listenersOf(trigger.name).starts.push(one);
    if (trigger.type === "audience") byAudience.push(one);
  }
  for (const one of newest.values()) {
    const { cancel_on, goal } = one.definition;
    if (cancel_on) listenersOf(cancel_on.event).cancels.push(one);
    if (goal) listenersOf(goal.event).goals.push(one);
  }
  const graphs = new Map(versions.map((one) => [graphKey(one.campaignId, one.graph), one]));
  return { byEvent, byAudience, escalates, waitByPerson, graphs };
}
