import type { Ground } from "../platform/ground.ts";
import { decodeId, encodeId } from "../platform/ids.ts";
import { readable, signedCall } from "../platform/outbound-http/index.ts";
import { liveSecrets } from "../platform/standard-webhooks.ts";
import type { AttemptLog } from "./delivery-store.ts";
import type { AttemptResult } from "./retry.ts";
import type { WebhookRow } from "./store.ts";

const KEPT_BYTES = 1_024;

/** The purpose with which a secret is sealed, so that a copy at another endpoint can't be opened. */
export const sealedFor = (webhookId: string): string => `webhook ${webhookId}`;

/** Returns the UUID of the delivery that an event is about, else its own. */
function aboutOf({ id, payload }: { id: string; payload: string }): string {
  const { delivery_id: delivery } = (JSON.parse(payload) as { data: { delivery_id: string | null } }).data;
  return (delivery && decodeId("dlv", delivery)) || id;
}

/** Sends one event to one endpoint once, signed with the current time. A fault of the endpoint is returned and never thrown. */
export async function attempt(
  ground: Ground,
  hook: Pick<WebhookRow, "id" | "url" | "secret" | "previous_secret" | "previous_until">,
  event: { id: string; payload: string },
  signal?: AbortSignal,
): Promise<AttemptResult & { entry: AttemptLog; aborted: boolean }> {
  const { at, status, headers, body, error, durationMs, failure, scrub } = await signedCall(ground, {
    url: hook.url,
    id: encodeId("act", event.id),
    body: event.payload,
    secrets: liveSecrets(ground, hook, { purpose: sealedFor(hook.id), now: ground.clock.now() }),
    keptBytes: KEPT_BYTES,
    signal,
    trace: ["call of a webhook", ground.traces.on ? aboutOf(event) : event.id],
  });
  const answer = scrub(readable(body));
  const entry: AttemptLog = { at: at.toISOString(), status, answer, error, duration_ms: durationMs };
  return {
    ...(status !== null && { status }),
    retryAfter: headers["retry-after"] as string | undefined,
    entry,
    aborted: failure === "aborted",
  };
}
