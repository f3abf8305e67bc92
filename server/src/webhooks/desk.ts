import { setTimeout as sleep } from "node:timers/promises";
import { record } from "../activity/index.ts";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { encodeId } from "../platform/ids.ts";
import { attempt } from "./attempt.ts";
import { type Claimed, LEASE_SECONDS, releaseClaimed, settleClaimed } from "./delivery-store.ts";
import { isHopeless, verdictOf } from "./retry.ts";
import { type DisabledReason, disableWebhook, markFailing, markWorking, type WebhookRow } from "./store.ts";

/** Calls under way to one endpoint: enough for a quick one, few enough not to flood a slow one. */
const MOST_AT_ONCE = 8;
/** In the memory of this process for one endpoint; with MOST_AT_ONCE and 10 s a call, all are tried within the lease. */
const MOST_OF_ONE = 32;
/** Of all endpoints. With many slow ones each new one gets less, so that there is always room for the rest. */
const MOST_HELD = 512;
/** Of one workspace: fifty endpoints that hang leave three quarters to the others. Where others do the same, half of what is left. */
const MOST_OF_WORKSPACE = 128;
/** A call begins only with this much of the lease left: it may take 10 s, and another process must not send it meanwhile. */
const MARGIN_MS = 15_000;

/** How long a stop waits for calls under way; the whole process has 10 s. */
const GRACE_MS = 4_000;

/** Where claimed deliveries are tried. */
export interface Desk {
  /** How many more of each endpoint can be taken, of those that have room: all of them together, too. */
  rooms(endpoints: Pick<WebhookRow, "id" | "workspace_id">[]): { webhookId: string; room: number }[];
  /** Takes deliveries over. @param since when they were claimed, by performance.now() */
  take(hook: WebhookRow, claimed: Claimed[], since: number): void;
  /** Gives back what was not begun, lets what is under way finish for a moment, and gives up the rest. */
  stop(): Promise<void>;
}

interface Lane {
  waiting: { hook: WebhookRow; claimed: Claimed; until: number }[];
  running: number;
}

/** @param roomAgain runs when an endpoint that was full is half empty */
export function createDesk(ground: Ground, roomAgain: () => void): Desk {
  const lanes = new Map<string, Lane>();
  const underWay = new Set<Promise<void>>();
  const ending = new AbortController();
  let held = 0;

  /** Of each workspace. */
  const heldOf = new Map<string, number>();

  function hold(workspaceId: string, more: number): void {
    held += more;
    const mine = (heldOf.get(workspaceId) ?? 0) + more;
    if (mine === 0) heldOf.delete(workspaceId);
    else heldOf.set(workspaceId, mine);
  }
  const heldBy = (webhookId: string): number => {
    const lane = lanes.get(webhookId);
    return lane ? lane.running + lane.waiting.length : 0;
  };
  const share = () => Math.min(MOST_OF_ONE, Math.max(1, Math.floor((MOST_HELD - held) / 8)));

  function pump(webhookId: string, lane: Lane): void {
    while (lane.running < MOST_AT_ONCE) {
      const next = lane.waiting.shift();
      if (!next) break;
      lane.running++;
      const work = deliver(ground, next.hook, next.claimed, next.until, ending.signal)
        .catch((error) => ground.log.warn({ webhook_id: webhookId, err: String(error) }, "a webhook attempt was lost"))
        .finally(() => {
          underWay.delete(work);
          lane.running--;
          hold(next.hook.workspace_id, -1);
          pump(webhookId, lane);
          const left = heldBy(webhookId);
          if (left === 0) lanes.delete(webhookId);
          if (left === 0 || left === MOST_OF_ONE / 2) roomAgain();
        });
      underWay.add(work);
    }
  }

  return {
    rooms(endpoints) {
      const rooms: { webhookId: string; room: number }[] = [];
      const most = share();
      let free = MOST_HELD - held;
      for (const [workspaceId, all] of Map.groupBy(endpoints, (endpoint) => endpoint.workspace_id)) {
        // Asked for again at half, so that a claim is worth its round trip. Who has least comes first: there may not be one for each.
        const wanting = all
          .map(({ id }) => ({ id, mine: heldBy(id) }))
          .filter(({ mine }) => mine <= MOST_OF_ONE / 2 && mine < most)
          .sort((a, b) => a.mine - b.mine);
        const theirs = heldOf.get(workspaceId) ?? 0;
        let left = Math.min(MOST_OF_WORKSPACE, Math.ceil((free + theirs) / 2)) - theirs;
        for (const [i, { id, mine }] of wanting.entries()) {
          const room = Math.min(most - mine, Math.ceil(left / (wanting.length - i)));
          if (room <= 0) break;
          rooms.push({ webhookId: id, room });
          left -= room;
          free -= room;
        }
      }
      return rooms;
    },
    take(hook, claimed, since) {
      const lane = lanes.get(hook.id) ?? { waiting: [], running: 0 };
      lanes.set(hook.id, lane);
      hold(hook.workspace_id, claimed.length);
      const until = since + LEASE_SECONDS * 1_000 - MARGIN_MS;
      for (const one of claimed) lane.waiting.push({ hook, claimed: one, until });
      pump(hook.id, lane);
    },
    async stop() {
      const idle = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0).map((entry) => entry.claimed));
      if (idle.length > 0) await releaseClaimed(ground.workDb, idle).catch(() => {});
      // A call that is cut comes again: each deploy would send the slow endpoints their events twice.
      await Promise.race([Promise.all(underWay), sleep(GRACE_MS, undefined, { signal: ending.signal, ref: false })]);
      ending.abort();
      await Promise.all(underWay);
    },
  };
}

