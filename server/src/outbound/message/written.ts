import { isDeepLink, isImageAddress } from "../../content/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { mailbox } from "../../platform/mailbox.ts";
import type { EmailMessage, PushMessage, SmsMessage } from "./message.ts";
import { segmentsOf } from "./segments.ts";

// What rendered texts become: the messages that are kept and sent. The same rules whoever writes them: a call, a broadcast.

/** Rendered texts under their part's name. */
export type Texts = Partial<Record<string, string>>;

const MOST_SUBJECT = 255;
/** What both Apple and Google take with a message, together with the rest of it: 4 KiB. */
export const MOST_PUSH_BYTES = 4_000;
/** Ten parts: the most that networks put together again, and that Twilio takes. */
const MOST_SMS_CHARACTERS = 1_600;

/** A default sender is free text: one that is no address is as good as none. */
export const usableSender = (sender: string | undefined): string | undefined =>
  sender && mailbox(sender) ? sender : undefined;

/** An email of these texts. @throws Problem content_missing, template_error */
export function emailOf(text: Texts, senders: { from: string | null; replyTo: string | undefined }): EmailMessage {
  const preheader = text.preheader?.replace(/\s+/g, " ").trim();
  return {
    from: senders.from,
    ...(senders.replyTo !== undefined && { reply_to: senders.replyTo }),
    subject: subjectOf(text.subject ?? ""),
    ...(preheader && { preheader }),
    body: text.body ?? "",
    ...(text.plaintext_body !== undefined && { plaintext_body: text.plaintext_body }),
  };
}

/** The template that a message is made of stays with it, so that the log tells which version was sent. */
export const madeOf = ({ template_id, template_version }: Record<string, unknown>): Partial<EmailMessage> =>
  typeof template_id === "string" && typeof template_version === "number" ? { template_id, template_version } : {};

/** How a mail program unsubscribes by itself (RFC 2369, RFC 8058). */
export const oneClick = (url: string): Record<string, string> => ({
  "List-Unsubscribe": `<${url}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** A rendered subject goes into a header: a line break in it could begin another one. */
function subjectOf(text: string): string {
  const line = text.trim();
  if (line === "") throw nothing("subject");
  if (/[\p{Cc}\u2028\u2029]/u.test(line)) throw wrong("subject", "renders a line break or another control character");
  if (line.length > MOST_SUBJECT) throw wrong("subject", `renders more than ${MOST_SUBJECT} characters`);
  return line;
}

/** A push of these texts. An address that came out unusable is left out: the message itself is worth more than its picture. */
export function pushOf(text: Texts): PushMessage {
  const image = text.image_url?.trim() ?? "";
  const link = text.link?.trim() ?? "";
  return {
    title: text.title ?? "",
    message: text.message ?? "",
    ...(isImageAddress(image) && { image_url: image }),
    ...(isDeepLink(link) && { link }),
  };
}

/** Whether a phone takes it. */
export const fitsPhone = (message: PushMessage): boolean =>
  Buffer.byteLength(JSON.stringify(message)) <= MOST_PUSH_BYTES;

/** A text message of these texts. @throws Problem content_missing, template_error */
export function smsOf({ body = "" }: Texts): SmsMessage {
  if (body.trim() === "") throw nothing("body");
  if (body.length > MOST_SMS_CHARACTERS) throw wrong("body", `renders more than ${MOST_SMS_CHARACTERS} characters`);
  return { body, segments: segmentsOf(body).segments };
}

const nothing = (part: string): Problem => missingPart(part, `The ${part} renders as nothing.`);

/** A part without which the channel has no message. */
export const missingPart = (part: string, detail: string): Problem =>
  new Problem("content_missing", detail, { errors: [{ pointer: `/${part}`, message: "is missing" }] });

const wrong = (part: string, what: string): Problem =>
  new Problem("template_error", `The ${part} ${what}.`, {
    errors: [{ pointer: `/${part}`, message: what }],
    extra: { part, line: null, column: null },
  });
