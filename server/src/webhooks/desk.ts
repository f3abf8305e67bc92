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
  type Claimed,
  claimDue,
  LEASE_SECONDS,
  releaseClaimed,
  settleClaimed,
  takeBackClaimed,
} from "./delivery-store.ts";
import { isHopeless, verdictOf } from "./retry.ts";
import { type DisabledReason, disableWebhook, markFailing, markWorking, type WebhookRow } from "./store.ts";

/** Calls under way to one endpoint: enough for a quick one, few enough not to flood a slow one. */
const MOST_AT_ONCE = 8;
/** In the memory of this process for one endpoint; with MOST_AT_ONCE and 10 s a call, all are tried within the lease. */
const MOST_OF_ONE = 32;
/** Of all endpoints. */
const MOST_HELD = 512;
/** Of one workspace: fifty endpoints that hang leave three quarters to the others. Where others do the same, half of what is left. */
const MOST_OF_WORKSPACE = 128;
/** A call begins only with this much of the lease left: it may take 10 s, and another process must not send it meanwhile. */
const MARGIN_MS = 15_000;

/** How long a stop waits for calls under way, and for the end of those that it cut; the whole process has 10 s. */
const GRACE_MS = 4_000;
const CUT_MS = 2_000;

/** What is counted of the calls to endpoints. */
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

/** Where deliveries are claimed and tried. */
export interface Desk {
  /** Leases and tries what is due, for each endpoint as many as there is room for. */
  claim(endpoints: WebhookRow[]): Promise<void>;
  /** How many more of each endpoint can be taken, of those that have room: all of them together, too. */
  rooms(endpoints: Pick<WebhookRow, "id" | "workspace_id">[]): { webhookId: string; room: number }[];
  /** Takes deliveries over. @param since when they were claimed, by performance.now() */
  take(hook: WebhookRow, claimed: Claimed[], since: number): void;
  /** Gives back what was not begun, lets what is under way finish for a moment, and gives up the rest. */
  stop(): Promise<void>;
}

/** @param roomAgain runs when an endpoint that was full is half empty */
export function createDesk(ground: Ground, roomAgain: () => void): Desk {
  const release = (claimed: Claimed[]) => releaseClaimed(ground.workDb, claimed);
  const leases = new Leases<Claimed>({ seconds: LEASE_SECONDS, release });
  const room = new Room({ most: MOST_HELD, each: MOST_OF_ONE, least: 1 });
  const unbounded = Number.POSITIVE_INFINITY;
  const calls = fairShare({ of: "webhook calls", most: unbounded, each: MOST_AT_ONCE, held: unbounded });
  const ending = new AbortController();
  /** Endpoints and workspaces, as far as they have anything here. */
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
    if (endpoint.held === 0 || (hadEnough && !room.hasEnough(endpoint))) roomAgain();
  }

  async function work(hook: WebhookRow, lease: Lease<Claimed>): Promise<void> {
    try {
      await calls.run(hook.id, () => deliver(ground, hook, lease, ending.signal));
    } catch (error) {
      const said = { webhook_id: encodeId("whk", hook.id), err: String(error) };
      ground.log.warn(said, "a webhook attempt was lost");
    } finally {
      leave(hook);
    }
  }

  const desk: Desk = {
    async claim(endpoints) {
      const { workDb } = ground;
      const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
      await leases.takeBack((lost) => takeBackClaimed(workDb, lost, [...byId.keys()]));
      const rooms = desk.rooms(endpoints);
      if (rooms.length === 0) return;
      const { items, since } = await leases.claim((leaseId) => claimDue(workDb, leaseId, rooms));
      for (const [id, mine] of Map.groupBy(items, (one) => one.webhookId))
        desk.take(byId.get(id) as WebhookRow, mine, since);
    },
    rooms(endpoints) {
      const rooms: { webhookId: string; room: number }[] = [];
      const most = room.share();
      let free = room.free();
      for (const [workspaceId, all] of Map.groupBy(endpoints, (endpoint) => endpoint.workspace_id)) {
        // Who has least comes first: there may not be one for each.
        const wanting = all
          .map(({ id }) => ({ id, sharer: sharerOf(id) }))
          .filter(({ sharer }) => !room.hasEnough(sharer))
          .sort((a, b) => a.sharer.held - b.sharer.held);
        const theirs = sharerOf(workspaceId).held;
        let left = Math.min(MOST_OF_WORKSPACE, Math.ceil((free + theirs) / 2)) - theirs;
        for (const [i, { id, sharer }] of wanting.entries()) {
          const places = Math.min(most - sharer.held, Math.ceil(left / (wanting.length - i)));
          if (places <= 0) break;
          rooms.push({ webhookId: id, room: places });
          left -= places;
          free -= places;
        }
      }
      return rooms;
    },
    take(hook, claimed, since) {
      enter(hook, claimed.length);
      for (const one of claimed) leases.hold(one, since, (lease) => work(hook, lease));
    },
    async stop() {
      // A call that is cut comes again: each deploy would send the slow endpoints their events twice.
      await leases.stop(GRACE_MS);
      ending.abort();
      await leases.finish(CUT_MS);
    },
  };
  return desk;
}

