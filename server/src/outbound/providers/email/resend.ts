import type { Ground } from "../../../platform/ground.ts";
import type { Outgoing } from "../../message/email.ts";
import {
  CONCURRENCY,
  exchange,
  fine,
  type Reading,
  reasonOf,
  type ProviderAnswer,
  textAt,
  type Meaning,
} from "../protocol/exchange.ts";
import type { Kind, Opening, Provider } from "../protocol/provider.ts";
import { AsItIs, jsonBody } from "./body.ts";
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
    hand({ message, deliveryId }) {
      const body = jsonBody(bodyOf(message, deliveryId));
      const request = { method: "POST", headers: { ...headers, "idempotency-key": deliveryId }, body };
      return api.ask(`${base}/emails`, request, judge);
    },
    // A key that may only send can't list domains, and the API says so by name: then it is a good key.
    check: async () =>
      reasonOf(
        await api.ask(`${base}/domains`, { headers }, (said) =>
          textAt(said.json, "name") === "restricted_api_key" ? { verdict: "sent" } : (fine(said) ?? judge(said)),
        ),
      ),
    close: api.close,
  };
}

const bodyOf = (email: Outgoing, deliveryId: string) => ({
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
    attachments: email.attachments.map(({ name, base64 }) => ({ filename: name, content: new AsItIs(base64) })),
  }),
  tags: [{ name: "delivery_id", value: deliveryId }],
});

/** "Errors" of Resend's API reference, by name. What is not here is told by its HTTP status. */
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
  // The first hand-off with this key has not ended: through another provider it might become two.
  concurrent_idempotent_requests: "unknown",
  invalid_idempotent_request: "refused",
  invalid_attachment: "refused",
  missing_required_field: "refused",
  invalid_parameter: "refused",
  security_error: "refused",
};

function judge({ status, json }: ProviderAnswer): Reading | undefined {
  if (status === 200 || status === 201) {
    const id = textAt(json, "id");
    return id === undefined ? undefined : { verdict: "sent", providerMessageId: id };
  }
  const name = textAt(json, "name");
  if (name === undefined) return undefined;
  const message = textAt(json, "message") ?? "";
  const words = `${name}: ${message}`;
  // 403: the sender's domain is not verified. 400 and 422 are about a field of the message.
  if (name === "validation_error" && status !== 403)
    return { verdict: /`to`/.test(message) ? "invalid_recipient" : "refused", words };
  const verdict = MEANS[name];
  return verdict ? { verdict, words } : undefined;
}
