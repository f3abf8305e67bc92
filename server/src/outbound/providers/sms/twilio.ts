import type { Ground } from "../../../platform/ground.ts";
import { badField } from "../../../platform/http/index.ts";
import { callbackUrl } from "../protocol/callback.ts";
import {
  type AnswerReading,
  basic,
  CONCURRENCY,
  exchange,
  type Meaning,
  type ProviderAnswer,
  reasonOf,
  textAt,
} from "../protocol/exchange.ts";
import type { Kind, Opening, Provider } from "../protocol/provider.ts";

/** Twilio, "Messages resource": POST /2010-04-01/Accounts/{sid}/Messages.json. */
export const twilio: Kind<"twilio"> = {
  check({ from, messaging_service_sid }) {
    if ((from === undefined) === (messaging_service_sid === undefined))
      throw badField("/settings/from", "give either from or messaging_service_sid");
  },
  credentialsGoTo: ({ endpoint }) => ({ endpoint }),
  open: twilioProvider,
};

function twilioProvider(ground: Ground, opening: Opening<"twilio">): Provider<"sms"> {
  const { account_sid, from, messaging_service_sid, endpoint } = opening.settings;
  const account = `${endpoint ?? "https://api.twilio.com"}/2010-04-01/Accounts/${encodeURIComponent(account_sid)}`;
  const authorization = basic(account_sid, opening.credentials.auth_token);
  const api = exchange(ground, opening.scrub);
  return {
    kind: "twilio",
    concurrency: CONCURRENCY,
    hand(handOff) {
      const callback = callbackUrl(ground, "twilio", opening, handOff);
      const form = new URLSearchParams({
        To: handOff.message.to,
        Body: handOff.message.body,
        ...(from !== undefined && { From: from }),
        ...(messaging_service_sid !== undefined && { MessagingServiceSid: messaging_service_sid }),
        ...(callback !== undefined && { StatusCallback: callback }),
      });
      const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
      return api.call(`${account}/Messages.json`, { method: "POST", headers, body: form.toString() }, readAnswer);
    },
    check: async () => reasonOf(await api.call(`${account}.json`, { headers: { authorization } }, readAccount)),
    close: api.close,
  };
}

/** Twilio's "Error and Warning Dictionary". For codes that are not here the HTTP status counts. */
const MEANS: Record<number, Meaning> = {
  20003: "credentials", // authentication failed
  20005: "credentials", // account not active
  20404: "credentials", // no such account
  20429: "provider", // too many requests
  21211: "invalid_recipient", // not a valid number
  21212: "credentials", // From is not a valid number
  21217: "invalid_recipient", // does not appear to be a number
  21408: "refused", // this country is not enabled
  21602: "refused", // no body
  21603: "credentials", // no From
  21606: "credentials", // From does not belong to the account or can't send texts
  21609: "credentials", // StatusCallback can't be reached
  21610: "refused", // replied STOP, which START ends: the number is not dead
  21611: "provider", // the sender's queue is full
  21612: "refused", // no route from this sender to this number
  21614: "invalid_recipient", // not a mobile number
  21617: "refused", // longer than 1,600 characters
  21635: "invalid_recipient", // a landline
  21659: "credentials", // From is not a number of Twilio
  21660: "credentials", // From belongs to another account
  21701: "credentials", // no such messaging service
  21703: "credentials", // no sender in the messaging service
};

function readAnswer({ status, json }: ProviderAnswer): AnswerReading | undefined {
  if (status === 201 || status === 200) {
    const sid = textAt(json, "sid");
    return sid === undefined ? undefined : { meaning: "sent", providerMessageId: sid };
  }
  const code = json.code;
  const meaning = typeof code === "number" ? MEANS[code] : undefined;
  return meaning && { meaning, words: `${code}: ${textAt(json, "message") ?? ""}` };
}

function readAccount(answer: ProviderAnswer): AnswerReading | undefined {
  if (answer.status !== 200) return readAnswer(answer);
  const state = textAt(answer.json, "status");
  return state === "active" ? { meaning: "sent" } : { meaning: "credentials", words: `the account is ${state}` };
}
