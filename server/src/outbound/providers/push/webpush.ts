import { SignJWT } from "jose";
import { isPushEndpoint } from "../../../people/index.ts";
import type { Ground } from "../../../platform/ground.ts";
import { badField } from "../../../platform/http/index.ts";
import type { Outcome } from "../../queue/retry.ts";
import { type AnswerReading, exchange, type ProviderAnswer } from "../protocol/exchange.ts";
import { newVapidPair, vapidKey, vapidPublicKey } from "../protocol/keys.ts";
import type { Kind, Opening, OutgoingPush, Provider } from "../protocol/provider.ts";
import { encrypted, LONGEST_TEXT, type SubscriptionKeys } from "./aes128gcm.ts";
import { KEPT_SECONDS } from "./push.ts";

/** Anybody who registers a device names the endpoint. Some endpoints may not answer, and must not take all places. */
const CONCURRENCY = 64;
const TIMEOUT_MS = 10_000;
/** RFC 8292 2 allows at most 24 h; half of it, because our clock may be wrong. */
const SIGNED_SECONDS = 12 * 3_600;

/** Web Push (RFC 8030) to the browsers' own push services, encrypted (RFC 8291) and signed with VAPID (RFC 8292). */
export const webpush: Kind<"webpush"> = {
  complete(settings, credentials) {
    if (settings.public_key !== undefined && credentials?.private_key === undefined)
      throw badField(
        "/credentials/private_key",
        "is missing: give the private key of public_key, or leave both out to get a new pair",
      );
    if (settings.public_key !== undefined) return { settings, credentials };
    const given = credentials?.private_key;
    if (given !== undefined)
      return { settings: { ...settings, public_key: vapidPublicKey(String(given)) ?? "unknown" }, credentials };
    const { publicKey: public_key, privateKey: private_key } = newVapidPair();
    return { settings: { ...settings, public_key }, credentials: { ...credentials, private_key } };
  },
  check({ public_key }, { private_key }) {
    if (private_key === undefined) return;
    const pair = vapidPublicKey(private_key);
    if (pair === undefined) throw badField("/credentials/private_key", "must be 32 bytes in base64url");
    if (pair !== public_key) throw badField("/settings/public_key", "does not belong to the private key");
  },
  credentialsGoTo: () => ({}),
  reaches: ({ platform, subscription }) => platform === "web" && subscription !== null,
  open: webpushProvider,
};

function webpushProvider(ground: Ground, { settings, credentials, scrub }: Opening<"webpush">): Provider<"push"> {
  const { subject, public_key: publicKey } = settings;
  const key = vapidKey(credentials.private_key);
  const api = exchange(ground, scrub);

  const signed = (endpoint: string): Promise<string> =>
    new SignJWT({})
      .setProtectedHeader({ alg: "ES256", typ: "JWT" })
      .setAudience(new URL(endpoint).origin)
      .setExpirationTime(Math.floor(ground.clock.now().getTime() / 1_000) + SIGNED_SECONDS)
      .setSubject(subject)
      .sign(key);

  return {
    kind: "webpush",
    concurrency: CONCURRENCY,
    async hand({ message, deliveryId }) {
      const { endpoint, keys } = message.device.subscription ?? { endpoint: message.device.token, keys: undefined };
      if (!isPushEndpoint(endpoint, ground.config.webPushHosts))
        return unasked("its endpoint is at no known push service");
      const body = keys && bodyOf(message, deliveryId, keys);
      if (!body || !URL.canParse(endpoint)) return unasked("the subscription is not one that a browser gives");
      if (body === "too long") return unasked(`the message is longer than ${LONGEST_TEXT} bytes`);
      const jwt = await signed(endpoint);
      const headers = {
        authorization: `vapid t=${jwt}, k=${publicKey}`,
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(KEPT_SECONDS),
        urgency: "high",
        // A repeat replaces the first message while that waits for the browser (RFC 8030 5.4). It has 30 of 32 allowed letters.
        topic: deliveryId,
      };
      const request = { method: "POST", headers, body, timeoutMs: TIMEOUT_MS, maxBytes: 16_384, cut: true };
      return blameless(await api.call(endpoint, request, readAnswer));
    },
    // Without a subscription there is no service to ask: only whether the two keys belong together can be checked.
    check: async () =>
      vapidPublicKey(credentials.private_key) === publicKey ? undefined : "the public key is not the private key's",
    close: api.close,
  };
}

const unasked = (reason: string): Outcome => ({ kind: "refused", reason, unasked: true });

/** Returns what the service worker gets; docs/providers.md shows an example. */
function bodyOf(
  { title, message, image_url, link, custom_data }: OutgoingPush,
  delivery_id: string,
  keys: SubscriptionKeys,
): Buffer<ArrayBuffer> | "too long" | undefined {
  const text = Buffer.from(JSON.stringify({ delivery_id, title, message, image_url, link, custom_data }));
  if (text.length > LONGEST_TEXT) return "too long";
  try {
    return encrypted(text, keys);
  } catch {
    return undefined;
  }
}

/** RFC 8030 5 and 7.3; 404 and 410 mean that the subscription has ended. */
function readAnswer({ status, headers }: ProviderAnswer): AnswerReading | undefined {
  if (status === 201 || status === 200 || status === 202) {
    const { location } = headers;
    return location === undefined ? { meaning: "sent" } : { meaning: "sent", providerMessageId: location };
  }
  if (status === 404 || status === 410) return { meaning: "unregistered" };
  return undefined;
}

/**
 * Removes the fault of the provider, because the answer of one endpoint shows nothing about the others: endpoints belong to four
 * makers of browsers, or to an attacker who registered a device. This includes 401 and 403, which refuse a subscription that was
 * made with another public key.
 */
function blameless(outcome: Outcome): Outcome {
  if (outcome.kind === "unknown") return { ...outcome, blameless: true };
  if (outcome.kind !== "retry") return outcome;
  const { fault: _, ...rest } = outcome;
  return rest;
}
