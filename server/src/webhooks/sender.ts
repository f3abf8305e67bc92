import { Counter, type Registry } from "prom-client";
import { record } from "../activity/index.ts";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { encodeId } from "../platform/ids.ts";
import { fairShare } from "../platform/limits/fair-share.ts";
import { isOurs, type Lease, Leases, writeEnd } from "../platform/work/leases.ts";
import { Room, type Sharer } from "../platform/work/room.ts";
import { attempt } from "./attempt.ts";
import {
  type ClaimedCall,
  claimDue,
  LEASE_SECONDS,
  releaseClaimed,
  settleClaimed,
  takeBackClaimed,
} from "./delivery-store.ts";
import { mustDisable, outcomeOf } from "./retry.ts";
import { type DisabledReason, disableWebhook, markFailing, markWorking, type WebhookRow } from "./store.ts";

/** Concurrent calls to one endpoint: enough for a quick one, and not too many for a slow one. */
const MOST_AT_ONCE = 8;
/** Deliveries of one endpoint in the memory of this process. With MOST_AT_ONCE and 10 s a call, all are tried within the lease. */
const MOST_OF_ONE = 32;
/** Deliveries of all endpoints in the memory of this process. */
const MOST_HELD = 512;
/**
 * Deliveries of one workspace in the memory of this process. Fifty endpoints that hang leave three quarters to other workspaces. If
 * those hang too, each next workspace gets half of the rest.
 */
const MOST_OF_WORKSPACE = 128;
/** A call begins only if its lease lasts for this time: it may take 10 s, and no other process may send it meanwhile. */
const MARGIN_MS = 15_000;

/** How long a stop waits for calls under way, and then for the calls that it aborts. The whole process has 10 s. */
const GRACE_MS = 4_000;
const ABORT_MS = 2_000;

/** The metrics of the calls to endpoints. */
export const webhookMetrics = (registry: Registry) => ({
  webhooks: new Counter({
    name: "tidings_webhook_attempts_total",
    help: "Calls to webhook endpoints, by outcome (delivered, retry, failed)",
    labelNames: ["outcome"] as const,
    registers: [registry],
  }),
});

type WebhookMetrics = ReturnType<typeof webhookMetrics>;

declare module "../platform/metrics.ts" {
  interface Metrics extends WebhookMetrics {}
}

/** Claims deliveries and sends them to their endpoints. */
export interface WebhookSender {
  /** Leases and sends due deliveries, for each endpoint as many as there is room for. */
  claim(endpoints: WebhookRow[]): Promise<void>;
  /** Returns how many more deliveries of each endpoint fit. All of them fit together. Endpoints without room are left out. */
  rooms(endpoints: Pick<WebhookRow, "id" | "workspace_id">[]): { webhookId: string; room: number }[];
  /** Accepts claimed deliveries and sends them. @param since when they were claimed, by performance.now() */
  take(hook: WebhookRow, claimed: ClaimedCall[], since: number): void;
  /** Releases the deliveries that have not begun, waits some seconds for calls under way, and aborts the rest. */
  stop(): Promise<void>;
}

