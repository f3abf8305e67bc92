import { Counter, type Registry } from "prom-client";
import { record } from "../activity/index.ts";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { encodeId } from "../platform/ids.ts";
import { byItself, recordChange } from "../platform/resources/changes.ts";
import { type Calls, createCalls } from "../platform/work/calls.ts";
import { type Lease, writeEnd } from "../platform/work/leases.ts";
import { attempt } from "./attempt.ts";
import { type ClaimedCall, claimDue, releaseClaimed, settleClaimed, takeBackClaimed } from "./delivery-store.ts";
import { webhookEntry } from "./define.ts";
import { mustDisable, outcomeOf } from "./retry.ts";
import { type DisabledReason, disableWebhook, markFailing, markWorking, type WebhookRow } from "./store.ts";

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
export type WebhookSender = Calls<WebhookRow, ClaimedCall>;

/** @param onRoom is called when an endpoint that was full is half empty */
export const createSender = (ground: Ground, onRoom: () => void): WebhookSender =>
  createCalls<WebhookRow, ClaimedCall>({
    of: "webhook calls",
    claim: (leaseId, rooms) => claimDue(ground.workDb, leaseId, rooms),
    release: (claimed) => releaseClaimed(ground.workDb, claimed),
    takeBack: (lost, endpoints) => takeBackClaimed(ground.workDb, lost, endpoints),
    lineOf: ({ webhookId }) => webhookId,
    call: (hook, lease, signal) => deliver(ground, hook, lease, signal),
    onLost(hook, error) {
      const fields = { webhook_id: encodeId("whk", hook.id), err: String(error) };
      ground.log.warn(fields, "a webhook attempt was lost");
    },
    onRoom,
  });

/** Makes one attempt and writes its outcome: the row, the endpoint's health, and whether the endpoint is disabled. */
async function deliver(
  ground: Ground,
  hook: WebhookRow,
  lease: Lease<ClaimedCall>,
  signal: AbortSignal,
): Promise<void> {
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
  const changes = [
    { field: "/enabled", from: true, to: false },
    { field: "/disabled_reason", to: reason },
  ];
  await recordChange(tx, byItself(hook.workspace_id), { ...webhookEntry("disabled", hook), changes, now });
  tx.afterCommit(() => ground.log.warn({ webhook_id: webhookId, reason }, "a webhook endpoint was disabled"));
}
