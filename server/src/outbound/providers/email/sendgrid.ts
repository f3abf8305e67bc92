import type { Ground } from "../../../platform/ground.ts";
import type { Mailbox } from "../../../platform/mailbox.ts";
import type { Outgoing } from "../../message/email.ts";
import { type AnswerReading, CONCURRENCY, exchange, type ProviderAnswer, reasonOf } from "../protocol/exchange.ts";
import type { Kind, Opening, Provider } from "../protocol/provider.ts";
import { jsonBody } from "./body.ts";
import { filesOf } from "./mime.ts";

/** Twilio SendGrid, "Mail Send" v3: POST /v3/mail/send. It keeps the Message-ID of the headers. */
export const sendgrid: Kind<"sendgrid"> = {
  credentialsGoTo: ({ endpoint }) => ({ endpoint }),
  open: sendgridProvider,
};

function sendgridProvider(ground: Ground, { settings, credentials, scrub }: Opening<"sendgrid">): Provider<"email"> {
  const base = settings.endpoint ?? "https://api.sendgrid.com";
  const api = exchange(ground, scrub);
  const headers = { authorization: `Bearer ${credentials.api_key}`, "content-type": "application/json" };
  return {
    kind: "sendgrid",
    concurrency: CONCURRENCY,
    hand({ message, reference }) {
      const body = jsonBody(bodyOf(message, reference));
      return api.call(`${base}/v3/mail/send`, { method: "POST", headers, body }, (answer) =>
        readAnswer(answer, ground.clock.now()),
      );
    },
    check: async () => reasonOf(await api.call(`${base}/v3/scopes`, { headers }, readScopes)),
    close: api.close,
  };
}

const person = ({ name, address }: Mailbox) => ({ email: address, ...(name !== undefined && { name }) });

function bodyOf(email: Outgoing, reference: string) {
  // An address that occurs twice in to, cc and bcc is refused with 400, also in another case.
  const seen = new Set([email.to.address.toLowerCase()]);
  const fresh = (list: Mailbox[]) =>
    list.filter(({ address }) => !seen.has(address.toLowerCase()) && seen.add(address.toLowerCase())).map(person);
  const [cc, bcc] = [fresh(email.cc), fresh(email.bcc)];
  // SendGrid wants the text part first, and refuses an empty part.
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
    custom_args: { delivery_id: reference },
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

function readAnswer({ status, headers, json }: ProviderAnswer, now: Date): AnswerReading | undefined {
  if (status === 202) {
    const id = headers["x-message-id"];
    return { meaning: "sent", ...(typeof id === "string" && { providerMessageId: id }) };
  }
  const first = (Array.isArray(json.errors) ? json.errors[0] : undefined) as
    | { message?: unknown; field?: unknown }
    | undefined;
  const words = first && `${first.field ? `${first.field}: ` : ""}${first.message}`;
  const given = words !== undefined && { words };
  const field = String(first?.field ?? "");
  if (status === 400 && /^personalizations\.0\.to\b/.test(field)) return { meaning: "invalid_recipient", ...given };
  // The sender does not belong to the account.
  if (status === 400 && /^from\b/.test(field)) return { meaning: "credentials", ...given };
  if (status === 400 || status === 413) return { meaning: "refused", ...given };
  // 401 also means "Maximum credits exceeded", and 403 that the sender is not verified.
  if (status === 401 || status === 403) return { meaning: "credentials", ...given };
  const reset = Number(headers["x-ratelimit-reset"]);
  if (status === 429)
    return { meaning: "provider", ...given, ...(reset > 0 && { afterMs: reset * 1_000 - now.getTime() }) };
  return undefined;
}

/** Reads the answer of GET /v3/scopes, which lists what a key may do. */
function readScopes({ status, json }: ProviderAnswer): AnswerReading | undefined {
  if (status !== 200) return undefined;
  const scopes = Array.isArray(json.scopes) ? json.scopes : [];
  return scopes.includes("mail.send")
    ? { meaning: "sent" }
    : { meaning: "credentials", words: "the key has no permission mail.send" };
}
