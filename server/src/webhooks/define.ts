import type { WebhookInput, WebhookPatch } from "@tidings/contract/webhooks";
import { fromNow, positionAt } from "../activity/index.ts";
import type { Tx } from "../platform/db/index.ts";
import type { Ground } from "../platform/ground.ts";
import { notFound, Problem } from "../platform/http/index.ts";
import { encodeId, newId } from "../platform/ids.ts";
import { checkedAddress } from "../platform/outbound-http/index.ts";
import { progressed } from "../platform/resources/progress.ts";
import { newSealedSecret, overlapEnd } from "../platform/standard-webhooks.ts";
import { sealedFor } from "./attempt.ts";
import { type LogFilter, repeatDelivery, repeatLogged } from "./delivery-store.ts";
import {
  beginReplay,
  countForInsert,
  deleteWebhook,
  insertWebhook,
  moveWebhook,
  moveWebhookBack,
  updateWebhook,
  type WebhookChange,
  type WebhookRow,
  webhookById,
} from "./store.ts";

/** The signal that an endpoint was added or changed, or has events to send again. The table is the truth. */
export const WEBHOOKS_CHANGED = "webhooks.changed";

/** The most endpoints of one workspace. Each reads the whole activity, so a script with a fault must not create thousands. */
const MOST_ENDPOINTS = 50;

/** @throws Problem invalid_request, address_not_allowed */
const checkedUrl = ({ config }: Ground, text: string): string =>
  checkedAddress(config, text, { at: "/url", signedBy: "each call is signed, see docs/webhooks.md" }).href;

/** Adds an endpoint, which gets all events from now on. @throws Problem as checkedUrl, limit_reached */
export async function createWebhook(tx: Tx, ground: Ground, workspaceId: string, input: WebhookInput) {
  const url = checkedUrl(ground, input.url);
  if ((await countForInsert(tx, workspaceId)) >= MOST_ENDPOINTS)
    throw new Problem("limit_reached", `A workspace has at most ${MOST_ENDPOINTS} webhooks. Remove one first.`);
  const id = newId();
  const { secret, sealed } = newSealedSecret(ground, sealedFor(id));
  const hook = { workspaceId, id, url, description: input.description ?? "", types: input.types ?? [], secret: sealed };
  const row = await insertWebhook(tx, hook, await fromNow(tx), ground.clock.now());
  tx.signal(WEBHOOKS_CHANGED, [workspaceId]);
  return { row, secret };
}

/**
 * Changes an endpoint. An endpoint that is enabled again gets the events from then on; a replay sends those that it missed.
 * @throws Problem not_found and as checkedUrl
 */
export async function changeWebhook(
  tx: Tx,
  ground: Ground,
  workspaceId: string,
  { id, patch }: { id: string; patch: WebhookPatch },
): Promise<WebhookRow> {
  const now = ground.clock.now();
  const before = await webhookById(tx, workspaceId, id);
  if (!before) throw notFound("webhook");
  const { enabled, url, ...rest } = patch;
  const change: WebhookChange = { ...rest, ...(url !== undefined && { url: checkedUrl(ground, url) }) };
  if (enabled === false && before.enabled)
    Object.assign(change, {
      enabled,
      disabled_at: now,
      disabled_reason: "manual",
      replay_since: null,
      replay_until: null,
    });
  if (enabled === true && !before.enabled) {
    await moveWebhook(tx, workspaceId, id, await fromNow(tx));
    const healthy = { disabled_at: null, disabled_reason: null, failing_since: null, resting_until: null };
    Object.assign(change, { enabled, ...healthy });
  }
  const row = await updateWebhook(tx, workspaceId, { id, change, now });
  if (!row) throw notFound("webhook");
  tx.signal(WEBHOOKS_CHANGED, [workspaceId]);
  return row;
}

/** Removes an endpoint. Calls under way are finished; retention deletes its log. @throws Problem not_found */
export async function removeWebhook(tx: Tx, workspaceId: string, id: string): Promise<void> {
  if ((await deleteWebhook(tx, workspaceId, id)) === 0) throw notFound("webhook");
  tx.signal(WEBHOOKS_CHANGED, [workspaceId]);
}

/**
 * Makes a new secret, which signs at once. The previous one signs too, for `overlapHours`. Returns the row, with `made`: what is shown once.
 * @throws Problem not_found
 */
export async function rotateSecret(
  tx: Tx,
  ground: Ground,
  workspaceId: string,
  { id, overlapHours }: { id: string; overlapHours?: number | undefined },
) {
  const now = ground.clock.now();
  const before = await webhookById(tx, workspaceId, id);
  if (!before) throw notFound("webhook");
  const until = overlapEnd(now, overlapHours);
  const { secret, sealed } = newSealedSecret(ground, sealedFor(id));
  const change = { secret: sealed, previous_secret: before.secret, previous_until: until, secret_changed_at: now };
  const row = await updateWebhook(tx, workspaceId, { id, change, now });
  if (!row) throw notFound("webhook");
  tx.signal(WEBHOOKS_CHANGED, [workspaceId]);
  return { ...row, made: { secret, previous_valid_until: until.toISOString() } };
}

/** @throws Problem not_found, webhook_disabled */
async function enabledWebhook(tx: Tx, workspaceId: string, id: string): Promise<WebhookRow> {
  const hook = await webhookById(tx, workspaceId, id);
  if (!hook) throw notFound("webhook");
  if (!hook.enabled)
    throw new Problem("webhook_disabled", "The webhook is disabled. Enable it first: PATCH it with enabled true.");
  return hook;
}

/** Sends every event since an instant again. Earlier ones may come too (`positionAt`). @throws Problem not_found, webhook_disabled */
export async function replaySince(
  tx: Tx,
  workspaceId: string,
  id: string,
  { since, now }: { since: Date; now: Date },
): Promise<WebhookRow> {
  const row = await enabledWebhook(tx, workspaceId, id);
  await moveWebhookBack(tx, workspaceId, id, await positionAt(tx, workspaceId, since));
  await beginReplay(tx, workspaceId, id, { since, until: now });
  progressed(tx, workspaceId, encodeId("whk", id));
  tx.signal(WEBHOOKS_CHANGED, [workspaceId]);
  return row;
}

/** The most deliveries that one call sends again: it takes a second. */
const MOST_REPEATED = 10_000;

/** Sends again what the log has. @throws Problem not_found, webhook_disabled */
export async function replayLogged(tx: Tx, workspaceId: string, id: string, filter: LogFilter) {
  const row = await enabledWebhook(tx, workspaceId, id);
  const { count, last } = await repeatLogged(tx, workspaceId, { webhookId: id, filter, most: MOST_REPEATED });
  tx.signal(WEBHOOKS_CHANGED, [workspaceId]);
  return { row, count, last };
}

/** Sends one event again at once, with all its attempts. @throws Problem not_found, webhook_disabled */
export async function replayOne(
  tx: Tx,
  workspaceId: string,
  id: string,
  eventId: string | undefined,
): Promise<WebhookRow> {
  const row = await enabledWebhook(tx, workspaceId, id);
  if (eventId === undefined || (await repeatDelivery(tx, workspaceId, id, eventId)) === 0)
    throw notFound("webhook delivery");
  tx.signal(WEBHOOKS_CHANGED, [workspaceId]);
  return row;
}

/** The action and the resource of an entry in the log of changes. */
export const webhookEntry = (done: string, { id, url }: Pick<WebhookRow, "id" | "url">) => ({
  action: `webhook.${done}`,
  resource: { type: "webhook", id: encodeId("whk", id), name: url },
});
