import type { Ground } from "../platform/ground.ts";
import { encodeId } from "../platform/ids.ts";
import { OutboundError } from "../platform/outbound-http/index.ts";
import { scrubber } from "../platform/scrub.ts";
import { signed } from "../platform/standard-webhooks.ts";
import type { AttemptLog } from "./delivery-store.ts";
import type { AttemptResult } from "./retry.ts";
import type { WebhookRow } from "./store.ts";

/** An endpoint must answer within this time: it should accept the event and do the work later. */
const TIMEOUT_MS = 10_000;
const KEPT_BYTES = 1_024;

/** The purpose with which a secret is sealed, so that a copy at another endpoint can't be opened. */
export const sealedFor = (webhookId: string): string => `webhook ${webhookId}`;

/** Sends one event to one endpoint once, signed with the current time. A fault of the endpoint is returned and never thrown. */
export async function attempt(
  ground: Ground,
  hook: Pick<WebhookRow, "id" | "url" | "secret" | "previous_secret" | "previous_until">,
  event: { id: string; payload: string },
  signal?: AbortSignal,
): Promise<AttemptResult & { entry: AttemptLog; aborted: boolean }> {
  const now = ground.clock.now();
  const entry: AttemptLog = { at: now.toISOString(), status: null, answer: "", error: null, duration_ms: 0 };
  const began = performance.now();
  const elapsed = () => Math.round(performance.now() - began);
  try {
    const secrets = secretsOf(ground, hook, now);
    const scrub = scrubber(secrets);
    const answer = await ground.fetchOut(hook.url, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        ...signed(encodeId("act", event.id), event.payload, secrets, now),
      },
      body: event.payload,
      timeoutMs: TIMEOUT_MS,
      maxBytes: KEPT_BYTES,
      cut: true,
      ...(signal && { signal }),
    });
    const { status } = answer;
    const error = status >= 300 && status < 400 ? "Redirects are not followed: give the final address." : null;
    return {
      status,
      retryAfter: answer.headers["retry-after"],
      entry: { ...entry, status, answer: scrub(readable(answer.body)), error, duration_ms: elapsed() },
      aborted: false,
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return {
      entry: { ...entry, error: error.message, duration_ms: elapsed() },
      aborted: error.failure === "aborted",
    };
  }
}

/** Returns the secrets that sign, the newest first: during a rotation there are two. */
function secretsOf(
  { seal }: Ground,
  hook: Pick<WebhookRow, "id" | "secret" | "previous_secret" | "previous_until">,
  now: Date,
): string[] {
  const overlaps = hook.previous_secret !== null && hook.previous_until !== null && hook.previous_until > now;
  const sealed = overlaps ? [hook.secret, hook.previous_secret as string] : [hook.secret];
  return sealed.map((text) => seal.open(text, sealedFor(hook.id)));
}

/** Converts an answer of any bytes to text that PostgreSQL can store. */
const readable = (body: Buffer): string => body.toString("utf8").replaceAll("\0", "\ufffd");
