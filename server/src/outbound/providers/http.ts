import { validateHeaderValue } from "node:http";
import type { Ground } from "../../platform/ground.ts";
import { badField } from "../../platform/http/index.ts";
import { signed } from "../../platform/standard-webhooks.ts";
import { segmentsOf } from "../message/segments.ts";
import { callbackUrl } from "./protocol/callback.ts";
import {
  type AnswerReading,
  CONCURRENCY,
  exchange,
  type ProviderAnswer,
  reasonOf,
  textAt,
} from "./protocol/exchange.ts";
import type { Kind, Opening, Provider } from "./protocol/provider.ts";

/** Headers that the call sets itself. */
const OURS =
  /^(host|content-length|content-type|transfer-encoding|connection|authorization|idempotency-key|webhook-.*)$/i;

/** A gateway of the operator's own: a POST of JSON for each text message, signed as a Standard Webhook. */
export const http: Kind<"http"> = {
  check({ headers = {} }) {
    for (const [name, value] of Object.entries(headers)) {
      if (OURS.test(name)) throw badField(`/settings/headers/${name}`, "is a header that the call sets itself");
      try {
        validateHeaderValue(name, value);
      } catch {
        throw badField(`/settings/headers/${name}`, "must be a header's value");
      }
    }
  },
  credentialsGoTo: ({ url }) => ({ url }),
  open: httpProvider,
};

function httpProvider(ground: Ground, opening: Opening<"http">): Provider<"sms"> {
  const { url, from, headers = {} } = opening.settings;
  const { bearer_token, signing_secret } = opening.credentials;
  const api = exchange(ground, opening.scrub);
  const own = { ...headers, ...(bearer_token !== undefined && { authorization: `Bearer ${bearer_token}` }) };
  return {
    kind: "http",
    concurrency: CONCURRENCY,
    hand(handOff) {
      const { to, body: text } = handOff.message;
      const callback = callbackUrl(ground, "http", opening, handOff);
      const body = JSON.stringify({
        id: handOff.deliveryId,
        to,
        ...(from !== undefined && { from }),
        body: text,
        segments: segmentsOf(text).segments,
        ...(callback !== undefined && { callback_url: callback }),
      });
      const request = {
        method: "POST",
        headers: {
          ...own,
          "content-type": "application/json; charset=utf-8",
          "idempotency-key": handOff.deliveryId,
          ...(signing_secret !== undefined && signed(handOff.deliveryId, body, [signing_secret], ground.clock.now())),
        },
        body,
      };
      return api.call(url, request, readAnswer);
    },
    // Without sending, the check can only find out whether the gateway answers and accepts our token.
    check: async () => reasonOf(await api.call(url, { method: "HEAD", headers: own }, readHead)),
    close: api.close,
  };
}

/** Any 2xx means that it took the message. `code: "invalid_recipient"` in a 4xx means that the number is dead. */
function readAnswer({ status, json }: ProviderAnswer): AnswerReading | undefined {
  if (status >= 200 && status < 300) {
    const id = textAt(json, "id") ?? textAt(json, "message_id");
    return { meaning: "sent", ...(id !== undefined && { providerMessageId: id }) };
  }
  const refuses = status === 400 || status === 422;
  return refuses && json.code === "invalid_recipient" ? { meaning: "invalid_recipient" } : undefined;
}

const readHead = ({ status }: ProviderAnswer): AnswerReading | undefined =>
  status < 300 || status === 404 || status === 405 || status === 501 ? { meaning: "sent" } : undefined;
