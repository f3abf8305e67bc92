import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { Ground } from "../../../platform/ground.ts";
import { badField } from "../../../platform/http/index.ts";
import { derivedId } from "../../../platform/ids.ts";
import { createHttp2Fetcher } from "../../../platform/outbound-http/index.ts";
import type { Outcome } from "../../queue/retry.ts";
import {
  type AnswerReader,
  type AnswerReading,
  CONCURRENCY,
  exchange,
  type Meaning,
  type ProviderAnswer,
  reasonOf,
  textAt,
} from "../protocol/exchange.ts";
import { pemKey } from "../protocol/keys.ts";
import type { HandOff, Kind, Opening, OutgoingPush, Provider } from "../protocol/provider.ts";
import { dataOf, isFcmToken, KEPT_SECONDS } from "./push.ts";

/** Apple accepts a token for an hour, and no second one within 20 minutes (TooManyProviderTokenUpdates). */
const RENEW_MS = 40 * 60_000;
const SOONEST_MS = 20 * 60_000;
/** The token of no device: Apple answers that it is bad where the key may send, and that the key is wrong where it may not. */
const NO_DEVICE = "0".repeat(64);

/** Apple Push Notification service over HTTP/2, with tokens: POST /3/device/{token}. */
export const apns: Kind<"apns"> = {
  check(_, { private_key }) {
    if (private_key !== undefined && !pemKey(private_key, "ec"))
      throw badField("/credentials/private_key", "must be the P-256 key in PEM of Apple's .p8 file");
  },
  credentialsGoTo: ({ endpoint, environment = "production" }) => ({ endpoint, environment }),
  reaches: ({ platform, token }) => platform === "ios" && !isFcmToken(token),
  open: apnsProvider,
};

function apnsProvider(ground: Ground, opening: Opening<"apns">): Provider<"push"> {
  const { environment, endpoint, topic } = opening.settings;
  const base = endpoint ?? `https://api.${environment === "sandbox" ? "sandbox." : ""}push.apple.com`;
  const http2 = createHttp2Fetcher({ allowPrivate: ground.config.allowPrivateNetwork });
  const api = exchange({ ...ground, fetchOut: http2.fetchOut }, opening.scrub);
  const tokens = providerTokens(ground, opening);

  async function send(
    token: string,
    headers: Record<string, string>,
    payload: object,
    read: AnswerReader,
  ): Promise<Outcome> {
    const url = `${base}/3/device/${encodeURIComponent(token)}`;
    const body = JSON.stringify(payload);
    for (let first = true; ; first = false) {
      const jwt = await tokens.current();
      const authorization = `bearer ${jwt}`;
      let expired = false;
      const request = { method: "POST", headers: { ...headers, authorization, "apns-topic": topic }, body };
      const outcome = await api.call(url, request, (answer) => {
        expired = textAt(answer.json, "reason") === "ExpiredProviderToken";
        return read(answer);
      });
      if (!expired || !first || !tokens.renew(jwt)) return outcome;
    }
  }

  return {
    kind: "apns",
    concurrency: CONCURRENCY,
    hand({ message, deliveryId, job }) {
      const { device } = message;
      const headers = {
        "apns-id": derivedId(job.deliveryId, device.id),
        "apns-push-type": "alert",
        "apns-priority": "10",
        "apns-expiration": String(Math.floor(ground.clock.now().getTime() / 1_000) + KEPT_SECONDS),
        // A repeat replaces the displayed message.
        "apns-collapse-id": deliveryId,
      };
      return send(device.token, headers, payloadOf(message, deliveryId), (answer) =>
        readAnswer(answer, device.last_used_at),
      );
    },
    check: async () => reasonOf(await send(NO_DEVICE, { "apns-push-type": "alert" }, { aps: {} }, readCheck)),
    close() {
      api.close();
      http2.close();
    },
  };
}

/** Keeps one JWT for all calls, as Apple asks for ("Establishing a token-based connection to APNs"). */
function providerTokens(ground: Ground, { settings, credentials }: Opening<"apns">) {
  const key = pemKey(credentials.private_key, "ec") as KeyObject;
  const now = () => ground.clock.now().getTime();
  let kept: { jwt: Promise<string>; text?: string; at: number } | undefined;

  const signed = (at: number): Promise<string> =>
    new SignJWT({})
      .setProtectedHeader({ alg: "ES256", kid: settings.key_id })
      .setIssuer(settings.team_id)
      .setIssuedAt(Math.floor(at / 1_000))
      .sign(key);

  return {
    async current(): Promise<string> {
      const at = now();
      if (!kept || at - kept.at > RENEW_MS || at < kept.at) kept = { jwt: signed(at), at };
      const mine = kept;
      mine.text = await mine.jwt;
      return mine.text;
    },
    /** Returns whether another token can be tried. Where a token this new has expired, a clock is wrong. */
    renew(jwt: string): boolean {
      if (!kept || kept.text !== jwt) return true;
      if (now() - kept.at < SOONEST_MS) return false;
      kept = undefined;
      return true;
    },
  };
}

const payloadOf = (push: OutgoingPush, deliveryId: HandOff["deliveryId"]) => ({
  ...dataOf(push, deliveryId),
  aps: {
    alert: { title: push.title, body: push.message },
    sound: "default",
    // Lets the application's service extension fetch the image.
    ...(push.image_url !== undefined && { "mutable-content": 1 }),
  },
});

/** "Handling notification responses from APNs". For codes that are not here the HTTP status counts. */
const MEANS: Record<string, Meaning> = {
  BadDeviceToken: "unregistered",
  DeviceTokenNotForTopic: "unregistered",
  Unregistered: "unregistered",
  ExpiredToken: "unregistered",
  BadCertificate: "credentials",
  BadCertificateEnvironment: "credentials",
  BadEnvironmentKeyIdInToken: "credentials",
  BadTopic: "credentials",
  ExpiredProviderToken: "credentials",
  Forbidden: "credentials",
  InvalidProviderToken: "credentials",
  MissingProviderToken: "credentials",
  MissingTopic: "credentials",
  TopicDisallowed: "credentials",
  UnrelatedKeyIdInToken: "credentials",
  // This device got too many.
  TooManyRequests: "later",
  TooManyProviderTokenUpdates: "provider",
  IdleTimeout: "provider",
  InternalServerError: "provider",
  ServiceUnavailable: "provider",
  Shutdown: "provider",
};

function readAnswer({ status, headers, json }: ProviderAnswer, registeredAt: Date): AnswerReading | undefined {
  if (status === 200) {
    const id = headers["apns-id"];
    return typeof id === "string" ? { meaning: "sent", providerMessageId: id } : { meaning: "sent" };
  }
  const reason = textAt(json, "reason");
  const meaning = reason === undefined ? undefined : MEANS[reason];
  if (meaning === undefined || reason === undefined) return undefined;
  // The device was registered again since then, and Apple does not know that yet.
  const stale = status === 410 && typeof json.timestamp === "number" && json.timestamp < registeredAt.getTime();
  return { meaning: stale ? "later" : meaning, words: reason };
}

function readCheck(answer: ProviderAnswer): AnswerReading | undefined {
  const reading = readAnswer(answer, new Date(0));
  return reading?.meaning === "unregistered" && reading.words === "BadDeviceToken" ? { meaning: "sent" } : reading;
}