/** One attempt and what comes of it: the row, the endpoint's health, and its end where it is hopeless. */
async function deliver(ground: Ground, hook: WebhookRow, claimed: Claimed, until: number, signal: AbortSignal) {
  // Left alone: it comes back when the lease is over.
  if (performance.now() > until) return;
  const made = await attempt(ground, hook, { id: claimed.eventId, payload: claimed.payload }, signal);
  if (made.aborted) return void (await releaseClaimed(ground.workDb, [claimed]).catch(() => {}));
  const attempts = claimed.attempts + 1;
  const verdict = verdictOf(made, attempts, Math.random(), ground.clock.now());
  const waitMs = verdict.kind === "again" ? verdict.waitMs : undefined;
  const status = verdict.kind === "delivered" ? "delivered" : waitMs === undefined ? "failed" : "pending";
  ground.metrics.webhooks.inc({ outcome: status === "pending" ? "retry" : status });
  await keepTrying(ground, claimed, until, async (tx) => {
    // The endpoint before the delivery, as `collect` does: the other way round a replay and an attempt could lock each other.
    if (verdict.kind === "delivered") await markWorking(tx, hook.workspace_id, hook.id);
    else if (verdict.kind === "gone") await disable(tx, ground, hook, "gone");
    else {
      const since = await markFailing(tx, hook.workspace_id, hook.id, verdict.restMs);
      if (isHopeless(since, ground.clock.now())) await disable(tx, ground, hook, "failing");
    }
    await settleClaimed(tx, claimed, { status, waitMs, entry: made.entry });
  });
}

/** Writes the end of an attempt. A database that is away for a moment must not cause a second call: it tries on in the lease. */
async function keepTrying(ground: Ground, claimed: Claimed, until: number, write: (tx: Tx) => Promise<void>) {
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    try {
      return await ground.workDb.transaction(write);
    } catch (error) {
      if (performance.now() > until) throw error;
      ground.log.debug({ webhook_id: claimed.webhookId, err: String(error) }, "the end of a webhook attempt must wait");
      await sleep(wait);
    }
  }
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
