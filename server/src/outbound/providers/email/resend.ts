import type { Ground } from "../../../platform/ground.ts";
import type { Outgoing } from "../../message/email.ts";
import {
  type AnswerReading,
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
import { written } from "./mime.ts";

/** Resend, "Send Email": POST /emails. Its Idempotency-Key (kept 24 h) makes a repeat the same email. */
export const resend: Kind<"resend"> = {
  credentialsGoTo: ({ endpoint }) => ({ endpoint }),
  open: resendProvider,
};

function resendProvider(ground: Ground, { settings, credentials, scrub }: Opening<"resend">): Provider<"email"> {
  const base = settings.endpoint ?? "https://api.resend.com";
  const api = exchange(ground, scrub);
  const headers = { authorization: `Bearer ${credentials.api_key}`, "content-type": "application/json" };
  return {
    kind: "resend",
    concurrency: CONCURRENCY,
    hand({ message, deliveryId, reference }) {
      const body = jsonBody(bodyOf(message, reference));
      const request = { method: "POST", headers: { ...headers, "idempotency-key": deliveryId }, body };
      return api.call(`${base}/emails`, request, readAnswer);
    },
    // A key that may only send can't list domains. The API then answers with this error name, and the key is good.
    check: async () =>
      reasonOf(
        await api.call(`${base}/domains`, { headers }, (answer) =>
          textAt(answer.json, "name") === "restricted_api_key"
            ? { meaning: "sent" }
            : (any2xx(answer) ?? readAnswer(answer)),
        ),
      ),
    close: api.close,
  };
}

const bodyOf = (email: Outgoing, reference: string) => ({
  from: written(email.from),
  to: [written(email.to)],
  ...(email.cc.length > 0 && { cc: email.cc.map(written) }),
  ...(email.bcc.length > 0 && { bcc: email.bcc.map(written) }),
  ...(email.replyTo && { reply_to: [written(email.replyTo)] }),
  subject: email.subject,
  html: email.html,
  text: email.text,
  headers: { ...email.headers, "Message-ID": email.messageId },
  ...(email.attachments.length > 0 && {
    attachments: email.attachments.map(({ name, base64 }) => ({ filename: name, content: new VerbatimBase64(base64) })),
  }),
  tags: [{ name: "delivery_id", value: reference }],
});

/** "Errors" of Resend's API reference, by name. For codes that are not here the HTTP status counts. */
const MEANS: Record<string, Meaning> = {
  missing_api_key: "credentials",
  invalid_api_key: "credentials",
  restricted_api_key: "credentials",
  suspended_api_key: "credentials",
  invalid_from_address: "credentials",
  invalid_access: "credentials",
  invalid_region: "credentials",
  not_found: "credentials",
  rate_limit_exceeded: "provider",
  daily_quota_exceeded: "provider",
  monthly_quota_exceeded: "provider",
  application_error: "provider",
  internal_server_error: "provider",
  // The first hand-off with this key has not ended: through another provider there might be two messages.
  concurrent_idempotent_requests: "unknown",
  invalid_idempotent_request: "refused",
  invalid_attachment: "refused",
  missing_required_field: "refused",
  invalid_parameter: "refused",
  security_error: "refused",
};

function readAnswer({ status, json }: ProviderAnswer): AnswerReading | undefined {
  if (status === 200 || status === 201) {
    const id = textAt(json, "id");
    return id === undefined ? undefined : { meaning: "sent", providerMessageId: id };
  }
  const name = textAt(json, "name");
  if (name === undefined) return undefined;
  const message = textAt(json, "message") ?? "";
  const words = `${name}: ${message}`;
  // 403: the sender's domain is not verified. 400 and 422 are about a field of the message.
  if (name === "validation_error" && status !== 403)
    return { meaning: /`to`/.test(message) ? "invalid_recipient" : "refused", words };
  const meaning = MEANS[name];
  return meaning ? { meaning, words } : undefined;
}
