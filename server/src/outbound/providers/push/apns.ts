import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { Ground } from "../../../platform/ground.ts";
import { badField } from "../../../platform/http/index.ts";
import { derivedId } from "../../../platform/ids.ts";
import { createHttp2Fetcher } from "../../../platform/outbound-http/index.ts";
import type { Outcome } from "../../queue/retry.ts";
import {
  CONCURRENCY,
  exchange,
  type Judge,
  type Reading,
  reasonOf,
  type ProviderAnswer,
  textAt,
  type Meaning,
} from "../protocol/exchange.ts";
import { pemKey } from "../protocol/keys.ts";
import type { HandOff, Kind, Opening, OutgoingPush, Provider } from "../protocol/provider.ts";
import { dataOf, isFcmToken, KEPT_SECONDS } from "./push.ts";

/** Apple takes a token for an hour, and no second one within 20 minutes (TooManyProviderTokenUpdates). */
const RENEW_MS = 40 * 60_000;
const SOONEST_MS = 20 * 60_000;
/** Of no device: who may send is told that it is bad, who may not that the key is wrong. */
const NOBODY = "0".repeat(64);

/** Apple Push Notification service over HTTP/2, with tokens: POST /3/device/{token}. */
export const apns: Kind<"apns"> = {
  check(_, { private_key }) {
    if (private_key !== undefined && !pemKey(private_key, "ec"))
      throw badField("/credentials/private_key", "must be the P-256 key in PEM that stands in Apple's .p8 file");
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

  async function send(token: string, headers: Record<string, string>, payload: object, read: Judge): Promise<Outcome> {
    const url = `${base}/3/device/${encodeURIComponent(token)}`;
    const body = JSON.stringify(payload);
    for (let again = true; ; again = false) {
      const jwt = await tokens.current();
      const authorization = `bearer ${jwt}`;
      let expired = false;
      const request = { method: "POST", headers: { ...headers, authorization, "apns-topic": topic }, body };
      const outcome = await api.ask(url, request, (said) => {
        expired = textAt(said.json, "reason") === "ExpiredProviderToken";
        return read(said);
      });
      if (!expired || !again || !tokens.renew(jwt)) return outcome;
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
        // A repeat replaces what is displayed.
        "apns-collapse-id": deliveryId,
      };
      return send(device.token, headers, payloadOf(message, deliveryId), (said) => judge(said, device.last_used_at));
    },
    check: async () => reasonOf(await send(NOBODY, { "apns-push-type": "alert" }, { aps: {} }, tried)),
    close() {
      api.close();
      http2.close();
    },
  };
}

/** One JWT for all calls, kept as Apple asks for ("Establishing a token-based connection to APNs"). */
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
    /** Whether there is another than this one to be tried: one so young that has expired means that a clock is wrong. */
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

/** "Handling notification responses from APNs". What is not here is told by its HTTP status. */
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
  // To this device.
  TooManyRequests: "later",
  TooManyProviderTokenUpdates: "provider",
  IdleTimeout: "provider",
  InternalServerError: "provider",
  ServiceUnavailable: "provider",
  Shutdown: "provider",
};

function judge({ status, headers, json }: ProviderAnswer, registeredAt: Date): Reading | undefined {
  if (status === 200) {
    const id = headers["apns-id"];
    return typeof id === "string" ? { verdict: "sent", providerMessageId: id } : { verdict: "sent" };
  }
  const reason = textAt(json, "reason");
  const verdict = reason === undefined ? undefined : MEANS[reason];
  if (verdict === undefined || reason === undefined) return undefined;
  // Registered again since: Apple has not heard of it yet.
  const stale = status === 410 && typeof json.timestamp === "number" && json.timestamp < registeredAt.getTime();
  return { verdict: stale ? "later" : verdict, words: reason };
}

function tried(said: ProviderAnswer): Reading | undefined {
  const reading = judge(said, new Date(0));
  return reading?.verdict === "unregistered" && reading.words === "BadDeviceToken" ? { verdict: "sent" } : reading;
}