/** @param onRoom is called when an endpoint that was full is half empty */
export function createSender(ground: Ground, onRoom: () => void): WebhookSender {
  const release = (claimed: ClaimedCall[]) => releaseClaimed(ground.workDb, claimed);
  const leases = new Leases<ClaimedCall>({ seconds: LEASE_SECONDS, release });
  const room = new Room({ most: MOST_HELD, each: MOST_OF_ONE, least: 1 });
  const unbounded = Number.POSITIVE_INFINITY;
  const calls = fairShare({ of: "webhook calls", most: unbounded, each: MOST_AT_ONCE, held: unbounded });
  const ending = new AbortController();
  /** The endpoints and workspaces that have deliveries here. */
  const sharers = new Map<string, Sharer>();
  const sharerOf = (id: string): Sharer => sharers.get(id) ?? { held: 0 };

  function enter(hook: WebhookRow, count: number): void {
    const [endpoint, workspace] = [sharerOf(hook.id), sharerOf(hook.workspace_id)];
    room.enter(endpoint, count);
    workspace.held += count;
    sharers.set(hook.id, endpoint).set(hook.workspace_id, workspace);
  }

  function leave(hook: WebhookRow): void {
    const [endpoint, workspace] = [sharerOf(hook.id), sharerOf(hook.workspace_id)];
    const hadEnough = room.hasEnough(endpoint);
    room.leave(endpoint);
    workspace.held--;
    if (endpoint.held === 0) sharers.delete(hook.id);
    if (workspace.held === 0) sharers.delete(hook.workspace_id);
    if (endpoint.held === 0 || (hadEnough && !room.hasEnough(endpoint))) onRoom();
  }

  async function work(hook: WebhookRow, lease: Lease<ClaimedCall>): Promise<void> {
    try {
      await calls.run(hook.id, () => deliver(ground, hook, lease, ending.signal));
    } catch (error) {
      const fields = { webhook_id: encodeId("whk", hook.id), err: String(error) };
      ground.log.warn(fields, "a webhook attempt was lost");
    } finally {
      leave(hook);
    }
  }

  const sender: WebhookSender = {
    async claim(endpoints) {
      const { workDb } = ground;
      const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
      await leases.takeBack((lost) => takeBackClaimed(workDb, lost, [...byId.keys()]));
      const rooms = sender.rooms(endpoints);
      if (rooms.length === 0) return;
      const { items, since } = await leases.claim((leaseId) => claimDue(workDb, leaseId, rooms));
      for (const [id, mine] of Map.groupBy(items, (one) => one.webhookId))
        sender.take(byId.get(id) as WebhookRow, mine, since);
    },
    rooms(endpoints) {
      const rooms: { webhookId: string; room: number }[] = [];
      const most = room.share();
      let free = room.free();
      for (const [workspaceId, all] of Map.groupBy(endpoints, (endpoint) => endpoint.workspace_id)) {
        // The endpoint with the fewest deliveries comes first, because there may not be room for all.
        const wanting = all
          .map(({ id }) => ({ id, sharer: sharerOf(id) }))
          .filter(({ sharer }) => !room.hasEnough(sharer))
          .sort((a, b) => a.sharer.held - b.sharer.held);
        const held = sharerOf(workspaceId).held;
        let left = Math.min(MOST_OF_WORKSPACE, Math.ceil((free + held) / 2)) - held;
        for (const [i, { id, sharer }] of wanting.entries()) {
          const count = Math.min(most - sharer.held, Math.ceil(left / (wanting.length - i)));
          if (count <= 0) break;
          rooms.push({ webhookId: id, room: count });
          left -= count;
          free -= count;
        }
      }
      return rooms;
    },
    take(hook, claimed, since) {
      enter(hook, claimed.length);
      for (const one of claimed) leases.hold(one, since, (lease) => work(hook, lease));
    },
    async stop() {
      // A call that is aborted is repeated: without the wait, each deploy would send slow endpoints their events twice.
      await leases.stop(GRACE_MS);
      ending.abort();
      await leases.finish(ABORT_MS);
    },
  };
  return sender;
}

/** Makes one attempt and writes its outcome: the row, the endpoint's health, and whether the endpoint is disabled. */
async function deliver(
  ground: Ground,
  hook: WebhookRow,
  lease: Lease<ClaimedCall>,
  signal: AbortSignal,
): Promise<void> {
  // Not sent: the row is due again when the lease ends.
  if (!isOurs(lease, MARGIN_MS)) return;
  lease.begun = true;
  const claimed = lease.item;
  const result = await attempt(ground, hook, { id: claimed.eventId, payload: claimed.payload }, signal);
  if (result.aborted) return void (await releaseClaimed(ground.workDb, [claimed]).catch(() => {}));
  const attempts = claimed.attempts + 1;
  const outcome = outcomeOf(result, attempts, Math.random(), ground.clock.now());
  const waitMs = outcome.kind === "retry" ? outcome.waitMs : undefined;
  const status = outcome.kind === "delivered" ? "delivered" : waitMs === undefined ? "failed" : "pending";
  ground.metrics.webhooks.inc({ outcome: status === "pending" ? "retry" : status });
  const write = async (tx: Tx) => {
    // The endpoint is locked before the delivery, as `collect` does. In the other order, a replay and an attempt could deadlock.
    if (outcome.kind === "delivered") await markWorking(tx, hook.workspace_id, hook.id);
    else if (outcome.kind === "gone") await disable(tx, ground, hook, "gone");
    else {
      const since = await markFailing(tx, hook.workspace_id, hook.id, outcome.restMs);
      if (mustDisable(since, ground.clock.now())) await disable(tx, ground, hook, "failing");
    }
    await settleClaimed(tx, claimed, { status, waitMs, entry: result.entry });
  };
  // The write is repeated, so that a database that is unreachable for a moment does not cause a second call.
  await writeEnd(lease, () => ground.workDb.transaction(write));
}

/** Disables an endpoint, with an event in the feed and an entry in the log. */
async function disable(tx: Tx, ground: Ground, hook: WebhookRow, reason: DisabledReason): Promise<void> {
  const now = ground.clock.now();
  if ((await disableWebhook(tx, hook.workspace_id, { id: hook.id, reason, now })) === 0) return;
  const webhookId = encodeId("whk", hook.id);
  await record(tx, [
    {
      workspaceId: hook.workspace_id,
      // The event belongs to no person: a workspace's own id is never a person's key.
      personKey: hook.workspace_id,
      type: "webhook.disabled",
      at: now,
      data: { webhook_id: webhookId, reason },
    },
  ]);
  tx.afterCommit(() => ground.log.warn({ webhook_id: webhookId, reason }, "a webhook endpoint was disabled"));
}
