import type { KeyObject } from "node:crypto";
import type { Ground } from "../../../platform/ground.ts";
import { badField } from "../../../platform/http/index.ts";
import type { Outcome } from "../../queue/retry.ts";
import {
  type AnswerReader,
  type AnswerReading,
  CONCURRENCY,
  exchange,
  objectAt,
  type ProviderAnswer,
  reasonOf,
  textAt,
} from "../protocol/exchange.ts";
import { pemKey } from "../protocol/keys.ts";
import type { Kind, Opening, OutgoingPush, Provider } from "../protocol/provider.ts";
import { accessTokens } from "./fcm-token.ts";
import { dataOf, isApnsToken, KEPT_SECONDS } from "./push.ts";

/** Firebase Cloud Messaging, HTTP v1: POST /v1/projects/{project_id}/messages:send. */
export const fcm: Kind<"fcm"> = {
  check(_, { private_key }) {
    if (private_key !== undefined && !pemKey(private_key, "rsa"))
      throw badField("/credentials/private_key", "must be the RSA key in PEM of the service account's JSON file");
  },
  credentialsGoTo: ({ endpoint, token_url }) => ({ endpoint, token_url }),
  // A browser with a token and no subscription was registered through Firebase.
  reaches: ({ platform, token, subscription }) =>
    platform === "web" ? subscription === null : platform === "android" || !isApnsToken(token),
  open: fcmProvider,
};

function fcmProvider(ground: Ground, opening: Opening<"fcm">): Provider<"push"> {
  const { settings, credentials, scrub } = opening;
  const base = settings.endpoint ?? "https://fcm.googleapis.com";
  const url = `${base}/v1/projects/${encodeURIComponent(settings.project_id)}/messages:send`;
  const api = exchange(ground, scrub);
  const tokens = accessTokens(ground, opening, pemKey(credentials.private_key, "rsa") as KeyObject);

  async function send(body: object, read: AnswerReader = readAnswer, first = true): Promise<Outcome> {
    const token = await tokens.current();
    if (typeof token !== "string") return token;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    let denied = false;
    const outcome = await api.call(url, { method: "POST", headers, body: JSON.stringify(body) }, (answer) => {
      denied = answer.status === 401 && fcmErrorOf(answer.json).code === undefined;
      return read(answer);
    });
    if (!denied) return outcome;
    // The token was revoked before its end, for instance because the account's keys were changed.
    tokens.drop(token);
    return first ? send(body, read, false) : outcome;
  }

  return {
    kind: "fcm",
    concurrency: CONCURRENCY,
    async hand({ message, deliveryId }) {
      const reserved = Object.keys(message.custom_data ?? {}).find((name) => RESERVED.test(name));
      // FCM answers to such a name as to a dead token.
      if (reserved !== undefined)
        return { kind: "refused", reason: `custom_data has ${reserved}, a name that FCM reserves`, unasked: true };
      return send({ message: messageOf(message, deliveryId) });
    },
    check: async () => reasonOf(await send({ validate_only: true, message: { topic: "tidings-check" } })),
    close() {
      api.close();
      tokens.close();
    },
  };
}

/** ErrorCode of the reference, "Invalid data key". */
const RESERVED = /^(from$|message_type$|gcm|google)/;

function messageOf(push: OutgoingPush, deliveryId: string) {
  const { device, title, message: body, image_url: image, link } = push;
  const data = Object.entries(dataOf(push, deliveryId)).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const byPlatform = {
    // By the same tag a repeat replaces the displayed message. A collapse_key would not work: a device keeps only four of them.
    android: { android: { priority: "HIGH", ttl: `${KEPT_SECONDS}s`, notification: { tag: deliveryId } } },
    ios: {
      apns: {
        headers: { "apns-priority": "10", "apns-collapse-id": deliveryId },
        payload: { aps: { sound: "default", ...(image !== undefined && { "mutable-content": 1 }) } },
        ...(image !== undefined && { fcm_options: { image } }),
      },
    },
    web: {
      webpush: {
        headers: { TTL: String(KEPT_SECONDS), Urgency: "high" },
        notification: { tag: deliveryId, ...(image !== undefined && { image }) },
        // FCM accepts only https.
        ...(link?.startsWith("https://") && { fcm_options: { link } }),
      },
    },
  };
  return {
    token: device.token,
    notification: { title, body, ...(image !== undefined && { image }) },
    data: Object.fromEntries(data),
    ...byPlatform[device.platform],
  };
}

interface FcmError {
  /** From the detail FcmError: by the HTTP status alone a dead token looks like a wrong message. */
  code: string | undefined;
  words: string;
  /** Names of the fields that it refuses. */
  fields: unknown[];
}

function fcmErrorOf(json: Record<string, unknown>): FcmError {
  const error = objectAt(json, "error");
  const details: unknown[] = Array.isArray(error.details) ? error.details : [];
  const typed = (name: string) =>
    details.find((detail) => String((detail as Record<string, unknown> | null)?.["@type"]).endsWith(name)) ?? {};
  const code = textAt(typed("fcm.v1.FcmError") as Record<string, unknown>, "errorCode");
  const { fieldViolations } = typed("rpc.BadRequest") as { fieldViolations?: unknown };
  const fields = Array.isArray(fieldViolations) ? fieldViolations.map((violation) => violation?.field) : [];
  const words = `${code ?? textAt(error, "status") ?? ""}: ${textAt(error, "message") ?? ""}`;
  return { code, words, fields };
}

/** ErrorCode of FCM's reference. For codes that are not here the HTTP status counts. */
function readAnswer({ status, json }: ProviderAnswer): AnswerReading | undefined {
  if (status === 200) {
    const name = textAt(json, "name");
    return name === undefined ? undefined : { meaning: "sent", providerMessageId: name };
  }
  const { code, words, fields } = fcmErrorOf(json);
  if (code === "UNREGISTERED" || code === "SENDER_ID_MISMATCH") return { meaning: "unregistered", words };
  // Firebase has no working key for APNs or Web Push: that stops these platforms, and must not make pushes to Android wait.
  if (code === "THIRD_PARTY_AUTH_ERROR") return { meaning: "later", words };
  if (code === "QUOTA_EXCEEDED" || code === "UNAVAILABLE" || code === "INTERNAL") return { meaning: "provider", words };
  if (code === "INVALID_ARGUMENT") {
    const ofToken = fields.every((field) => field === "message.token") && !/too (big|large)/i.test(words);
    return { meaning: ofToken ? "unregistered" : "refused", words };
  }
  return undefined;
}
