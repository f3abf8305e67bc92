import { createHmac, timingSafeEqual } from "node:crypto";
import { TidingsError } from "./error.ts";

/** The headers of a webhook call: those of Node's request, of a framework, or a Headers object. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export interface WebhookEvent {
  /** Each attempt to call you has this id. Remember the ids that you have handled, to handle an event once. */
  id: string;
  /** The kind of event, e.g. `email.bounced`. */
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** An older call is refused as a possible replay; a clock may be wrong by as much. Standard Webhooks advises this value. */
const TOLERANCE_S = 300;

/**
 * Checks that Tidings made a webhook call, that nobody changed it and that it is at most 5 minutes old, and returns its event.
 * Signatures follow Standard Webhooks 1.0.
 * @param body the body as it came, before any parsing: one changed space makes the signature wrong
 * @param secret `whsec_...` as `POST /api/v1/webhooks` returned it, or several while a new one replaces an old one
 * @throws TidingsError with the code `webhook_invalid`
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): WebhookEvent {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures)
    throw invalid("one of its headers webhook-id, webhook-timestamp and webhook-signature is missing");
  const age = Date.now() / 1_000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > TOLERANCE_S)
    throw invalid(`its time is more than ${TOLERANCE_S / 60} minutes from now`);
  const secrets = typeof secret === "string" ? [secret] : secret;
  const right = secrets.map((one) => signatureOf(one, `${id}.${timestamp}.`, body));
  const shown = signatures
    .split(" ")
    .flatMap((one) => (one.startsWith("v1,") ? [Buffer.from(one.slice(3), "base64")] : []));
  // Compares in constant time: otherwise the duration would tell how many bytes of a guess are right.
  if (!right.some((mine) => shown.some((one) => one.length === mine.length && timingSafeEqual(one, mine))))
    throw invalid("its signature is wrong: either the secret is another one, or the body was changed");
  return JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8")) as WebhookEvent;
}

/** Returns the right signature. @throws TypeError for a secret under 16 bytes: with an empty key anybody could sign. */
function signatureOf(secret: string, head: string, body: string | Uint8Array): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (key.length < 16) throw new TypeError("secret must be the webhook's secret: whsec_...");
  return createHmac("sha256", key).update(head).update(body).digest();
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : found;
}

const invalid = (why: string): TidingsError =>
  new TidingsError("webhook_invalid", `This webhook call can't be trusted: ${why}.`);
