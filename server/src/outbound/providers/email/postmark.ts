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
import { jsonBody } from "./body.ts";
import { filesOf, written } from "./mime.ts";

/** Postmark, "Email API": POST /email. X-PM-KeepID makes it keep our Message-ID. */
export const postmark: Kind<"postmark"> = {
  credentialsGoTo: ({ endpoint }) => ({ endpoint }),
  open: postmarkProvider,
};

function postmarkProvider(ground: Ground, { settings, credentials, scrub }: Opening<"postmark">): Provider<"email"> {
  const base = settings.endpoint ?? "https://api.postmarkapp.com";
  const api = exchange(ground, scrub);
  const headers = {
    accept: "application/json",
    "content-type": "application/json",
    "x-postmark-server-token": credentials.server_token,
  };
  return {
    kind: "postmark",
    concurrency: CONCURRENCY,
    hand({ message, reference }) {
      const stream = settings.message_stream ?? "outbound";
      const body = jsonBody(bodyOf(message, reference, stream));
      return api.call(`${base}/email`, { method: "POST", headers, body }, readAnswer);
    },
    check: async () =>
      reasonOf(await api.call(`${base}/server`, { headers }, (answer) => any2xx(answer) ?? readAnswer(answer))),
    close: api.close,
  };
}

function bodyOf(email: Outgoing, reference: string, stream: string) {
  const list = (entries: Outgoing["cc"]) => entries.map(written).join(", ");
  const headers = { ...email.headers, "Message-ID": email.messageId, "X-PM-KeepID": "true" };
  return {
    From: written(email.from),
    To: written(email.to),
    ...(email.cc.length > 0 && { Cc: list(email.cc) }),
    ...(email.bcc.length > 0 && { Bcc: list(email.bcc) }),
    ...(email.replyTo && { ReplyTo: written(email.replyTo) }),
    Subject: email.subject,
    HtmlBody: email.html,
    TextBody: email.text,
    Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
    Attachments: filesOf(email).map(({ name, content, type }) => ({ Name: name, Content: content, ContentType: type })),
    Metadata: { delivery_id: reference },
    MessageStream: stream,
  };
}

/** "API error codes" of Postmark's developer documentation. For codes that are not here the HTTP status counts. */
const MEANS: Record<number, Meaning> = {
  10: "credentials", // bad or missing token
  100: "provider", // maintenance
  300: "refused", // invalid email request
  400: "credentials", // sender signature not found
  401: "credentials", // sender signature not confirmed
  402: "refused", // invalid JSON
  403: "refused", // incompatible JSON
  405: "credentials", // out of credits
  406: "invalid_recipient", // hard bounce, complaint or suppressed by hand
  411: "refused", // forbidden attachment type
  412: "credentials", // account pending
  413: "credentials", // account may not send
  429: "provider",
  1235: "credentials", // no such message stream
  1236: "credentials", // a stream that does not send
};

function readAnswer({ status, json }: ProviderAnswer): AnswerReading | undefined {
  const code = json.ErrorCode;
  const message = textAt(json, "Message") ?? "";
  if (status === 200) {
    const id = textAt(json, "MessageID");
    if (code !== 0 || id === undefined) return undefined;
    // "Message OK, but will not deliver to these inactive addresses: ...": those are copies, because the message was accepted.
    return { meaning: "sent", providerMessageId: id, ...(/inactive/i.test(message) && { note: { said: message } }) };
  }
  if (typeof code !== "number") return undefined;
  const words = `${code}: ${message}`;
  if (code === 300 && /'To'/.test(message)) return { meaning: "invalid_recipient", words };
  const meaning = MEANS[code];
  return meaning && { meaning, words };
}
