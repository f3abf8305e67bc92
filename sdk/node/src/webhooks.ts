import { createHmac, timingSafeEqual } from "node:crypto";
import { TidingsError } from "./error.ts";

/** The headers of the call: those of Node's request, of a framework, or a Headers object. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export interface WebhookEvent {
  /** The same on each attempt: keep those that you have seen. */
  id: string;
  /** `email.bounced`, for example. */
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** A copy of an old call is refused, and a clock may be wrong by as much: what Standard Webhooks advises. */
const TOLERANCE_S = 300;

/**
 * The event of a call that a webhook got, once it is sure that Tidings made it, that nobody changed it and that it is not old.
 * Signatures are those of Standard Webhooks 1.0.
 * @param body the body as it came, before any parsing: a changed blank is a changed body
 * @param secret `whsec_...` as `POST /api/v1/webhooks` gave it, or several while they change over
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
    throw invalid("its headers webhook-id, -timestamp and -signature are not all there");
  const age = Date.now() / 1_000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > TOLERANCE_S)
    throw invalid(`its time is more than ${TOLERANCE_S / 60} minutes from now`);
  const secrets = typeof secret === "string" ? [secret] : secret;
  const right = secrets.map((one) => signatureOf(one, `${id}.${timestamp}.`, body));
  const shown = signatures
    .split(" ")
    .flatMap((one) => (one.startsWith("v1,") ? [Buffer.from(one.slice(3), "base64")] : []));
  // In constant time: how long a comparison took would tell how much of a guess was right.
  if (!right.some((mine) => shown.some((one) => one.length === mine.length && timingSafeEqual(one, mine))))
    throw invalid("its signature is not right: the secret is another one, or the body is not as it came");
  return JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8")) as WebhookEvent;
}

/** @throws TypeError for a secret that signs nothing: with an empty key anybody could sign */
function signatureOf(secret: string, head: string, body: string | Uint8Array): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  if (key.length < 16) throw new TypeError("secret must be the webhook's own: whsec_...");
  return createHmac("sha256", key).update(head).update(body).digest();
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : found;
}

const invalid = (why: string): TidingsError =>
  new TidingsError("webhook_invalid", `This call of a webhook can't be trusted: ${why}.`);
