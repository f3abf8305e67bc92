import { webcrypto } from "node:crypto";
import type { Ground } from "../../../platform/ground.ts";
import { nextTurn } from "../../../platform/turns.ts";
import {
  CONCURRENCY,
  exchange,
  fine,
  type Judge,
  reasonOf,
  type ProviderAnswer,
  textAt,
  type Meaning,
} from "../protocol/exchange.ts";
import type { Kind, Opening, Provider } from "../protocol/provider.ts";
import { AsItIs, jsonBody } from "./body.ts";
import { mimeOf } from "./mime.ts";
import { signed } from "./sigv4.ts";

/**
 * Amazon SES, API v2 (SendEmail): the whole MIME message, signed by SigV4. SES puts a Message-ID of its own in the place
 * of ours; it is the provider_message_id.
 */
export const ses: Kind<"ses"> = {
  credentialsGoTo: ({ region, endpoint }) => ({ region, endpoint }),
  open: sesProvider,
};

function sesProvider(ground: Ground, { settings, credentials, scrub }: Opening<"ses">): Provider<"email"> {
  const { region, configuration_set: set } = settings;
  const base = settings.endpoint ?? `https://email.${region}.amazonaws.com`;
  const api = exchange(ground, scrub);
  const call = async (method: string, path: string, body: Buffer | undefined, judge: Judge) => {
    const url = new URL(base + path);
    const now = ground.clock.now();
    const headers = { "content-type": "application/json" };
    // Written in the turn before: the digest copies it once more.
    await nextTurn();
    const bodySha256 = await sha256(body);
    const signing = { method, url, headers, bodySha256, region, service: "ses", credentials, now };
    return api.ask(url.href, { method, headers: signed(signing), ...(body && { body }) }, judge);
  };
  return {
    kind: "ses",
    concurrency: CONCURRENCY,
    async hand({ message, deliveryId }) {
      const addresses = (list: { address: string }[]) => list.map((entry) => entry.address);
      const mime = await mimeOf(message);
      // The message of 20 MiB takes 25 ms to be made and as much to be written again.
      await nextTurn();
      const raw = new AsItIs(mime.toString("base64"));
      await nextTurn();
      const body = jsonBody({
        Destination: {
          ToAddresses: [message.to.address],
          CcAddresses: addresses(message.cc),
          BccAddresses: addresses(message.bcc),
        },
        Content: { Raw: { Data: raw } },
        EmailTags: [{ Name: "delivery_id", Value: deliveryId }],
        ...(set !== undefined && { ConfigurationSetName: set }),
      });
      return call("POST", "/v2/email/outbound-emails", body, judgeSend);
    },
    // A key that may send and nothing else is good practice: that it may not read the account says its signature is right.
    check: async () =>
      reasonOf(
        await call("GET", "/v2/email/account", undefined, (said) =>
          nameOf(said) === "AccessDeniedException" ? { verdict: "sent" } : (fine(said) ?? judgeSend(said)),
        ),
      ),
    close: api.close,
  };
}

/** Beside this thread, which would take 30 ms for 20 MiB. */
const sha256 = async (body: Buffer = Buffer.alloc(0)): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest("SHA-256", body as never)).toString("hex");

/** SES API v2 reference, SendEmail "Errors", and "Common Error Types". */
const MEANS: Record<string, Meaning> = {
  AccountSuspendedException: "credentials",
  SendingPausedException: "credentials",
  MailFromDomainNotVerifiedException: "credentials",
  NotFoundException: "credentials",
  AccessDeniedException: "credentials",
  ExpiredTokenException: "credentials",
  IncompleteSignature: "credentials",
  InvalidClientTokenId: "credentials",
  InvalidSignatureException: "credentials",
  MissingAuthenticationTokenException: "credentials",
  OptInRequired: "credentials",
  RequestExpired: "credentials",
  SignatureDoesNotMatch: "credentials",
  UnrecognizedClientException: "credentials",
  LimitExceededException: "provider",
  TooManyRequestsException: "provider",
  ThrottlingException: "provider",
  Throttling: "provider",
  ServiceUnavailable: "provider",
  InternalFailure: "provider",
  MessageRejected: "refused",
  BadRequestException: "refused",
  ValidationError: "refused",
};

function judgeSend(said: ProviderAnswer): ReturnType<Judge> {
  const id = textAt(said.json, "MessageId");
  if (said.status === 200) return id === undefined ? undefined : { verdict: "sent", providerMessageId: id };
  const name = nameOf(said);
  const message = textAt(said.json, "message") ?? textAt(said.json, "Message") ?? "";
  // "Email address is not verified. The following identities failed the check": about the sender or the sandbox.
  const verdict = name === "MessageRejected" && /not verified/i.test(message) ? "credentials" : MEANS[name];
  return verdict && { verdict, words: `${name}: ${message}` };
}

/** restJson1: a header, or __type with a namespace before `#`; after `:` stands a URL. */
function nameOf({ headers, json }: ProviderAnswer): string {
  const name = String(headers["x-amzn-errortype"] ?? textAt(json, "__type") ?? "");
  return name.replace(/^.*#/, "").replace(/:.*$/, "");
}
