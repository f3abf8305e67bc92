import type { Ground } from "../../../platform/ground.ts";
import { segmentsOf } from "../../message/segments.ts";
import { callbackUrl } from "../protocol/callback.ts";
import {
  type AnswerReading,
  any2xx,
  basic,
  CONCURRENCY,
  exchange,
  type Meaning,
  type ProviderAnswer,
  reasonOf,
  textAt,
} from "../protocol/exchange.ts";
import type { Kind, Opening, Provider } from "../protocol/provider.ts";

/** Vonage, "SMS API": POST /sms/json. It always answers 200; the `status` of each part is the result. */
export const vonage: Kind<"vonage"> = {
  credentialsGoTo: ({ endpoint }) => ({ endpoint }),
  open: vonageProvider,
};

function vonageProvider(ground: Ground, opening: Opening<"vonage">): Provider<"sms"> {
  const { from, endpoint: base = "https://rest.nexmo.com" } = opening.settings;
  const { api_key, api_secret } = opening.credentials;
  const authorization = basic(api_key, api_secret);
  const api = exchange(ground, opening.scrub);
  return {
    kind: "vonage",
    concurrency: CONCURRENCY,
    hand(handOff) {
      const { to, body } = handOff.message;
      const callback = callbackUrl(ground, "vonage", opening, handOff);
      const form = new URLSearchParams({
        api_key,
        api_secret,
        from,
        to: to.replace(/^\+/, ""),
        text: body,
        // Without this type it sends question marks for characters that GSM-7 lacks.
        ...(segmentsOf(body).encoding === "ucs2" && { type: "unicode" }),
        "client-ref": handOff.deliveryId,
        ...(callback !== undefined && { callback }),
      });
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return api.call(`${base}/sms/json`, { method: "POST", headers, body: form.toString() }, readAnswer);
    },
    check: async () => reasonOf(await api.call(`${base}/account/get-balance`, { headers: { authorization } }, any2xx)),
    close: api.close,
  };
}

/** "SMS API error codes" of Vonage's troubleshooting guide. Any other code is about this message. */
const MEANS: Record<string, Meaning> = {
  "1": "provider", // throttled
  "2": "refused", // missing parameters
  "3": "refused", // invalid parameters
  "4": "credentials", // wrong key or secret
  "5": "provider", // internal error
  "6": "refused", // can't be routed
  "7": "invalid_recipient", // number barred
  "8": "credentials", // account barred
  "9": "credentials", // no credit
  "10": "provider", // too many binds
  "11": "credentials", // account not set up for HTTP
  "12": "refused", // too long
  "14": "credentials", // wrong signature
  "15": "credentials", // sender not allowed
  "32": "credentials", // both a signature and a secret
  "33": "invalid_recipient", // number deactivated
};

function readAnswer({ status, json }: ProviderAnswer): AnswerReading | undefined {
  const parts = (Array.isArray(json.messages) ? json.messages : []) as (Record<string, unknown> | null)[];
  if (status !== 200 || parts.length === 0) return undefined;
  const states = parts.map((part) => String(part?.status));
  const failed = parts[states.findIndex((state) => state !== "0")] ?? undefined;
  const words = failed && `${failed.status}: ${textAt(failed, "error-text") ?? ""}`;
  const taken = parts[states.indexOf("0")];
  if (taken) {
    // A part that was sent can't be taken back: a repeat would send it twice.
    const id = textAt(taken, "message-id");
    return {
      meaning: "sent",
      ...(id !== undefined && { providerMessageId: id }),
      ...(words !== undefined && { note: { failed_part: words } }),
    };
  }
  if (!states.every((state) => /^\d+$/.test(state))) return undefined;
  return { meaning: MEANS[states[0] ?? ""] ?? "refused", ...(words !== undefined && { words }) };
}
