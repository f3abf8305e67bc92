import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { ProviderKind } from "@tidings/contract/messages/providers";
import { boundedCache } from "../../platform/limits/cache.ts";
import type { Ground } from "../../platform/ground.ts";
import { FRESH_MS } from "../../platform/signals/index.ts";
import { kindOf } from "../providers/index.ts";
import type { Reachable } from "../providers/protocol/provider.ts";
import type { QueueGround } from "../queue/dispatcher.ts";
import { providersFor } from "./provider-store.ts";
import { PROVIDERS_CHANGED } from "./registry.ts";

const MOST = 10_000;

/** What a trigger asks about a workspace's providers before it answers. */
export interface Senders {
  /** Whether its emails need a sender of their own, because a real provider takes them: only the local provider has a default sender. */
  needsSender(workspaceId: string): Promise<boolean>;
  /** Whether any provider reaches one of these devices. A workspace without a provider uses the local one, which reaches all. */
  reaches(workspaceId: string, devices: Reachable[]): Promise<boolean>;
}

/** The ground of code that decides on a message and queues it. The roof adds the field. */
export interface OutboundGround extends QueueGround {
  readonly senders: Senders;
}

/**
 * Keeps the kinds of a workspace's providers for FRESH_MS, and drops them at once when a provider changes. A delivery that can't be
 * sent because they were out of date fails with its reason.
 */
export function sendersOf(ground: Ground): Senders {
  const known = boundedCache<Promise<ProviderKind[]>>(MOST, { ttl: FRESH_MS });
  ground.signals.subscribe(PROVIDERS_CHANGED, () => known.clear());

  function kindsOf(workspaceId: string, channel: PushedChannel): Promise<ProviderKind[]> {
    const key = `${workspaceId} ${channel}`;
    let kinds = known.get(key);
    if (!kinds) {
      kinds = providersFor(ground.db, { workspaceId, channel }).then((rows) => rows.map((row) => row.kind));
      known.set(key, kinds);
      kinds.catch(() => known.delete(key));
    }
    return kinds;
  }

  return {
    needsSender: async (workspaceId) => (await kindsOf(workspaceId, "email")).some((kind) => kind !== "local"),
    async reaches(workspaceId, devices) {
      const kinds = await kindsOf(workspaceId, "push");
      return (
        kinds.length === 0 || devices.some((device) => kinds.some((kind) => kindOf(kind)?.reaches?.(device) ?? true))
      );
    },
  };
}
