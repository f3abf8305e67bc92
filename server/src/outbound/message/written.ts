import { isDeepLink, isImageAddress } from "../../content/index.ts";
import { Problem } from "../../platform/http/index.ts";
import { mailbox } from "../../platform/mailbox.ts";
import type { EmailMessage, PushMessage, SmsMessage } from "./message.ts";
import { segmentsOf } from "./segments.ts";

// Turns rendered texts into the messages that are stored and sent, by the same rules for a call and for a broadcast.

/** Rendered texts by the name of their part. */
export type Texts = Partial<Record<string, string>>;

const MOST_SUBJECT = 255;
/** Apple and Google accept 4 KiB for the whole push; this leaves room for the fields that we add. */
export const MOST_PUSH_BYTES = 4_000;
/** Ten parts: the most that networks join again, and that Twilio accepts. */
const MOST_SMS_CHARACTERS = 1_600;

/** Returns a default sender, which is free text; undefined where it is no address. */
export const usableSender = (sender: string | undefined): string | undefined =>
  sender && mailbox(sender) ? sender : undefined;

/** Makes an email of these texts. @throws Problem content_missing, template_error */
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

/** Returns the template and version of a content, which are stored with the message, so that the log shows what was sent. */
export const madeOf = ({ template_id, template_version }: Record<string, unknown>): Partial<EmailMessage> =>
  typeof template_id === "string" && typeof template_version === "number" ? { template_id, template_version } : {};

/** Returns the headers by which a mail program unsubscribes by itself (RFC 2369, RFC 8058). */
export const oneClick = (url: string): Record<string, string> => ({
  "List-Unsubscribe": `<${url}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** A subject becomes a header, where a line break could begin another header. */
function subjectOf(text: string): string {
  const line = text.trim();
  if (line === "") throw rendersEmpty("subject");
  if (/[\p{Cc}\u2028\u2029]/u.test(line))
    throw rendersWrong("subject", "renders a line break or another control character");
  if (line.length > MOST_SUBJECT) throw rendersWrong("subject", `renders more than ${MOST_SUBJECT} characters`);
  return line;
}

/** Makes a push of these texts. An unusable address is left out, because the message is worth more than its image or link. */
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

/** Whether phones accept a push of this size. */
export const fitsPhone = (message: PushMessage): boolean =>
  Buffer.byteLength(JSON.stringify(message)) <= MOST_PUSH_BYTES;

/** Makes a text message of these texts. @throws Problem content_missing, template_error */
export function smsOf({ body = "" }: Texts): SmsMessage {
  if (body.trim() === "") throw rendersEmpty("body");
  if (body.length > MOST_SMS_CHARACTERS)
    throw rendersWrong("body", `renders more than ${MOST_SMS_CHARACTERS} characters`);
  return { body, segments: segmentsOf(body).segments };
}

const rendersEmpty = (part: string): Problem => missingPart(part, `The ${part} renders as nothing.`);

/** The error for a missing part without which the channel has no message. */
export const missingPart = (part: string, detail: string): Problem =>
  new Problem("content_missing", detail, { errors: [{ pointer: `/${part}`, message: "is missing" }] });

const rendersWrong = (part: string, what: string): Problem =>
  new Problem("template_error", `The ${part} ${what}.`, {
    errors: [{ pointer: `/${part}`, message: what }],
    extra: { part, line: null, column: null },
  });