/** One attempt and what comes of it: the row, the endpoint's health, and its end where it is hopeless. */
async function deliver(ground: Ground, hook: WebhookRow, lease: Lease<Claimed>, signal: AbortSignal): Promise<void> {
  // Left alone: it comes back when the lease is over.
  if (!isOurs(lease, MARGIN_MS)) return;
  lease.begun = true;
  const claimed = lease.item;
  const made = await attempt(ground, hook, { id: claimed.eventId, payload: claimed.payload }, signal);
  if (made.aborted) return void (await releaseClaimed(ground.workDb, [claimed]).catch(() => {}));
  const attempts = claimed.attempts + 1;
  const verdict = verdictOf(made, attempts, Math.random(), ground.clock.now());
  const waitMs = verdict.kind === "again" ? verdict.waitMs : undefined;
  const status = verdict.kind === "delivered" ? "delivered" : waitMs === undefined ? "failed" : "pending";
  ground.metrics.webhooks.inc({ outcome: status === "pending" ? "retry" : status });
  const write = async (tx: Tx) => {
    // The endpoint before the delivery, as `collect` does: the other way round a replay and an attempt could lock each other.
    if (verdict.kind === "delivered") await markWorking(tx, hook.workspace_id, hook.id);
    else if (verdict.kind === "gone") await disable(tx, ground, hook, "gone");
    else {
      const since = await markFailing(tx, hook.workspace_id, hook.id, verdict.restMs);
      if (isHopeless(since, ground.clock.now())) await disable(tx, ground, hook, "failing");
    }
    await settleClaimed(tx, claimed, { status, waitMs, entry: made.entry });
  };
  // A database that is away for a moment must not cause a second call.
  await writeEnd(lease, () => ground.workDb.transaction(write));
}

/** Stops sending there, and says so: in the endpoint, in the feed and in the log. */
async function disable(tx: Tx, ground: Ground, hook: WebhookRow, reason: DisabledReason): Promise<void> {
  const now = ground.clock.now();
  if ((await disableWebhook(tx, hook.workspace_id, hook.id, reason, now)) === 0) return;
  const webhookId = encodeId("whk", hook.id);
  await record(tx, [
    {
      workspaceId: hook.workspace_id,
      // Of nobody: a workspace's own id is the key of no person.
      personKey: hook.workspace_id,
      type: "webhook.disabled",
      at: now,
      data: { webhook_id: webhookId, reason },
    },
  ]);
  tx.afterCommit(() => ground.log.warn({ webhook_id: webhookId, reason }, "a webhook endpoint was disabled"));
}
