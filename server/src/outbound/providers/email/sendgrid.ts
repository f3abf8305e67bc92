import type { Ground } from "../../../platform/ground.ts";
import type { Mailbox } from "../../../platform/mailbox.ts";
import type { Outgoing } from "../../message/email.ts";
import { CONCURRENCY, exchange, type Reading, reasonOf, type ProviderAnswer } from "../protocol/exchange.ts";
import type { Kind, Opening, Provider } from "../protocol/provider.ts";
import { jsonBody } from "./body.ts";
import { filesOf } from "./mime.ts";

/** Twilio SendGrid, "Mail Send" v3: POST /v3/mail/send. It keeps a Message-ID that the headers carry. */
export const sendgrid: Kind<"sendgrid"> = {
  credentialsGoTo: ({ endpoint }) => ({ endpoint }),
  open: sendgridProvider,
};

function sendgridProvider(ground: Ground, { settings, credentials, scrub }: Opening<"sendgrid">): Provider<"email"> {
  const base = settings.endpoint ?? "https://api.sendgrid.com";
  const api = exchange(ground, scrub);
  const headers = { authorization: `Bearer ${credentials.api_key}`, "content-type": "application/json" };
  const judge = (said: ProviderAnswer) => judgeSend(said, ground.clock.now());
  return {
    kind: "sendgrid",
    concurrency: CONCURRENCY,
    hand({ message, deliveryId }) {
      const body = jsonBody(bodyOf(message, deliveryId));
      return api.ask(`${base}/v3/mail/send`, { method: "POST", headers, body }, judge);
    },
    check: async () => reasonOf(await api.ask(`${base}/v3/scopes`, { headers }, mayMail)),
    close: api.close,
  };
}

const person = ({ name, address }: Mailbox) => ({ email: address, ...(name !== undefined && { name }) });

function bodyOf(email: Outgoing, deliveryId: string) {
  // An address that stands twice in to, cc and bcc is refused with 400, whatever its case.
  const seen = new Set([email.to.address.toLowerCase()]);
  const fresh = (list: Mailbox[]) =>
    list.filter(({ address }) => !seen.has(address.toLowerCase()) && seen.add(address.toLowerCase())).map(person);
  const [cc, bcc] = [fresh(email.cc), fresh(email.bcc)];
  // The text first, the order is theirs too; an empty part is refused.
  const content = [
    { type: "text/plain", value: email.text },
    { type: "text/html", value: email.html },
  ].filter(({ value }) => value !== "");
  return {
    personalizations: [{ to: [person(email.to)], ...(cc.length > 0 && { cc }), ...(bcc.length > 0 && { bcc }) }],
    from: person(email.from),
    ...(email.replyTo && { reply_to: person(email.replyTo) }),
    subject: email.subject,
    content,
    headers: { ...email.headers, "Message-ID": email.messageId },
    custom_args: { delivery_id: deliveryId },
    ...(email.attachments.length > 0 && {
      attachments: filesOf(email).map(({ name, content, type }) => ({
        content,
        filename: name,
        type,
        disposition: "attachment",
      })),
    }),
  };
}

function judgeSend({ status, headers, json }: ProviderAnswer, now: Date): Reading | undefined {
  if (status === 202) {
    const id = headers["x-message-id"];
    return { verdict: "sent", ...(typeof id === "string" && { providerMessageId: id }) };
  }
  const first = (Array.isArray(json.errors) ? json.errors[0] : undefined) as
    | { message?: unknown; field?: unknown }
    | undefined;
  const words = first && `${first.field ? `${first.field}: ` : ""}${first.message}`;
  const about = words !== undefined && { words };
  const field = String(first?.field ?? "");
  if (status === 400 && /^personalizations\.0\.to\b/.test(field)) return { verdict: "invalid_recipient", ...about };
  // The sender is not one of the account's.
  if (status === 400 && /^from\b/.test(field)) return { verdict: "credentials", ...about };
  if (status === 400 || status === 413) return { verdict: "refused", ...about };
  // 401 also says "Maximum credits exceeded", 403 that the sender is not verified.
  if (status === 401 || status === 403) return { verdict: "credentials", ...about };
  const reset = Number(headers["x-ratelimit-reset"]);
  if (status === 429)
    return { verdict: "provider", ...about, ...(reset > 0 && { afterMs: reset * 1_000 - now.getTime() }) };
  return undefined;
}

/** GET /v3/scopes lists what a key may do. */
function mayMail({ status, json }: ProviderAnswer): Reading | undefined {
  if (status !== 200) return undefined;
  const scopes = Array.isArray(json.scopes) ? json.scopes : [];
  return scopes.includes("mail.send")
    ? { verdict: "sent" }
    : { verdict: "credentials", words: "the key has no permission mail.send" };
}
