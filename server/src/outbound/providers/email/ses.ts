import { webcrypto } from "node:crypto";
import type { Ground } from "../../../platform/ground.ts";
import { awsSigned } from "../../../platform/outbound-http/index.ts";
import { nextTurn } from "../../../platform/turns.ts";
import {
  type AnswerReader,
  any2xx,
  CONCURRENCY,
  exchange,
  type Meaning,
  type ProviderAnswer,
  reasonOf,
  textAt,
} from "../protocol/exchange.ts";
import type { Kind, Opening, Provider } from "../protocol/provider.ts";
import { jsonBody, VerbatimBase64 } from "./body.ts";
import { mimeOf } from "./mime.ts";

/**
 * Amazon SES, API v2 (SendEmail): the whole MIME message, signed by SigV4. SES replaces our Message-ID by its
 * own, which is the provider_message_id.
 */
export const ses: Kind<"ses"> = {
  credentialsGoTo: ({ region, endpoint }) => ({ region, endpoint }),
  open: sesProvider,
};

function sesProvider(ground: Ground, { settings, credentials, scrub }: Opening<"ses">): Provider<"email"> {
  const { region, configuration_set: set } = settings;
  const base = settings.endpoint ?? `https://email.${region}.amazonaws.com`;
  const api = exchange(ground, scrub);
  const call = async (method: string, path: string, body: Buffer | undefined, readAnswer: AnswerReader) => {
    const url = new URL(base + path);
    const now = ground.clock.now();
    const headers = { "content-type": "application/json" };
    // The body was written in the turn before; the digest copies it once more.
    await nextTurn();
    const bodySha256 = await sha256(body);
    const signing = { method, url, headers, bodySha256, region, service: "ses", credentials, now };
    return api.call(url.href, { method, headers: awsSigned(signing), ...(body && { body }) }, readAnswer);
  };
  return {
    kind: "ses",
    concurrency: CONCURRENCY,
    async hand({ message, reference }) {
      const addresses = (list: { address: string }[]) => list.map((entry) => entry.address);
      const mime = await mimeOf(message);
      // To build a message of 20 MiB takes 25 ms, and to encode it takes 25 ms more.
      await nextTurn();
      const raw = new VerbatimBase64(mime.toString("base64"));
      await nextTurn();
      const body = jsonBody({
        Destination: {
          ToAddresses: [message.to.address],
          CcAddresses: addresses(message.cc),
          BccAddresses: addresses(message.bcc),
        },
        Content: { Raw: { Data: raw } },
        EmailTags: [{ Name: "delivery_id", Value: reference }],
        ...(set !== undefined && { ConfigurationSetName: set }),
      });
      return call("POST", "/v2/email/outbound-emails", body, readAnswer);
    },
    // A key that may only send is good practice. If it may not read the account, its signature is valid.
    check: async () =>
      reasonOf(
        await call("GET", "/v2/email/account", undefined, (answer) =>
          nameOf(answer) === "AccessDeniedException" ? { meaning: "sent" } : (any2xx(answer) ?? readAnswer(answer)),
        ),
      ),
    close: api.close,
  };
}

/** Computes the digest outside of this thread, where 20 MiB would take 30 ms. */
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

function readAnswer(answer: ProviderAnswer): ReturnType<AnswerReader> {
  const id = textAt(answer.json, "MessageId");
  if (answer.status === 200) return id === undefined ? undefined : { meaning: "sent", providerMessageId: id };
  const name = nameOf(answer);
  const message = textAt(answer.json, "message") ?? textAt(answer.json, "Message") ?? "";
  // "Email address is not verified. The following identities failed the check": it is about the sender or the sandbox.
  const meaning = name === "MessageRejected" && /not verified/i.test(message) ? "credentials" : MEANS[name];
  return meaning && { meaning, words: `${name}: ${message}` };
}

/** Returns the error's name. In restJson1 it is a header, or __type with a namespace before `#`; a URL may follow after `:`. */
function nameOf({ headers, json }: ProviderAnswer): string {
  const name = String(headers["x-amzn-errortype"] ?? textAt(json, "__type") ?? "");
  return name.replace(/^.*#/, "").replace(/:.*$/, "");
}
