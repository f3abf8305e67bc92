import type { Ground } from "../../../platform/ground.ts";
import { badField } from "../../../platform/http/index.ts";
import { callbackUrl } from "../protocol/callback.ts";
import {
  basic,
  CONCURRENCY,
  exchange,
  type Reading,
  reasonOf,
  type ProviderAnswer,
  textAt,
  type Meaning,
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
      return api.ask(`${account}/Messages.json`, { method: "POST", headers, body: form.toString() }, judge);
    },
    check: async () => reasonOf(await api.ask(`${account}.json`, { headers: { authorization } }, active)),
    close: api.close,
  };
}

/** Twilio's "Error and Warning Dictionary". What is not here is told by its HTTP status. */
const MEANS: Record<number, Meaning> = {
  20003: "credentials", // authentication failed
  20005: "credentials", // account not active
  20404: "credentials", // no such account
  20429: "provider", // too many requests
  21211: "invalid_recipient", // not a valid number
  21212: "credentials", // From is not a valid number
  21217: "invalid_recipient", // does not appear to be a number
  21408: "refused", // this country is not switched on
  21602: "refused", // no body
  21603: "credentials", // no From
  21606: "credentials", // From is not ours or can't send texts
  21609: "credentials", // StatusCallback can't be reached
  21610: "refused", // replied STOP, which START takes back: the number is not dead
  21611: "provider", // the sender's queue is full
  21612: "refused", // no route from this sender to this number
  21614: "invalid_recipient", // not a mobile number
  21617: "refused", // longer than 1,600 characters
  21635: "invalid_recipient", // a landline
  21659: "credentials", // From is not a number of Twilio's
  21660: "credentials", // From belongs to another account
  21701: "credentials", // no such messaging service
  21703: "credentials", // no sender in the messaging service
};

function judge({ status, json }: ProviderAnswer): Reading | undefined {
  if (status === 201 || status === 200) {
    const sid = textAt(json, "sid");
    return sid === undefined ? undefined : { verdict: "sent", providerMessageId: sid };
  }
  const code = json.code;
  const verdict = typeof code === "number" ? MEANS[code] : undefined;
  return verdict && { verdict, words: `${code}: ${textAt(json, "message") ?? ""}` };
}

function active(said: ProviderAnswer): Reading | undefined {
  if (said.status !== 200) return judge(said);
  const state = textAt(said.json, "status");
  return state === "active" ? { verdict: "sent" } : { verdict: "credentials", words: `the account is ${state}` };
}
